//! The replay of a graph: its operations compute again from what their inputs hold now, and the card works on all of its
//! kernels after one call of the host.

use super::graph::{CudaGraph, GraphStep};
use crate::device::{Interval, TensorDevice};
use crate::engine::in_place::later_as;
use crate::engine::state::Engine;
use crate::engine::values::OpValue;
use crate::error::TorchError;
use crate::kernels::philox::DrawShift;
use crate::meta::Cost;
use crate::tensor::Tensor;
use crate::trace::{Activity, SpanName};
use warpup_protocol::{Lane, Span};

impl Engine {
    /// Replays a graph (`CUDAGraph.replay`), whose random numbers are those that the generator has now.
    pub(crate) fn replay_graph(
        &self,
        graph: &CudaGraph,
        moved: DrawShift,
    ) -> Result<(), TorchError> {
        self.refuse_in_capture()?;
        let device = TensorDevice::Card(0);
        self.begin(device)?;
        let loaded = graph.load(|it| self.read_by_graph(it));
        for step in &graph.steps {
            self.replay_step(step, moved)?;
        }
        self.launch_graph(graph);
        graph.store(&loaded, |it, before| self.queued_in_graph(it, before));
        self.time_assertion();
        Ok(())
    }

    /// The values of an operation, in the graph's memory.
    fn replay_step(&self, step: &GraphStep, moved: DrawShift) -> Result<(), TorchError> {
        let device = TensorDevice::Card(0);
        match step {
            GraphStep::Result {
                op,
                order,
                inputs,
                meta,
                cost,
                into,
            } => {
                let inputs: Vec<&Tensor> = inputs.iter().collect();
                let op = op.redrawn(moved);
                let made = if have_values(&inputs) {
                    self.value_in(order.as_ref(), &op, &inputs, (meta, device, *cost))?
                } else {
                    OpValue::default()
                };
                into.write(made.value)
            }
            GraphStep::Change {
                op,
                inputs,
                meta,
                cost,
                into,
            } => {
                let inputs: Vec<&Tensor> = inputs.iter().collect();
                let op = op.redrawn(moved);
                let made = if have_values(&inputs) {
                    self.value(&op, &inputs, (meta, device, *cost))?
                } else {
                    OpValue::default()
                };
                into.write(later_as(&made.value, &into.meta())?)
            }
            GraphStep::Copy { from, into } => {
                let (values, shape) = (from.state().value.clone(), into.shape());
                let spread = values.then(0, move |it| Ok(Some(it.broadcast_as(&*shape)?)))?;
                into.write(later_as(&spread, &into.meta())?)
            }
            GraphStep::Values { values, into } => into.write(Some(values.clone())),
            GraphStep::Draw { draw, into } => {
                let meta = into.meta();
                let cost = Cost::moving(meta.bytes());
                let drawn = self.if_kept((&meta, device, cost), || draw(moved))?;
                into.write(drawn)
            }
        }
    }

    /// Launches the kernels: one piece of work of the host, and one of the card for each.
    fn launch_graph(&self, graph: &CudaGraph) {
        let works: Vec<_> = graph.kernels.iter().map(|it| it.work).collect();
        let times = {
            let mut device = self.backend.borrow_mut();
            device.graphs().map(|it| it.launch_graph(&works))
        };
        let Some((host, kernels)) = times else {
            return;
        };
        let named = graph.kernels.iter().map(|it| (it.name.clone(), it.cost));
        self.record_graph(host, named.zip(kernels));
    }

    /// Records the launch of a graph by the host, and its kernels.
    pub(in crate::engine) fn record_graph(
        &self,
        host: Interval,
        kernels: impl Iterator<Item = ((SpanName, Cost), Interval)>,
    ) {
        let mut recorder = self.recorder.borrow_mut();
        let launch = Activity {
            lane: Lane::Host,
            name: Span::GRAPH_LAUNCH.into(),
            cost: Cost::default(),
        };
        if recorder.is_profiled() {
            recorder.profile_launch(launch.name.clone(), host, launch.cost);
        }
        recorder.record(launch, host);
        for ((name, cost), when) in kernels {
            let lane = Lane::Kernel;
            recorder.record(Activity { lane, name, cost }, when);
        }
    }
}

/// Whether the values of all inputs are kept.
fn have_values(inputs: &[&Tensor]) -> bool {
    !inputs.iter().any(|it| it.state().value.is_missing())
}
