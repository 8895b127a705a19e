//! Where artifacts go: files named after the scenario, a folder, or standard output.

use std::path::{Path, PathBuf};

use super::exit::Failure;
use crate::emit::Format;
use crate::publish;
use crate::report::{self, Report};

/// Writes each format of a report and says on standard error where a file went.
pub(super) fn write(
    formats: &[&Format],
    output: Option<&str>,
    report: &Report,
    render: impl Fn(&Format) -> String,
) -> Result<(), Failure> {
    let targets = targets(formats, output, &report::stem(report))?;
    for (format, target) in formats.iter().zip(targets) {
        let text = render(format);
        match target {
            Target::Stdout => publish::to_stdout(&text)?,
            Target::File(path) => {
                publish::write(&path, text.as_bytes())?;
                publish::to_stdout(&format!("{}\n", path.display()))?;
            }
        }
    }
    Ok(())
}

/// Writes a text to a file, whose name is told, or to standard output.
pub(super) fn text(output: Option<&str>, text: &str) -> Result<(), Failure> {
    match output {
        None | Some("-") => publish::to_stdout(text)?,
        Some(path) => {
            publish::write(Path::new(path), text.as_bytes())?;
            publish::to_stdout(&format!("{path}\n"))?;
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Target {
    Stdout,
    File(PathBuf),
}

fn targets(formats: &[&Format], output: Option<&str>, stem: &str) -> Result<Vec<Target>, Failure> {
    let named = |folder: &Path, format: &Format| Target::File(folder.join(format!("{stem}.{}", format.extension)));
    let to_stdout = |format: &&Format| output == Some("-") || (output.is_none() && format.name != "html");
    if formats.iter().filter(|f| to_stdout(f)).count() > 1 {
        let what = "only one format can go to standard output\nhelp: name a folder with -o DIR/ to write several";
        return Err(Failure::Usage(what.to_owned()));
    }
    let folder = output.filter(|o| *o != "-" && (o.ends_with('/') || Path::new(o).is_dir()));
    if let (Some(path), None, true) = (output.filter(|o| *o != "-"), folder, formats.len() > 1) {
        let what = format!("`-o {path}` is one file for {} formats\nhelp: name a folder, as -o {path}/", formats.len());
        return Err(Failure::Usage(what));
    }
    let target = |format: &&Format| match (output, folder) {
        _ if to_stdout(format) => Target::Stdout,
        (_, Some(folder)) => named(Path::new(folder), format),
        (Some(path), None) => Target::File(PathBuf::from(path)),
        (None, None) => named(Path::new(""), format),
    };
    Ok(formats.iter().map(target).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::FORMATS;

    fn format(name: &str) -> &'static Format {
        FORMATS.iter().find(|f| f.name == name).expect("a format")
    }

    #[test]
    fn html_goes_to_a_file_and_the_rest_to_standard_output() {
        let of = |names: &[&str], output| {
            let formats: Vec<&Format> = names.iter().map(|n| format(n)).collect();
            targets(&formats, output, "stem").map_err(|f| f.to_string())
        };
        let file = |path: &str| Target::File(PathBuf::from(path));
        assert_eq!(of(&["html"], None), Ok(vec![file("stem.html")]));
        assert_eq!(of(&["html", "json"], None), Ok(vec![file("stem.html"), Target::Stdout]));
        assert_eq!(of(&["html"], Some("-")), Ok(vec![Target::Stdout]));
        assert_eq!(of(&["json"], Some("a.json")), Ok(vec![file("a.json")]));
        assert_eq!(of(&["html", "json"], Some("out/")), Ok(vec![file("out/stem.html"), file("out/stem.json")]));
        assert!(of(&["csv", "json"], None).is_err());
        assert!(of(&["csv", "json"], Some("a.json")).is_err());
    }
}
