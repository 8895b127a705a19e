//! What a user should know about a scenario that runs all the same.

use super::resolve::Note;
use super::{Model, Scenario};
use crate::spec::ModelSpec;

/// Position encodings that differ from the built-in model's, or that nothing knows.
pub(super) fn note_rope(spec: &ModelSpec, catalogue: Option<&ModelSpec>, notes: &mut Vec<Note>) {
    let known = catalogue.and_then(|entry| entry.compute.rope_theta);
    if let (Some(profile), Some(catalogue)) = (spec.compute.rope_theta, known)
        && profile != catalogue
    {
        notes.push(Note::RopeThetaDiffers { profile, catalogue });
    }
    if let Some(base) = spec.compute.rope_base {
        notes.push(Note::RopeBaseIgnored(base));
    }
}

/// Stated totals within this share of the computed ones agree.
const CLAIM_TOLERANCE: f64 = 0.005;

/// Totals that a profile states and its architecture does not give.
pub(super) fn check_claims(spec: &ModelSpec, model: &Model, notes: &mut Vec<Note>) {
    let parameters = model.parameters() as f64;
    let claims = [
        ("params_total", spec.claims.params_total, parameters),
        ("params_active", spec.claims.params_active, model.active_parameters() as f64),
        ("weight_bytes", spec.claims.weight_bytes, model.weight_bytes()),
        ("layers", spec.claims.layers, model.layers() as f64),
    ];
    for (claim, stated, computed) in claims {
        if let Some(stated) = stated
            && (stated / computed - 1.0).abs() > CLAIM_TOLERANCE
        {
            notes.push(Note::ClaimDiffers { claim, stated, computed });
        }
    }
}

/// A context longer than the model was trained for.
pub(super) fn check_context(scenario: &Scenario, notes: &mut Vec<Note>) {
    let context = scenario.workload.prompt_len + scenario.workload.gen_len;
    if let Some(trained) = scenario.model.max_positions.filter(|trained| context > *trained) {
        notes.push(Note::BeyondMaxPositions { context, trained });
    }
}
