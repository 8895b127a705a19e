//! Exit codes, and the one place where an error becomes words on the terminal.

use std::fmt;
use std::process::ExitCode;

use crate::catalog::UnknownName;
use crate::import::ImportError;
use crate::publish::{self, PublishError};
use crate::scenario::ResolveError;
use crate::spec::SpecError;
use crate::sweep::SweepError;

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
    /// Stopped by Ctrl-C, as shells have it.
    Interrupted = 130,
}

impl Exit {
    /// The code of several commands together: what is wrong with the call counts most, a missed target least.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        let rank = |exit| {
            [Self::Done, Self::Gate, Self::Infeasible, Self::Io, Self::Input, Self::Usage, Self::Interrupted]
                .iter()
                .position(|known| *known == exit)
        };
        if rank(other) > rank(self) { other } else { self }
    }
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
    /// Ctrl-C.
    Interrupted,
}

impl Failure {
    /// The same, said of a file that names the faulty one.
    pub(super) fn within(self, file: &str) -> Self {
        match self {
            Self::Input(what) => Self::Input(format!("{file}: {what}")),
            Self::Io(what) => Self::Io(format!("{file}: {what}")),
            other => other,
        }
    }

    /// A file that cannot be read.
    pub(super) fn unreadable(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Io(format!("cannot read {}: {error}", path.display()))
    }

    /// Says it on standard error.
    pub(super) fn print(&self) {
        if !matches!(self, Self::ClosedPipe) {
            publish::to_stderr(&format!("error: {self}"));
        }
    }

    pub(super) fn exit(&self) -> Exit {
        match self {
            Self::Interrupted => Exit::Interrupted,
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
            Self::Interrupted => f.write_str("stopped; finished files stay, the one in work is gone"),
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

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        Self::Input(error.to_string())
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
        failure.print();
        failure.exit()
    })
}
