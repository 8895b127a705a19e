//! Ways to look into a page.

/// The page without its scripts and its style sheet.
pub fn markup(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(start) = ["<script", "<style"].iter().filter_map(|tag| rest.find(tag)).min() {
        out.push_str(&rest[..start]);
        let end = rest[start..].find("</s").expect("a closed element");
        rest = &rest[start + end..];
        rest = &rest[rest.find('>').expect("a closed tag") + 1..];
    }
    out + rest
}

/// What a reader can read: text, and the words in attributes.
pub fn words(page: &str) -> String {
    let markup = markup(page);
    let mut out = String::new();
    for piece in markup.split('<').skip(1) {
        let Some((tag, text)) = piece.split_once('>') else { continue };
        for name in [" aria-label=\"", " data-tip=\"", " title=\""] {
            out.extend(tag.split(name).skip(1).filter_map(|rest| rest.split('"').next()));
            out.push(' ');
        }
        out.push_str(text);
    }
    out
}
