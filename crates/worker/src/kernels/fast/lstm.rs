//! The steps of an LSTM layer, forward and back. A few samples go through all steps at a time: other threads have others,
//! and none waits for another at each step.

use super::floats::{of, part, tensor};
use super::lstm_step::{Backward, Forward};
use super::product::{Matrix, PackedMatrix};
use candle_core::{Result, Tensor};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Samples that go through all steps together: the rows of one product.
const SAMPLES: usize = 8;

/// A layer whose tensors are contiguous `float32` on the host.
pub(crate) struct Lstm {
    /// (steps, batch, width)
    pub(crate) input: Tensor,
    /// (4 · hidden, width)
    pub(crate) weight_input: Tensor,
    /// (4 · hidden, hidden)
    pub(crate) weight: Tensor,
    /// The sum of both: (4 · hidden).
    pub(crate) bias: Tensor,
    /// The first hidden state and cell state: (batch, hidden).
    pub(crate) state: [Tensor; 2],
    /// The steps in their order in time.
    pub(crate) times: Vec<usize>,
}

/// What the steps leave for backward.
pub(crate) struct LstmStates {
    /// For each group of samples, in their order in time.
    groups: Vec<Vec<StepStates>>,
    /// The hidden states in the order of the input, then the last hidden state and cell state.
    pub(crate) outputs: Tensor,
}

/// What one step of a group leaves.
struct StepStates {
    /// After activation.
    gates: Vec<f32>,
    /// The cell state after it, and its tangent.
    memory: Vec<f32>,
    tangent: Vec<f32>,
}

/// The gradients of the gates before activation, (steps · batch, 4 · hidden) in the order of the input, of the first state,
/// and the hidden states before each step in the same order.
pub(crate) struct Gradients {
    pub(crate) gates: Tensor,
    pub(crate) before: Tensor,
    pub(crate) state: [Tensor; 2],
}

/// The parts of a buffer (steps, batch, …) that belong to each group of samples, in order; a sample has `size` elements.
fn by_samples(all: &mut [f32], batch: usize, size: usize) -> Vec<Vec<&mut [f32]>> {
    let mut groups: Vec<Vec<&mut [f32]>> = Vec::new();
    groups.resize_with(batch.div_ceil(SAMPLES), Vec::new);
    for step in all.chunks_exact_mut((batch * size).max(1)) {
        for (group, part) in groups.iter_mut().zip(step.chunks_mut(SAMPLES * size)) {
            group.push(part);
        }
    }
    groups
}

/// Puts steps into their order in time.
fn in_time<T>(steps: Vec<T>, times: &[usize]) -> impl DoubleEndedIterator<Item = T> {
    let mut steps: Vec<T> = steps;
    if times.first() > times.last() {
        steps.reverse();
    }
    steps.into_iter()
}

/// Where a group's elements of a step are.
#[derive(Clone, Copy)]
struct StepOffsets {
    batch: usize,
    first: usize,
    count: usize,
}

impl StepOffsets {
    fn of_group(batch: usize, group: usize) -> Self {
        let first = group * SAMPLES;
        Self {
            batch,
            first,
            count: SAMPLES.min(batch.saturating_sub(first)),
        }
    }

    /// The group's part of (steps, batch, size) at a step.
    fn part<'a>(&self, all: &'a [f32], step: usize, size: usize) -> &'a [f32] {
        part(
            all,
            (step * self.batch + self.first) * size,
            self.count * size,
        )
    }
}

impl Lstm {
    /// Steps, batch and hidden size, unless there is nothing to compute.
    fn sizes(&self) -> Option<[usize; 3]> {
        let [hidden, _] = &self.state;
        let (batch, size) = hidden.dims2().ok()?;
        (batch * size > 0).then_some([self.times.len(), batch, size])
    }

    /// All steps. Nothing where a tensor is of another type or order, or the processor has no wide instructions.
    pub(crate) fn walk(&self) -> Option<Result<LstmStates>> {
        let [count, batch, size] = self.sizes()?;
        let plane = batch * size;
        let width = self.input.dim(2).ok()?;
        let [hidden, memory] = &self.state;
        let weights = [&self.weight_input, &self.weight];
        let [for_input, for_hidden] = of(weights, |[input, hidden]| {
            let packed = |it, width| PackedMatrix::of(Matrix::of_rows(it, width).transposed());
            Some([packed(input, width)?, packed(hidden, size)?])
        })??;
        let inputs = [&self.input, &self.bias, hidden, memory];
        of(inputs, |[input, bias, hidden, memory]| {
            let mut outputs = vec![0.0; (count + 2) * plane];
            let (hidden_states, last) = outputs.split_at_mut(count * plane);
            let (last_hidden, last_memory) = last.split_at_mut(plane);
            let lasts = last_hidden
                .chunks_mut(SAMPLES * size)
                .zip(last_memory.chunks_mut(SAMPLES * size));
            let groups = by_samples(hidden_states, batch, size)
                .into_iter()
                .zip(lasts);
            let groups: Vec<_> = groups.enumerate().collect();
            let of_group = |(at, (outputs, last)): (usize, (Vec<&mut [f32]>, _))| {
                let group = StepOffsets::of_group(batch, at);
                let mut before = group.part(hidden, 0, size);
                let mut steps: Vec<StepStates> = Vec::with_capacity(count);
                for (step, hidden) in self.times.iter().zip(in_time(outputs, &self.times)) {
                    let mut gates = bias.repeat(group.count);
                    for_input.add_product(group.part(input, *step, width), &mut gates);
                    for_hidden.add_product(before, &mut gates);
                    let mut own = StepStates {
                        gates,
                        memory: vec![0.0; hidden.len()],
                        tangent: vec![0.0; hidden.len()],
                    };
                    Forward {
                        gates: &mut own.gates,
                        before: match steps.last() {
                            Some(step) => &step.memory,
                            None => group.part(memory, 0, size),
                        },
                        memory: &mut own.memory,
                        tangent: &mut own.tangent,
                        hidden,
                        size,
                    }
                    .run();
                    steps.push(own);
                    before = hidden;
                }
                let (last_hidden, last_memory): (&mut [f32], &mut [f32]) = last;
                last_hidden.copy_from_slice(before);
                if let Some(step) = steps.last() {
                    last_memory.copy_from_slice(&step.memory);
                }
                steps
            };
            let groups = groups.into_par_iter().map(of_group).collect();
            let outputs = tensor(outputs, &[count + 2, batch, size]);
            outputs.map(|outputs| LstmStates { groups, outputs })
        })
    }

    /// Back through all steps, given the gradients of each hidden state (in the order of the input), then of the last states.
    pub(crate) fn back(&self, walk: &LstmStates, grad: &Tensor) -> Option<Result<Gradients>> {
        let [count, batch, size] = self.sizes()?;
        let plane = batch * size;
        let [_, memory] = &self.state;
        let (gates, mut state) = of([grad, &self.weight, memory], |[grad, weight, memory]| {
            let weight = PackedMatrix::of(Matrix::of_rows(weight, size))?;
            let mut of_gates = vec![0.0; count * plane * 4];
            let mut state = part(grad, count * plane, 2 * plane).to_vec();
            let (of_hidden, of_memory) = state.split_at_mut(plane);
            let groups = by_samples(&mut of_gates, batch, 4 * size)
                .into_iter()
                .zip(of_hidden.chunks_mut(SAMPLES * size))
                .zip(of_memory.chunks_mut(SAMPLES * size))
                .zip(&walk.groups);
            let groups: Vec<_> = groups.enumerate().collect();
            groups.into_par_iter().for_each(
                |(at, (((of_gates, of_hidden), of_memory), states))| {
                    let group = StepOffsets::of_group(batch, at);
                    let steps = in_time(of_gates, &self.times).zip(&self.times).enumerate();
                    let steps: Vec<_> = steps.zip(states).collect();
                    for ((at, (into, step)), own) in steps.into_iter().rev() {
                        for (sum, it) in of_hidden.iter_mut().zip(group.part(grad, *step, size)) {
                            *sum += it;
                        }
                        let earlier = at.checked_sub(1).and_then(|it| states.get(it));
                        Backward {
                            into,
                            of_memory,
                            of_hidden,
                            gates: &own.gates,
                            tangent: &own.tangent,
                            before: match earlier {
                                Some(earlier) => &earlier.memory,
                                None => group.part(memory, 0, size),
                            },
                            size,
                        }
                        .run();
                        of_hidden.fill(0.0);
                        weight.add_product(into, of_hidden);
                    }
                },
            );
            Some((of_gates, state))
        })??;
        let of_memory = state.split_off(plane);
        Some(self.gradients(walk, gates, [state, of_memory]))
    }

    fn gradients(
        &self,
        walk: &LstmStates,
        gates: Vec<f32>,
        state: [Vec<f32>; 2],
    ) -> Result<Gradients> {
        let [hidden, _] = &self.state;
        let (batch, size) = hidden.dims2()?;
        let count = self.times.len();
        let [of_hidden, of_memory] = state;
        let first = hidden.unsqueeze(0)?;
        let is_reversed = self.times.first() > self.times.last();
        let before = if is_reversed {
            Tensor::cat(&[&walk.outputs.narrow(0, 1, count - 1)?, &first], 0)?
        } else {
            Tensor::cat(&[&first, &walk.outputs.narrow(0, 0, count - 1)?], 0)?
        };
        Ok(Gradients {
            gates: tensor(gates, &[count * batch, 4 * size])?,
            before: before.reshape((count * batch, size))?,
            state: [
                tensor(of_hidden, &[batch, size])?,
                tensor(of_memory, &[batch, size])?,
            ],
        })
    }
}
