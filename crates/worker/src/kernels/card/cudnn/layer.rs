//! A layer of a recurrent network as cuDNN knows it, with its tensors.

use super::ALLOWS_TF32;
use super::descriptors::{Descriptor, data_type, math_type, numbers, sum_type};
use super::handle::Handle;
use super::library::{Failure, call};
use super::weights::WeightSpace;
use crate::kernels::card::launch::{address_of, memory};
use crate::kernels::card::on_one_card;
use crate::kernels::fast::contiguous;
use crate::kernels::recurrent::{Cell, RecurrentLayer};
use candle_core::{DType, Result, Tensor};
use std::ffi::{c_int, c_void};
use std::rc::Rc;

/// Constants of cuDNN: the algorithm, no or two biases, one direction, how the input is taken, the order of sequences, and
/// that they may be of different lengths.
const STANDARD: c_int = 0;
const NO_BIAS: c_int = 0;
const DOUBLE_BIAS: c_int = 2;
const ONE_DIRECTION: c_int = 0;
const LINEAR_INPUT: c_int = 0;
const STEPS_FIRST: c_int = 0;
const PADDED: u32 = 1;

/// What forward is for: that there is a backward.
pub(super) const TRAINING: c_int = 1;

/// What lies behind the end of a sequence in the result: zero in each type.
static PADDING: f64 = 0.0;

impl Cell {
    fn mode(self) -> c_int {
        match self {
            Self::Relu => 0,
            Self::Tanh => 1,
            Self::Lstm => 2,
            Self::Gru => 3,
        }
    }
}

pub(super) struct Layer {
    pub(super) handle: Rc<Handle>,
    pub(super) cell: Cell,
    pub(super) network: Descriptor,
    pub(super) input: Descriptor,
    pub(super) output: Descriptor,
    pub(super) state: Descriptor,
    /// Nothing is dropped; the descriptor of the network wants it.
    _dropout: Descriptor,
    /// In row-major order.
    pub(super) tensors: Vec<Tensor>,
    pub(super) dtype: DType,
    /// Steps, batch, width and hidden size.
    pub(super) sizes: [usize; 4],
    pub(super) weights: WeightSpace,
    pub(super) weight_memory: Tensor,
    pub(super) workspace: usize,
    pub(super) reserve: usize,
}

impl Layer {
    /// A layer from the first step to the last; nothing on the host, without cuDNN, and for other types.
    pub(super) fn of(layer: RecurrentLayer<'_>) -> Option<std::result::Result<Self, Failure>> {
        let input = *layer.tensors.first()?;
        let stored = data_type(input.dtype())?;
        let is_alike = layer.tensors.iter().all(|it| it.dtype() == input.dtype());
        if !is_alike || !on_one_card(layer.tensors) {
            return None;
        }
        let handle = Handle::of(input.device().as_cuda_device().ok()?)?;
        Some(Self::described(handle, layer, stored))
    }

    fn described(
        handle: Rc<Handle>,
        layer: RecurrentLayer<'_>,
        stored: c_int,
    ) -> std::result::Result<Self, Failure> {
        let cell = layer.cell;
        let tensors: Result<Vec<Tensor>> = layer.tensors.iter().map(|it| contiguous(it)).collect();
        let tensors = tensors?;
        let first = 1 + cell.states();
        let (Some(input), Some(hidden_weight)) = (tensors.first(), tensors.get(first + 1)) else {
            return Err(Failure::NotSupported);
        };
        let (steps, batch, width) = input.dims3()?;
        let sizes = [steps, batch, width, hidden_weight.dim(1)?];
        let dtype = input.dtype();
        let dropout = Descriptor::dropout(handle.library)?;
        call!(
            handle.library,
            cudnnSetDropoutDescriptor(dropout.raw, handle.raw, 0.0, 0, 0, 0)
        )?;
        let has_bias = tensors.len() > first + 2;
        let network = network(&handle, (cell, has_bias), (dtype, stored), sizes, &dropout)?;
        let lengths = match layer.lengths {
            Some(lengths) => numbers(lengths)?,
            None => vec![c_int::try_from(steps).unwrap_or(0); batch],
        };
        let [input, output] = [width, sizes[3]]
            .map(|width| sequences(&handle, stored, [steps, batch, width], &lengths));
        let (input, output) = (input?, output?);
        let [workspace, reserve, space] = spaces(&handle, &network, &input)?;
        let weight_memory = memory(space.max(1), DType::U8, hidden_weight.device())?;
        let of_weights: Vec<&Tensor> = tensors.iter().skip(first).collect();
        let at = (address_of(&weight_memory)?, space);
        let weights = WeightSpace::of(&handle, &network, cell.gates(), at, &of_weights)?;
        Ok(Self {
            cell,
            network,
            input,
            output,
            state: Descriptor::tensor(handle.library, stored, &[1, batch, sizes[3]])?,
            _dropout: dropout,
            dtype,
            sizes,
            weights,
            weight_memory,
            workspace,
            reserve,
            handle,
            tensors,
        })
    }

    /// The tensors of weights and biases.
    pub(super) fn of_weights(&self) -> Vec<&Tensor> {
        self.tensors.iter().skip(1 + self.cell.states()).collect()
    }

    /// The addresses of the input and of both states; that of nothing without a cell state.
    pub(super) fn addresses(&self) -> Result<[u64; 3]> {
        let mut all = [0; 3];
        let tensors = self.tensors.iter().take(1 + self.cell.states());
        for (to, tensor) in all.iter_mut().zip(tensors) {
            *to = address_of(tensor)?;
        }
        Ok(all)
    }

    pub(super) fn bytes(&self, elements: usize) -> usize {
        elements * self.dtype.size_in_bytes()
    }
}

fn network(
    handle: &Handle,
    (cell, has_bias): (Cell, bool),
    (dtype, stored): (DType, c_int),
    sizes: [usize; 4],
    dropout: &Descriptor,
) -> std::result::Result<Descriptor, Failure> {
    let [_, _, width, hidden] = numbers(&sizes)?.try_into().unwrap_or([0; 4]);
    let network = Descriptor::recurrent(handle.library)?;
    call!(
        handle.library,
        cudnnSetRNNDescriptor_v8(
            network.raw,
            STANDARD,
            cell.mode(),
            if has_bias { DOUBLE_BIAS } else { NO_BIAS },
            ONE_DIRECTION,
            LINEAR_INPUT,
            stored,
            sum_type(dtype),
            math_type(dtype, ALLOWS_TF32.get()),
            width,
            hidden,
            hidden,
            1,
            dropout.raw,
            PADDED
        )
    )?;
    Ok(network)
}

/// Sequences of (steps, batch, width).
fn sequences(
    handle: &Handle,
    stored: c_int,
    sizes: [usize; 3],
    lengths: &[c_int],
) -> std::result::Result<Descriptor, Failure> {
    let [steps, batch, width] = numbers(&sizes)?.try_into().unwrap_or([0; 3]);
    let padding: *const c_void = (&raw const PADDING).cast();
    let it = Descriptor::sequences(handle.library)?;
    call!(
        handle.library,
        cudnnSetRNNDataDescriptor(
            it.raw,
            stored,
            STEPS_FIRST,
            steps,
            batch,
            width,
            lengths.as_ptr(),
            padding
        )
    )?;
    Ok(it)
}

/// Bytes of the workspace, of the reserve, and of the weights.
fn spaces(
    handle: &Handle,
    network: &Descriptor,
    input: &Descriptor,
) -> std::result::Result<[usize; 3], Failure> {
    let (mut workspace, mut reserve, mut weights) = (0, 0, 0);
    call!(
        handle.library,
        cudnnGetRNNTempSpaceSizes(
            handle.raw,
            network.raw,
            TRAINING,
            input.raw,
            &raw mut workspace,
            &raw mut reserve
        )
    )?;
    call!(
        handle.library,
        cudnnGetRNNWeightSpaceSize(handle.raw, network.raw, &raw mut weights)
    )?;
    Ok([workspace, reserve, weights])
}
