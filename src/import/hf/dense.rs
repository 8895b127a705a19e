//! Dense feed-forward networks.

use super::family::{Family, Network};
use super::reader::Reader;
use super::shapes::Shapes;
use crate::spec::{DenseSpec, FfnSpec};

/// The same network in every layer.
pub(super) fn networks(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    let intermediate = shapes.need_intermediate(reader);
    vec![network(reader, family, shapes, intermediate); shapes.layers as usize]
}

/// One dense network.
pub(super) fn network(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes, intermediate: u64) -> Network {
    let inputs = if family.gated { 2 } else { 1 };
    let other = if family.ffn_bias.read(reader) { inputs * intermediate + shapes.hidden } else { 0 };
    Network { ffn: FfnSpec::Dense(DenseSpec::new(intermediate, family.gated)), other, buffers: 0 }
}
