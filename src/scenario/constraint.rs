//! What a profile requires of the machine. Kernels that are not there are an error, or, where a fallback is allowed, a
//! note: the machine's own kernels are modelled in their place.

use super::{Note, ResolveError};
use crate::machine::{Machine, arch_number};
use crate::spec::ConstraintSpec;

/// The first architecture with tensor cores.
const FIRST_TENSOR_CORES: u64 = 70;

/// Holds a machine against what a profile requires.
///
/// # Errors
/// What is required and what is there, unless a fallback is allowed.
pub(super) fn check(
    constraint: &ConstraintSpec,
    machine: &Machine,
    allowed: bool,
) -> Result<Option<Note>, ResolveError> {
    let Some(required) = unmet(constraint, machine) else { return Ok(None) };
    let found = format!("{} ({})", machine.name, machine.sm_arch);
    if allowed {
        Ok(Some(Note::Fallback { required, found }))
    } else {
        Err(ResolveError::Constraint { required, found })
    }
}

/// What is required and not there.
fn unmet(constraint: &ConstraintSpec, machine: &Machine) -> Option<String> {
    let found = arch_number(&machine.sm_arch);
    if constraint.tensor_core_support == Some(true) && found.is_some_and(|found| found < FIRST_TENSOR_CORES) {
        return Some("tensor cores".to_owned());
    }
    let required = constraint.min_sm_arch.as_ref()?;
    let enough = arch_number(required).is_some_and(|required| found.is_some_and(|found| found >= required));
    (!enough).then(|| required.clone())
}
