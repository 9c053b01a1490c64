//! A step of an optimizer over many tensors: one launch, in which nothing but parameters and states is written.

use super::floats;
use super::launch::{Argument, Grid, Module, address_of, launch};
use candle_core::{Result, Tensor};

/// As many as the arguments of a kernel have room for; `optimizers.cu` has the same number.
const MOST: usize = 48;

/// The lists of tensors: parameters, gradients, and up to three of states.
const LISTS: usize = 5;

/// The step of an optimizer that has a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FusedKernel<'a> {
    /// `adam` or `sgd`.
    pub(crate) name: &'a str,
    /// The numbers of `AdamNumbers` or `SgdNumbers`, then their flags.
    pub(crate) constants: &'a [f64],
    pub(crate) flags: &'a [bool],
}

/// One parameter's tensors, in row-major order, of which only the gradient is read; and the numbers that are its own.
#[derive(Debug)]
pub(crate) struct FusedTensors {
    pub(crate) lists: [Option<Tensor>; LISTS],
    pub(crate) numbers: [f64; 2],
}

/// Takes the step.
pub(crate) fn step(kernel: FusedKernel<'_>, all: &[FusedTensors]) -> Result<()> {
    let mut constants: Vec<u64> = kernel.constants.iter().map(|it| it.to_bits()).collect();
    // Two flags of 32 bits in each word.
    constants.extend(kernel.flags.chunks(2).map(|pair| {
        let bits = pair.iter().map(|it| u64::from(*it));
        bits.rev().fold(0, |all, bit| all << 32 | bit)
    }));
    for some in all.chunks(MOST) {
        launch_some(kernel.name, &constants, some)?;
    }
    Ok(())
}

fn launch_some(name: &str, constants: &[u64], some: &[FusedTensors]) -> Result<()> {
    let mut words = [0; (LISTS + 3) * MOST];
    let mut put = |list: usize, at: usize, word: u64| {
        if let Some(it) = words.get_mut(list * MOST + at) {
            *it = word;
        }
    };
    let mut largest = 0;
    let mut on = None;
    for (at, own) in some.iter().enumerate() {
        for (list, tensor) in own.lists.iter().enumerate() {
            if let Some(tensor) = tensor {
                put(1 + list, at, address_of(tensor)?);
                put(0, at, tensor.elem_count() as u64);
                largest = largest.max(tensor.elem_count());
                on = Some(tensor);
            }
        }
        for (which, number) in own.numbers.iter().enumerate() {
            put(1 + LISTS + which, at, number.to_bits());
        }
    }
    let Some((first, suffix)) = on.and_then(|it| Some((it, floats(it.dtype())?))) else {
        return Ok(());
    };
    let grid = Grid {
        rows: u32::try_from(some.len()).unwrap_or(1),
        ..Grid::over(largest)
    };
    let kernel = format!("{name}_{suffix}");
    let arguments = [Argument::Words(&words), Argument::Words(constants)];
    launch(
        first.device(),
        (Module::Optimizers, &kernel),
        grid,
        &arguments,
    )
}
