//! Where artifacts go: files named after the scenario, a folder, or standard output.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Failure;
use crate::emit::Format;
use crate::publish;
use crate::report::{self, Report};

/// Writes each format of a report and prints where a file went.
pub(super) fn write(
    formats: &[&Format],
    output: Option<&str>,
    report: &Report,
    render: impl Fn(&Format) -> String,
) -> Result<(), Failure> {
    let names: Vec<(&str, &str)> = formats.iter().map(|format| (format.name, format.extension)).collect();
    write_named(&names, output, &report::stem(report), |index| render(formats[index]))
}

/// Writes artifacts of formats given by name and extension and prints where a file went. HTML goes to a file of its own
/// where nothing is said.
pub(super) fn write_named(
    formats: &[(&str, &str)],
    output: Option<&str>,
    stem: &str,
    render: impl Fn(usize) -> String,
) -> Result<(), Failure> {
    for (index, target) in targets(formats, output, stem)?.into_iter().enumerate() {
        let text = render(index);
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

/// Refuses to write over a file that is read, or twice into the same file.
pub(super) fn spare<'a>(
    outputs: impl IntoIterator<Item = Option<&'a str>>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut taken: Vec<PathBuf> = inputs.into_iter().map(place).collect();
    for output in outputs.into_iter().flatten().filter(|output| *output != "-") {
        let path = place(Path::new(output));
        if path.is_dir() {
            continue;
        }
        if taken.contains(&path) {
            let what =
                format!("`{output}` is read or written already: it would be overwritten\nhelp: name another file");
            return Err(Failure::Usage(what));
        }
        taken.push(path);
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

fn targets(formats: &[(&str, &str)], output: Option<&str>, stem: &str) -> Result<Vec<Target>, Failure> {
    let named = |folder: &Path, extension: &str| Target::File(folder.join(format!("{stem}.{extension}")));
    let to_stdout = |(name, _): &&(&str, &str)| output == Some("-") || (output.is_none() && *name != "html");
    if formats.iter().filter(|f| to_stdout(f)).count() > 1 {
        let what = "only one format can go to standard output\nhelp: name a folder with -o DIR/ to write several";
        return Err(Failure::Usage(what.to_owned()));
    }
    let folder = output.filter(|o| *o != "-" && (o.ends_with('/') || Path::new(o).is_dir()));
    if let (Some(path), None, true) = (output.filter(|o| *o != "-"), folder, formats.len() > 1) {
        let what = format!("`-o {path}` is one file for {} formats\nhelp: name a folder, as -o {path}/", formats.len());
        return Err(Failure::Usage(what));
    }
    let target = |format: &(&str, &str)| match (output, folder) {
        _ if to_stdout(&format) => Target::Stdout,
        (_, Some(folder)) => named(Path::new(folder), format.1),
        (Some(path), None) => Target::File(PathBuf::from(path)),
        (None, None) => named(Path::new(""), format.1),
    };
    Ok(formats.iter().map(target).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn html_goes_to_a_file_and_the_rest_to_standard_output() {
        let of = |names: &[&str], output| {
            let formats: Vec<(&str, &str)> = names.iter().map(|name| (*name, *name)).collect();
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
