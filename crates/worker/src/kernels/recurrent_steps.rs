//! The steps of a recurrent layer one by one, by products and functions of elements, or by our own LSTM on the host.

use super::elementwise::at_least_float32;
use super::fast::{self, Lstm, LstmStates};
use super::host::KernelResult;
use super::recurrent::{Cell, Order, RecurrentLayer};
use crate::error::TorchError;
use candle_core::{D, Device, Result, Tensor};

/// A layer with its tensors, in a type that the host computes in.
pub(super) struct Layer {
    cell: Cell,
    order: Order,
    wants_input: bool,
    /// (steps, batch, width)
    input: Tensor,
    /// The first hidden state, and cell state: (batch, hidden).
    state: Vec<Tensor>,
    weight_input: Tensor,
    weight_hidden: Tensor,
    bias: Option<[Tensor; 2]>,
    /// 1 where a sequence has this step, else 0: (batch, 1) for each step; nothing if all are as long.
    open: Option<Vec<Tensor>>,
}

/// What a step keeps for backward.
struct Step {
    /// The state before.
    before: Vec<Tensor>,
    /// The activated gates, (batch, hidden) each. Of a GRU: r, z, n.
    gates: Vec<Tensor>,
    /// Of an LSTM the tangent of the cell state, of a GRU the hidden part of n.
    inner: Option<Tensor>,
}

/// The gradients of one step.
struct StepGrads {
    /// Of the gates before activation, as the input's product adds to them.
    input: Tensor,
    /// The same as the hidden state's product adds to them.
    hidden: Tensor,
    /// Of the state before, without what goes through the product.
    state: Vec<Tensor>,
}

/// The steps, their results, and the last state.
struct Walk {
    steps: Vec<Step>,
    outputs: Vec<Tensor>,
    state: Vec<Tensor>,
}

fn lost() -> TorchError {
    TorchError::runtime("a recurrent layer needs more tensors")
}

impl Layer {
    pub(super) fn of(layer: RecurrentLayer<'_>) -> std::result::Result<Self, TorchError> {
        let RecurrentLayer {
            cell,
            order,
            lengths,
            wants_input,
            tensors,
        } = layer;
        let wide = |it: &Tensor| it.to_dtype(at_least_float32(it.dtype()));
        let all: Vec<Tensor> = tensors.iter().map(|it| wide(it)).collect::<Result<_>>()?;
        let (input, rest) = all.split_first().ok_or_else(lost)?;
        let (state, rest) = rest.split_at(cell.states().min(rest.len()));
        let [weight_input, weight_hidden, bias @ ..] = rest else {
            return Err(lost());
        };
        let open = match lengths {
            None => None,
            Some(lengths) => Some(open(lengths, input)?),
        };
        Ok(Self {
            cell,
            order,
            wants_input,
            input: input.clone(),
            state: state.to_vec(),
            weight_input: weight_input.clone(),
            weight_hidden: weight_hidden.clone(),
            bias: match bias {
                [first, second, ..] => Some([first.clone(), second.clone()]),
                _ => None,
            },
            open,
        })
    }

    /// The hidden states of all steps, then the last state: (steps + states, batch, hidden). Our own kernels leave states for
    /// backward.
    pub(super) fn forward(&self) -> std::result::Result<(Tensor, Option<LstmStates>), TorchError> {
        if let Some(lstm) = self.lstm()?
            && let Some(walk) = lstm.walk()
        {
            let walk = walk?;
            return Ok((walk.outputs.clone(), Some(walk)));
        }
        let Walk {
            mut outputs, state, ..
        } = self.walk()?;
        if self.order == Order::Backward {
            outputs.reverse();
        }
        outputs.extend(state);
        Ok((Tensor::stack(&outputs, 0)?, None))
    }

    /// The gradients of all tensors, flattened and joined, given those of what [`Self::forward`] gives.
    pub(super) fn backward(&self, grad: &Tensor, states: Option<LstmStates>) -> KernelResult {
        let count = self.input.dim(0)?;
        let grad = grad.to_dtype(self.input.dtype())?.contiguous()?;
        if let Some(lstm) = self.lstm()? {
            let walk = match states {
                Some(states) => Some(states),
                None => lstm.walk().transpose()?,
            };
            if let Some(back) = walk.and_then(|walk| lstm.back(&walk, &grad)) {
                let back = back?;
                let gates = [back.gates];
                return self.joined(&gates, &gates, &[back.before], back.state.into());
            }
        }
        let Walk { steps, .. } = self.walk()?;
        let mut of_state: Vec<Tensor> = (0..self.cell.states())
            .map(|at| grad.get(count + at))
            .collect::<Result<_>>()?;
        let (mut of_input, mut of_hidden, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for (at, step) in self.times(count).into_iter().zip(&steps).rev() {
            let output = grad.get(at)?;
            let mut coming = of_state.clone();
            let first = coming.first_mut().ok_or_else(lost)?;
            *first = (&*first + self.opened(&output, at)?)?;
            let coming = coming
                .iter()
                .map(|it| self.opened(it, at))
                .collect::<Result<Vec<_>>>()?;
            let own = self.step_back(step, &coming)?;
            let through = own.hidden.matmul(&self.weight_hidden)?;
            let mut next = own.state;
            let first = next.first_mut().ok_or_else(lost)?;
            *first = (&*first + through)?;
            // A sequence that has ended passes its gradient on as it is.
            of_state = next
                .iter()
                .zip(&of_state)
                .map(|(new, old)| new + (old - self.opened(old, at)?)?)
                .collect::<Result<_>>()?;
            of_input.push((at, own.input));
            of_hidden.push(own.hidden);
            before.push(step.before.first().ok_or_else(lost)?.clone());
        }
        of_input.sort_by_key(|(at, _)| *at);
        let of_input: Vec<Tensor> = of_input.into_iter().map(|(_, it)| it).collect();
        self.joined(&of_input, &of_hidden, &before, of_state)
    }

    /// The gradients of input, states, weights and biases, from those of the steps.
    fn joined(
        &self,
        of_input: &[Tensor],
        of_hidden: &[Tensor],
        before: &[Tensor],
        of_state: Vec<Tensor>,
    ) -> KernelResult {
        let of_input = joined_rows(of_input)?;
        let of_hidden = joined_rows(of_hidden)?;
        let rows = self.input.flatten(0, 1)?;
        let mut all = vec![if self.wants_input {
            of_input.matmul(&self.weight_input)?
        } else {
            self.input.zeros_like()?
        }];
        all.extend(of_state);
        all.push(of_input.t()?.matmul(&rows.contiguous()?)?);
        let before = joined_rows(before)?;
        all.push(of_hidden.t()?.matmul(&before)?);
        if self.bias.is_some() {
            let of_bias = fast::sum(&of_input, &[0])?;
            all.push(of_bias.clone());
            // The gates of an LSTM have one gradient.
            all.push(if of_hidden.id() == of_input.id() {
                of_bias
            } else {
                fast::sum(&of_hidden, &[0])?
            });
        }
        let flat: Vec<Tensor> = all.iter().map(Tensor::flatten_all).collect::<Result<_>>()?;
        Ok(Tensor::cat(&flat, 0)?)
    }

    /// The steps in their order in time.
    fn times(&self, count: usize) -> Vec<usize> {
        match self.order {
            Order::Forward => (0..count).collect(),
            Order::Backward => (0..count).rev().collect(),
        }
    }

    /// The elements of sequences that have this step, 0 of the others.
    fn opened(&self, a: &Tensor, at: usize) -> Result<Tensor> {
        match self.open.as_ref().and_then(|it| it.get(at)) {
            Some(open) => a.broadcast_mul(open),
            None => Ok(a.clone()),
        }
    }

    /// The layer for our own kernels, which have an LSTM over sequences of one length.
    fn lstm(&self) -> Result<Option<Lstm>> {
        let ([hidden, memory], Cell::Lstm, None) = (self.state.as_slice(), self.cell, &self.open)
        else {
            return Ok(None);
        };
        let bias = match &self.bias {
            Some([first, second]) => fast::add(first, second)?,
            None => self
                .weight_hidden
                .narrow(1, 0, 1)?
                .flatten_all()?
                .zeros_like()?,
        };
        Ok(Some(Lstm {
            input: self.input.contiguous()?,
            weight_input: self.weight_input.contiguous()?,
            weight: self.weight_hidden.contiguous()?,
            bias,
            state: [hidden.contiguous()?, memory.contiguous()?],
            times: self.times(self.input.dim(0)?),
        }))
    }

    /// The products of the inputs of all steps: (steps · batch, gates · hidden).
    fn products(&self) -> Result<Tensor> {
        let (count, batch, width) = self.input.dims3()?;
        let rows = self.input.reshape((count * batch, width))?;
        rows.matmul(&self.weight_input.t()?)
    }

    fn walk(&self) -> std::result::Result<Walk, TorchError> {
        let (count, batch, _) = self.input.dims3()?;
        let mut all = self.products()?;
        if let Some([bias, _]) = &self.bias {
            all = all.broadcast_add(bias)?;
        }
        let all = all.reshape((count, batch, ()))?;
        let mut state = self.state.clone();
        let (mut steps, mut outputs) = (Vec::new(), Vec::new());
        for at in self.times(count) {
            let hidden = state.first().ok_or_else(lost)?;
            let mut product = hidden.contiguous()?.matmul(&self.weight_hidden.t()?)?;
            if let Some([_, bias]) = &self.bias {
                product = product.broadcast_add(bias)?;
            }
            let (step, new) = self.step(&all.get(at)?, &product, &state)?;
            outputs.push(self.opened(new.first().ok_or_else(lost)?, at)?);
            // A sequence that has ended keeps its state.
            state = match &self.open {
                None => new,
                Some(_) => new
                    .iter()
                    .zip(&state)
                    .map(|(new, old)| old + self.opened(&(new - old)?, at)?)
                    .collect::<Result<_>>()?,
            };
            steps.push(step);
        }
        Ok(Walk {
            steps,
            outputs,
            state,
        })
    }

    /// One step: the products of input and hidden state, and the state before, give the state after.
    fn step(
        &self,
        of_input: &Tensor,
        of_hidden: &Tensor,
        before: &[Tensor],
    ) -> std::result::Result<(Step, Vec<Tensor>), TorchError> {
        let sigmoid = candle_nn::ops::sigmoid;
        let parts = |it: &Tensor| it.chunk(self.cell.gates(), D::Minus1);
        let (gates, inner, after) = match (self.cell, before) {
            (Cell::Lstm, [_, memory]) => {
                let all = parts(&(of_input + of_hidden)?)?;
                let [i, f, g, o] = all.as_slice() else {
                    return Err(lost());
                };
                let (i, f, g, o) = (sigmoid(i)?, sigmoid(f)?, g.tanh()?, sigmoid(o)?);
                let memory = ((&f * memory)? + (&i * &g)?)?;
                let tangent = memory.tanh()?;
                let hidden = (&o * &tangent)?;
                (vec![i, f, g, o], Some(tangent), vec![hidden, memory])
            }
            (Cell::Gru, [hidden]) => {
                let (input, product) = (parts(of_input)?, parts(of_hidden)?);
                let ([xr, xz, xn], [hr, hz, hn]) = (input.as_slice(), product.as_slice()) else {
                    return Err(lost());
                };
                let (reset, keep) = (sigmoid(&(xr + hr)?)?, sigmoid(&(xz + hz)?)?);
                let new = (xn + (&reset * hn)?)?.tanh()?;
                let after = (&new + (&keep * (hidden - &new)?)?)?;
                (vec![reset, keep, new], Some(hn.clone()), vec![after])
            }
            (Cell::Tanh, _) => {
                let after = (of_input + of_hidden)?.tanh()?;
                (vec![after.clone()], None, vec![after])
            }
            (Cell::Relu, _) => {
                let after = (of_input + of_hidden)?.relu()?;
                (vec![after.clone()], None, vec![after])
            }
            (Cell::Lstm | Cell::Gru, _) => return Err(lost()),
        };
        let before = before.to_vec();
        Ok((
            Step {
                before,
                gates,
                inner,
            },
            after,
        ))
    }

    /// Back through one step, given the gradients of the state after it.
    fn step_back(
        &self,
        step: &Step,
        coming: &[Tensor],
    ) -> std::result::Result<StepGrads, TorchError> {
        let Step {
            before,
            gates,
            inner,
        } = step;
        // The slopes of sigmoid and tanh at their results.
        let of_sigmoid = |it: &Tensor| it * (1.0 - it)?;
        let of_tanh = |it: &Tensor| 1.0 - it.sqr()?;
        match (
            self.cell,
            gates.as_slice(),
            before.as_slice(),
            coming,
            inner,
        ) {
            (Cell::Lstm, [i, f, g, o], [_, memory], [hidden, of_memory], Some(tangent)) => {
                let of_memory = (of_memory + (hidden * (o * of_tanh(tangent)?)?)?)?;
                let all = [
                    ((&of_memory * g)? * of_sigmoid(i)?)?,
                    ((&of_memory * memory)? * of_sigmoid(f)?)?,
                    ((&of_memory * i)? * of_tanh(g)?)?,
                    ((hidden * tangent)? * of_sigmoid(o)?)?,
                ];
                let all = Tensor::cat(&all, D::Minus1)?;
                Ok(StepGrads {
                    input: all.clone(),
                    hidden: all,
                    state: vec![hidden.zeros_like()?, (of_memory * f)?],
                })
            }
            (Cell::Gru, [r, z, n], [hidden], [grad], Some(inner)) => {
                let of_n = ((grad * (1.0 - z)?)? * of_tanh(n)?)?;
                let of_z = ((grad * (hidden - n)?)? * of_sigmoid(z)?)?;
                let of_r = ((&of_n * inner)? * of_sigmoid(r)?)?;
                let through = (&of_n * r)?;
                Ok(StepGrads {
                    input: Tensor::cat(&[&of_r, &of_z, &of_n], D::Minus1)?,
                    hidden: Tensor::cat(&[&of_r, &of_z, &through], D::Minus1)?,
                    state: vec![(grad * z)?],
                })
            }
            (Cell::Tanh | Cell::Relu, [after], _, [grad], _) => {
                let slope = if self.cell == Cell::Tanh {
                    of_tanh(after)?
                } else {
                    after.gt(0.0)?.to_dtype(after.dtype())?
                };
                let all = (grad * slope)?;
                Ok(StepGrads {
                    input: all.clone(),
                    hidden: all,
                    state: vec![grad.zeros_like()?],
                })
            }
            (Cell::Lstm | Cell::Gru | Cell::Tanh | Cell::Relu, ..) => Err(lost()),
        }
    }
}

fn joined_rows(parts: &[Tensor]) -> Result<Tensor> {
    match parts {
        [only] => Ok(only.clone()),
        _ => Tensor::cat(parts, 0),
    }
}

/// Which sequences have which steps.
fn open(lengths: &[usize], input: &Tensor) -> Result<Vec<Tensor>> {
    let on = |at: usize| {
        let has: Vec<f32> = lengths
            .iter()
            .map(|it| if at < *it { 1.0 } else { 0.0 })
            .collect();
        Tensor::from_vec(has, (lengths.len(), 1), &Device::Cpu)?
            .to_device(input.device())?
            .to_dtype(input.dtype())
    };
    (0..input.dim(0)?).map(on).collect()
}
