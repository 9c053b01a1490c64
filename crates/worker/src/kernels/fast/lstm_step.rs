//! One step of an LSTM for some samples, forward and back: the gates of a sample in one pass.
//!
//! The gates i, f, g and o of a sample are beside each other.

use super::floats::wide;
use super::functions::{sigmoid, tanh};
use pulp::NullaryFnOnce;

/// A step forward.
pub(super) struct Forward<'a> {
    /// Before activation; they are activated.
    pub(super) gates: &'a mut [f32],
    /// The cell state before.
    pub(super) before: &'a [f32],
    /// The cell state after, and its tangent.
    pub(super) memory: &'a mut [f32],
    pub(super) tangent: &'a mut [f32],
    pub(super) hidden: &'a mut [f32],
    pub(super) size: usize,
}

impl Forward<'_> {
    pub(super) fn run(self) {
        let size = self.size.max(1);
        let samples = self
            .gates
            .chunks_exact_mut(4 * size)
            .zip(self.before.chunks_exact(size))
            .zip(self.memory.chunks_exact_mut(size))
            .zip(self.tangent.chunks_exact_mut(size))
            .zip(self.hidden.chunks_exact_mut(size));
        for ((((gates, before), memory), tangent), hidden) in samples {
            wide(OneForward(Forward {
                gates,
                before,
                memory,
                tangent,
                hidden,
                size,
            }));
        }
    }
}

/// The same for one sample.
struct OneForward<'a>(Forward<'a>);

impl NullaryFnOnce for OneForward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let it = self.0;
        let (input_forget, rest) = it.gates.split_at_mut(2 * it.size);
        let (new, output) = rest.split_at_mut(it.size);
        for gate in input_forget.iter_mut() {
            *gate = sigmoid(*gate);
        }
        for gate in new.iter_mut() {
            *gate = tanh(*gate);
        }
        for gate in output.iter_mut() {
            *gate = sigmoid(*gate);
        }
        let (input, forget) = input_forget.split_at(it.size);
        let memory = it.memory.iter_mut().zip(it.before);
        let parts = input.iter().zip(forget).zip(&*new);
        for ((memory, before), ((i, f), g)) in memory.zip(parts) {
            *memory = f * before + i * g;
        }
        for (tangent, memory) in it.tangent.iter_mut().zip(&*it.memory) {
            *tangent = tanh(*memory);
        }
        let hidden = it.hidden.iter_mut().zip(&*it.tangent);
        for ((hidden, tangent), o) in hidden.zip(&*output) {
            *hidden = o * tangent;
        }
    }
}

/// A step back.
pub(super) struct Backward<'a> {
    /// Gradients of the gates before activation.
    pub(super) into: &'a mut [f32],
    /// Gradient of the cell state after the step; becomes that of the state before.
    pub(super) of_memory: &'a mut [f32],
    pub(super) of_hidden: &'a [f32],
    pub(super) gates: &'a [f32],
    pub(super) tangent: &'a [f32],
    pub(super) before: &'a [f32],
    pub(super) size: usize,
}

impl Backward<'_> {
    pub(super) fn run(self) {
        let size = self.size.max(1);
        let samples = self
            .into
            .chunks_exact_mut(4 * size)
            .zip(self.of_memory.chunks_exact_mut(size))
            .zip(self.of_hidden.chunks_exact(size))
            .zip(self.gates.chunks_exact(4 * size))
            .zip(self.tangent.chunks_exact(size))
            .zip(self.before.chunks_exact(size));
        for (((((into, of_memory), of_hidden), gates), tangent), before) in samples {
            wide(OneBackward(Backward {
                into,
                of_memory,
                of_hidden,
                gates,
                tangent,
                before,
                size,
            }));
        }
    }
}

/// The same for one sample.
struct OneBackward<'a>(Backward<'a>);

impl NullaryFnOnce for OneBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let it = self.0;
        let (first, second) = it.into.split_at_mut(2 * it.size);
        let (of_input, of_forget) = first.split_at_mut(it.size);
        let (of_new, of_output) = second.split_at_mut(it.size);
        let (first, second) = it.gates.split_at(2 * it.size);
        let ((input, forget), (new, output)) = (first.split_at(it.size), second.split_at(it.size));
        let memory = it.of_memory.iter_mut().zip(it.of_hidden);
        for ((of_memory, of_hidden), (tangent, o)) in memory.zip(it.tangent.iter().zip(output)) {
            *of_memory += of_hidden * o * (1.0 - tangent * tangent);
        }
        let others = it.of_hidden.iter().zip(it.tangent);
        for ((to, o), (of_hidden, tangent)) in of_output.iter_mut().zip(output).zip(others) {
            *to = of_hidden * tangent * o * (1.0 - o);
        }
        let others = it.of_memory.iter().zip(it.before);
        for ((to, f), (of_memory, before)) in of_forget.iter_mut().zip(forget).zip(others) {
            *to = of_memory * before * f * (1.0 - f);
        }
        let others = it.of_memory.iter().zip(new);
        for ((to, i), (of_memory, g)) in of_input.iter_mut().zip(input).zip(others) {
            *to = of_memory * g * i * (1.0 - i);
        }
        let others = it.of_memory.iter().zip(input);
        for ((to, g), (of_memory, i)) in of_new.iter_mut().zip(new).zip(others) {
            *to = of_memory * i * (1.0 - g * g);
        }
        for (of_memory, f) in it.of_memory.iter_mut().zip(forget) {
            *of_memory *= f;
        }
    }
}
