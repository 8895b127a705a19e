//! Exit codes, and the one place where an error becomes words on the terminal.

use std::fmt;
use std::process::ExitCode;

use crate::catalog::UnknownName;
use crate::import::ImportError;
use crate::publish::{self, PublishError};
use crate::scenario::ResolveError;
use crate::spec::SpecError;

/// How a command ended.
///
/// | code | meaning |
/// |---|---|
/// | 0 | done |
/// | 1 | a target was missed |
/// | 2 | the command line is wrong |
/// | 3 | an input is wrong |
/// | 4 | nothing feasible |
/// | 5 | reading or writing failed |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// A target was missed.
    Gate = 1,
    /// The command line is wrong.
    Usage = 2,
    /// An input is wrong.
    Input = 3,
    /// Nothing feasible.
    Infeasible = 4,
    /// Reading or writing failed.
    Io = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// The options contradict each other.
    Usage(String),
    /// An input is wrong.
    Input(String),
    /// Reading or writing failed.
    Io(String),
    /// The reader of our output went away: not an error.
    ClosedPipe,
}

impl Failure {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Input(_) => Exit::Input,
            Self::Io(_) => Exit::Io,
            Self::ClosedPipe => Exit::Done,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(what) | Self::Input(what) | Self::Io(what) => f.write_str(what),
            Self::ClosedPipe => f.write_str("the reader went away"),
        }
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<UnknownName> for Failure {
    fn from(error: UnknownName) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Io { .. } => Self::Io(error.to_string()),
            _ => Self::Input(error.to_string()),
        }
    }
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Self {
        if error.is_closed_pipe() { Self::ClosedPipe } else { Self::Io(error.to_string()) }
    }
}

/// Prints a failure and turns the result into an exit code.
pub(super) fn conclude(done: Result<Exit, Failure>) -> Exit {
    done.unwrap_or_else(|failure| {
        if !matches!(failure, Failure::ClosedPipe) {
            eprintln!("error: {}", publish::printable(&failure.to_string()));
        }
        failure.exit()
    })
}
