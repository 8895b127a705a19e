//! What a mark of a chart looks like: the class for the style sheet and the attributes for a page without one.

use crate::report::view::Swatch;

/// The roles that marks play.
#[derive(Clone, Debug)]
pub(super) enum Ink {
    /// Grid line.
    Grid,
    /// The curve.
    Line,
    /// One of several curves, in the colour of its place, with the dashes of its number.
    Series(Swatch, usize),
    /// Many points as dashes of this width.
    Cloud(u32),
    /// Error band around the curve.
    Band,
    /// Target line.
    Target,
    /// Surface-coloured line under the target line, so that it reads on dark fills.
    TargetHalo,
    /// Words at the target line.
    TargetText,
    /// Hardware ceiling of the roofline.
    Roof,
    /// A second ceiling.
    RoofMinor,
    /// Leader from a label to its point.
    Lead,
    /// A point of the curve.
    Dot,
    /// A filled point in the colour of its stage.
    StageDot(Swatch),
    /// A hollow point in the colour of its stage.
    StageRing(Swatch),
    /// A filled area in the colour of its stage.
    Area(Swatch),
    /// The ring around the recommended point.
    Ring,
    /// Words at the recommended point.
    RingText,
    /// Words of an axis or a minor label.
    Text,
    /// Words that stand out.
    Label,
    /// Invisible target for the pointer.
    Hit,
}

impl Ink {
    /// Attributes of the mark, class first.
    pub(super) fn attributes(&self) -> String {
        let fixed = match self {
            Self::Grid => r##"class="grid" stroke="#dde2e8""##,
            Self::Line => r##"class="ln" stroke="#0a58ca" stroke-width="2""##,
            Self::Band => r##"class="band" fill="#0a58ca" fill-opacity=".13""##,
            Self::Target => r##"class="slo" stroke="#b8221b" stroke-dasharray="6 3""##,
            Self::TargetHalo => r##"class="halo2" stroke="#fff" stroke-width="4""##,
            Self::TargetText => r##"class="slot" fill="#b8221b""##,
            Self::Roof => r##"class="roof" stroke="#11161d" stroke-width="1.75""##,
            Self::RoofMinor => r##"class="roof2" stroke="#7d8795" stroke-dasharray="4 3""##,
            Self::Lead => r##"class="lead" stroke="#7d8795""##,
            Self::Dot => r##"class="dot acc" fill="#0a58ca""##,
            Self::Ring => r##"class="halo" fill="none" stroke="#0b6e3b" stroke-width="2""##,
            Self::RingText => r##"class="okt" fill="#0b6e3b""##,
            Self::Text => "",
            Self::Label => r#"class="lb" font-weight="600""#,
            Self::Hit => r##"fill="#000" fill-opacity="0""##,
            Self::StageDot(s) => return format!(r#"class="dot c-{}" fill="{}""#, s.id, s.hex),
            Self::StageRing(s) => {
                return format!(r##"class="ring k-{}" fill="#fff" stroke="{}" stroke-width="2""##, s.id, s.hex);
            }
            Self::Series(s, number) => {
                let dashes = [None, Some("6 3"), Some("2 3"), Some("9 3 2 3")][number % 4];
                let dashes = dashes.map_or_else(String::new, |dashes| format!(r#" stroke-dasharray="{dashes}""#));
                return format!(r#"class="ser k-{}" stroke="{}" stroke-width="2"{dashes}"#, s.id, s.hex);
            }
            Self::Cloud(width) => return format!(r##"class="cloud" stroke="#7d8795" stroke-width="{width}""##),
            Self::Area(s) => return format!(r##"class="area c-{}" fill="{}" stroke="#fff""##, s.id, s.hex),
        };
        fixed.to_owned()
    }

    /// Whether an open line needs `fill="none"`.
    pub(super) fn is_stroke(&self) -> bool {
        matches!(
            self,
            Self::Grid
                | Self::Line
                | Self::Series(..)
                | Self::Target
                | Self::TargetHalo
                | Self::Roof
                | Self::RoofMinor
                | Self::Lead
        )
    }
}
