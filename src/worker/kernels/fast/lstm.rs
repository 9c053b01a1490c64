//! The steps of an LSTM layer, forward and back, with the gates of a step in one pass.

use super::floats::{of, tensor, wide};
use super::functions::{sigmoid, tanh};
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// A layer whose tensors are contiguous `float32` on the host.
pub(crate) struct Lstm<'a> {
    /// The products of the inputs with biases, for each step: (steps, batch, 4 · hidden).
    pub(crate) of_input: &'a Tensor,
    /// (4 · hidden, hidden)
    pub(crate) weight: &'a Tensor,
    /// The first hidden state and cell state: (batch, hidden).
    pub(crate) state: [&'a Tensor; 2],
    /// The steps in their order in time.
    pub(crate) times: &'a [usize],
}

/// What a step leaves: its gates (i, f, g, o beside each other for each sample), its cell state and the tangent of that.
struct Step {
    gates: Vec<f32>,
    memory: Vec<f32>,
    tangent: Vec<f32>,
    hidden: Tensor,
}

/// All steps in their order in time.
pub(crate) struct Walk {
    steps: Vec<Step>,
    first: Vec<f32>,
    shape: [usize; 2],
}

/// The gradients of the gates before activation, (steps · batch, 4 · hidden) in the order of the input, of the first state,
/// and the hidden states before each step in the same order.
pub(crate) struct Gradients {
    pub(crate) gates: Tensor,
    pub(crate) before: Tensor,
    pub(crate) state: [Tensor; 2],
}

/// One step forward for one sample.
struct Forward<'a> {
    gates: &'a mut [f32],
    of_input: &'a [f32],
    of_hidden: &'a [f32],
    before: &'a [f32],
    memory: &'a mut [f32],
    tangent: &'a mut [f32],
    hidden: &'a mut [f32],
}

impl NullaryFnOnce for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let size = self.before.len().max(1);
        let samples = self.gates.chunks_exact_mut(4 * size);
        let samples = samples
            .zip(self.of_input.chunks_exact(4 * size))
            .zip(self.of_hidden.chunks_exact(4 * size));
        for ((gates, a), b) in samples {
            for ((gate, a), b) in gates.iter_mut().zip(a).zip(b) {
                *gate = a + b;
            }
            let (input_forget, rest) = gates.split_at_mut(2 * size);
            let (new, output) = rest.split_at_mut(size);
            for gate in input_forget.iter_mut() {
                *gate = sigmoid(*gate);
            }
            for gate in new.iter_mut() {
                *gate = tanh(*gate);
            }
            for gate in output.iter_mut() {
                *gate = sigmoid(*gate);
            }
            let (input, forget) = input_forget.split_at(size);
            let memory = self.memory.iter_mut().zip(self.before);
            let parts = input.iter().zip(forget).zip(&*new);
            for ((memory, before), ((i, f), g)) in memory.zip(parts) {
                *memory = f * before + i * g;
            }
            for (tangent, memory) in self.tangent.iter_mut().zip(&*self.memory) {
                *tangent = tanh(*memory);
            }
            let hidden = self.hidden.iter_mut().zip(&*self.tangent);
            for ((hidden, tangent), o) in hidden.zip(&*output) {
                *hidden = o * tangent;
            }
        }
    }
}

/// One step back for one sample.
struct Backward<'a> {
    /// Gradients of the gates before activation.
    into: &'a mut [f32],
    /// Gradient of the cell state after the step; becomes that of the state before.
    of_memory: &'a mut [f32],
    of_hidden: &'a [f32],
    gates: &'a [f32],
    tangent: &'a [f32],
    before: &'a [f32],
}

impl NullaryFnOnce for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let size = self.before.len();
        let (first, second) = self.into.split_at_mut(2 * size);
        let ((of_input, of_forget), (of_new, of_output)) =
            (first.split_at_mut(size), second.split_at_mut(size));
        let (first, second) = self.gates.split_at(2 * size);
        let ((input, forget), (new, output)) = (first.split_at(size), second.split_at(size));
        let memory = self.of_memory.iter_mut().zip(self.of_hidden);
        for ((of_memory, of_hidden), (tangent, o)) in memory.zip(self.tangent.iter().zip(output)) {
            *of_memory += of_hidden * o * (1.0 - tangent * tangent);
        }
        let others = self.of_hidden.iter().zip(self.tangent);
        for ((it, o), (of_hidden, tangent)) in of_output.iter_mut().zip(output).zip(others) {
            *it = of_hidden * tangent * o * (1.0 - o);
        }
        let others = self.of_memory.iter().zip(self.before);
        for ((it, f), (of_memory, before)) in of_forget.iter_mut().zip(forget).zip(others) {
            *it = of_memory * before * f * (1.0 - f);
        }
        let others = self.of_memory.iter().zip(new);
        for ((it, i), (of_memory, g)) in of_input.iter_mut().zip(input).zip(others) {
            *it = of_memory * g * i * (1.0 - i);
        }
        let others = self.of_memory.iter().zip(input);
        for ((it, g), (of_memory, i)) in of_new.iter_mut().zip(new).zip(others) {
            *it = of_memory * i * (1.0 - g * g);
        }
        for (of_memory, f) in self.of_memory.iter_mut().zip(forget) {
            *of_memory *= f;
        }
    }
}

impl Lstm<'_> {
    /// All steps; nothing where a tensor is of another type or order.
    pub(crate) fn walk(&self) -> Option<Result<Walk>> {
        let [hidden, memory] = self.state;
        let (batch, size) = hidden.dims2().ok()?;
        let first = of([memory], |[memory]| memory.to_vec())?;
        of([self.of_input, hidden], |[all, _]| {
            let mut walk = Walk {
                steps: Vec::with_capacity(self.times.len()),
                first,
                shape: [batch, size],
            };
            let mut hidden = hidden.clone();
            let weight = self.weight.t()?;
            for at in self.times {
                let product = hidden.matmul(&weight)?;
                let each = batch * 4 * size;
                let own = all.get(at * each..(at + 1) * each).unwrap_or_default();
                let before = walk.steps.last().map_or(&walk.first, |it| &it.memory);
                let step = of([&product], |[product]| step(own, product, before, size));
                let (gates, memory, tangent, new) = step.unwrap_or_default();
                hidden = tensor(new, &[batch, size])?;
                walk.steps.push(Step {
                    gates,
                    memory,
                    tangent,
                    hidden: hidden.clone(),
                });
            }
            Ok(walk)
        })
    }

    /// Back through all steps, given the gradients of each hidden state (in the order of the input), then of the last states.
    pub(crate) fn back(&self, walk: &Walk, grad: &Tensor) -> Option<Result<Gradients>> {
        let [batch, size] = walk.shape;
        let plane = batch * size;
        let count = walk.steps.len();
        of([grad], |[grad]| {
            let of_step = |at: usize| grad.get(at * plane..(at + 1) * plane).unwrap_or_default();
            let mut of_hidden = of_step(count).to_vec();
            let mut of_memory = of_step(count + 1).to_vec();
            let mut gates = vec![0.0; count * plane * 4];
            for (at, (time, step)) in self.times.iter().zip(&walk.steps).enumerate().rev() {
                for (sum, it) in of_hidden.iter_mut().zip(of_step(*time)) {
                    *sum += it;
                }
                let before = match at.checked_sub(1).and_then(|it| walk.steps.get(it)) {
                    Some(step) => &step.memory,
                    None => &walk.first,
                };
                let mut own = vec![0.0; plane * 4];
                let samples = own
                    .chunks_exact_mut(4 * size)
                    .zip(of_memory.chunks_exact_mut(size))
                    .zip(of_hidden.chunks_exact(size))
                    .zip(step.gates.chunks_exact(4 * size))
                    .zip(step.tangent.chunks_exact(size))
                    .zip(before.chunks_exact(size));
                for (((((into, of_memory), of_hidden), gates), tangent), before) in samples {
                    wide(Backward {
                        into,
                        of_memory,
                        of_hidden,
                        gates,
                        tangent,
                        before,
                    });
                }
                if let Some(into) = gates.get_mut(time * plane * 4..(time + 1) * plane * 4) {
                    into.copy_from_slice(&own);
                }
                let through = tensor(own, &[batch, 4 * size])?.matmul(self.weight)?;
                of([&through], |[through]| of_hidden.copy_from_slice(through));
            }
            let mut before = vec![self.state[0].clone(); count];
            for (pair, next) in walk.steps.iter().zip(self.times.iter().skip(1)) {
                if let Some(it) = before.get_mut(*next) {
                    it.clone_from(&pair.hidden);
                }
            }
            Ok(Gradients {
                gates: tensor(gates, &[count * batch, 4 * size])?,
                before: Tensor::cat(&before, 0)?,
                state: [
                    tensor(of_hidden, &[batch, size])?,
                    tensor(of_memory, &[batch, size])?,
                ],
            })
        })
    }
}

type Made = (Vec<f32>, Vec<f32>, Vec<f32>, Vec<f32>);

/// Gates, cell state, its tangent and the hidden state after a step.
fn step(of_input: &[f32], of_hidden: &[f32], before: &[f32], size: usize) -> Made {
    let mut gates = vec![0.0; of_input.len()];
    let (mut memory, mut tangent) = (vec![0.0; before.len()], vec![0.0; before.len()]);
    let mut hidden = vec![0.0; before.len()];
    let samples = gates
        .chunks_exact_mut(4 * size)
        .zip(of_input.chunks_exact(4 * size))
        .zip(of_hidden.chunks_exact(4 * size))
        .zip(before.chunks_exact(size))
        .zip(memory.chunks_exact_mut(size))
        .zip(tangent.chunks_exact_mut(size))
        .zip(hidden.chunks_exact_mut(size));
    for ((((((gates, of_input), of_hidden), before), memory), tangent), hidden) in samples {
        wide(Forward {
            gates,
            of_input,
            of_hidden,
            before,
            memory,
            tangent,
            hidden,
        });
    }
    (gates, memory, tangent, hidden)
}

impl Walk {
    /// The hidden states in the order of the input, then the last hidden state and cell state.
    pub(crate) fn outputs(&self, times: &[usize]) -> Result<Tensor> {
        let mut all: Vec<(usize, &Tensor)> = times
            .iter()
            .copied()
            .zip(self.steps.iter().map(|it| &it.hidden))
            .collect();
        all.sort_by_key(|(at, _)| *at);
        let mut all: Vec<Tensor> = all.into_iter().map(|(_, it)| it.clone()).collect();
        if let Some(last) = self.steps.last() {
            all.push(last.hidden.clone());
            all.push(tensor(last.memory.clone(), &self.shape)?);
        }
        Tensor::stack(&all, 0)
    }
}
