//! What the engine does while a graph is captured: operations get their shapes and their memory, and no values.

use super::graph::{CudaGraph, GraphDraw, GraphKernel, GraphStep};
use crate::device::{Graphs, TensorDevice, Work, card_messages};
use crate::engine::state::Engine;
use crate::engine::{Fill, full_values};
use crate::error::TorchError;
use crate::meta::{Cost, Meta};
use crate::tensor::Tensor;
use crate::trace::SpanName;
use candle_core::{Device as Candle, Tensor as Values};

/// A capture that has begun.
pub(in crate::engine) struct Capture {
    graph: CudaGraph,
    /// Whether something was called that a capture forbids: the graph is lost.
    is_invalid: bool,
    /// How the next random values are drawn.
    draw: Option<GraphDraw>,
}

impl Engine {
    /// Whether operations on the card are captured.
    pub(crate) fn is_capturing(&self) -> bool {
        self.capture.borrow().is_some()
    }

    /// Whether those of this device are.
    pub(in crate::engine) fn captures(&self, device: TensorDevice) -> bool {
        device != TensorDevice::Cpu && self.is_capturing()
    }

    /// Begins a capture (`CUDAGraph.capture_begin`) that allocates from this pool, or from a new one.
    pub(crate) fn begin_capture(&self, pool: Option<u32>) -> Result<(), TorchError> {
        self.refuse_in_capture()?;
        self.first_use()?;
        let mut device = self.backend.borrow_mut();
        let current = device.streams().map_or(0, |it| it.current_stream());
        let Some(graphs) = device.graphs() else {
            return Err(TorchError::missing(
                "CUDA graphs are part of modelled cards only: run this with --device model:…; on a real card, call the function without a graph",
            ));
        };
        if current == 0 {
            return Err(TorchError::runtime(
                "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the default stream.)",
            ));
        }
        let pool = match pool {
            Some(pool) => {
                graphs.share_pool(pool);
                pool
            }
            None => graphs.create_pool(),
        };
        graphs.begin_capture(pool);
        let capture = Capture {
            graph: CudaGraph::in_pool(pool),
            is_invalid: false,
            draw: None,
        };
        *self.capture.borrow_mut() = Some(capture);
        Ok(())
    }

    /// Ends the capture, and builds the graph that can be launched.
    pub(crate) fn end_capture(&self) -> Result<CudaGraph, TorchError> {
        let Some(capture) = self.capture.take() else {
            return Err(TorchError::runtime(
                "capture_end() called before capture_begin().",
            ));
        };
        if let Some(graphs) = self.backend.borrow_mut().graphs() {
            graphs.end_capture();
            if capture.is_invalid {
                graphs.release_pool(capture.graph.pool);
            } else {
                graphs.instantiate(capture.graph.kernels.len() as u64);
            }
        }
        if capture.is_invalid {
            return Err(card_messages::capture_invalidated());
        }
        Ok(capture.graph)
    }

    /// The program no longer has a graph.
    pub(crate) fn drop_graph(&self, graph: &CudaGraph) {
        if let Ok(mut device) = self.backend.try_borrow_mut()
            && let Some(graphs) = device.graphs()
        {
            graphs.release_pool(graph.pool);
        }
    }

    /// A pool of memory that graphs can share (`torch.cuda.graph_pool_handle`).
    pub(crate) fn graph_pool(&self) -> u32 {
        let mut device = self.backend.borrow_mut();
        device.graphs().map_or(0, Graphs::create_pool)
    }

    /// PyTorch's refusal of what waits for the card, or allocates memory of the host, during a capture.
    pub(in crate::engine) fn refuse_in_capture(&self) -> Result<(), TorchError> {
        match self.capture.borrow_mut().as_mut() {
            None => Ok(()),
            Some(capture) => {
                capture.is_invalid = true;
                Err(card_messages::capture_unsupported())
            }
        }
    }

    /// How the random values of the next call are drawn in a replay.
    pub(crate) fn draw_in_graph(&self, draw: GraphDraw) {
        if let Some(capture) = self.capture.borrow_mut().as_mut() {
            capture.draw = Some(draw);
        }
    }

    /// Captures an operation.
    pub(in crate::engine) fn capture_step(&self, step: impl FnOnce(&mut CudaGraph) -> GraphStep) {
        if let Some(capture) = self.capture.borrow_mut().as_mut() {
            let step = step(&mut capture.graph);
            capture.graph.steps.push(step);
        }
    }

    /// Captures that new memory, or a tensor that is changed, gets values which no operation of the table makes.
    pub(in crate::engine) fn capture_fill(
        &self,
        into: &Tensor,
        fill: &Fill<'_>,
        values: Option<Values>,
    ) -> Result<(), TorchError> {
        let mut capture = self.capture.borrow_mut();
        let Some(capture) = capture.as_mut() else {
            return Ok(());
        };
        let into = capture.graph.tensor(into);
        let step = match (fill, capture.draw.take(), values) {
            (Fill::Drawn(..), None, _) => {
                return Err(TorchError::missing(
                    "this random function in the capture of a CUDA graph is not part of warpup; PyTorch has it. Draw before the replay, into a tensor that the graph reads",
                ));
            }
            (_, Some(draw), _) => GraphStep::Draw { draw, into },
            (_, None, Some(values)) => GraphStep::Values { values, into },
            (_, None, None) => return Ok(()),
        };
        capture.graph.steps.push(step);
        Ok(())
    }

    /// Captures a kernel that a card launches.
    pub(in crate::engine) fn capture_kernel(&self, name: SpanName, work: Work, cost: Cost) {
        if let Some(capture) = self.capture.borrow_mut().as_mut() {
            capture.graph.kernels.push(GraphKernel { name, work, cost });
        }
    }

    /// What is in the memory of a result before the first replay, which fills it: nothing that was computed.
    pub(in crate::engine) fn before_replay(
        &self,
        meta: &Meta,
        device: TensorDevice,
    ) -> Result<Option<Values>, TorchError> {
        let zeros = |on: &Candle| full_values(meta, 0.0, on);
        self.kept(meta, device, &zeros)
    }
}
