//! `simllm note`: a note for the knowledge base, drafted from a result.

use super::args::NoteArgs;
use super::compare::side;
use super::exit::{Exit, Failure};
use super::output;
use crate::report::compare::Side;
use crate::report::draft::draft;

/// Drafts a note.
pub(super) fn run(args: &NoteArgs) -> Result<Exit, Failure> {
    output::spare([args.output.as_deref()], [args.report.as_path()])?;
    let Side::Single(single) = side(&args.report)? else {
        return Err(Failure::Input(format!(
            "{}: this is a declared report\nhelp: give the JSON of one scenario, as that of its point in focus",
            args.report.display()
        )));
    };
    let note = draft(&single, args.date.as_deref().unwrap_or_default(), args.lang.lang().text());
    output::text(args.output.as_deref(), &note)?;
    Ok(Exit::Done)
}
