//! Work of the CPU on a request's path.

/// A task of the CPU, or waiting for it. Its time is a constant of the engine, not of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostTask {
    /// Turning text into token ids.
    Tokenize,
    /// HTTP, scheduling of a new request, queueing.
    HttpQueue,
    /// Serial work of a step: scheduler, input preparation, launches of an eager step.
    EngineStep,
    /// What a local engine does between its products, launches included: a time per layer, host and device not told apart.
    LayerTime,
    /// The device waits for the next launch.
    LaunchWait,
}
