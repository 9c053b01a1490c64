//! One launch for the same function of many tensors, as the steps of optimizers have them.
//!
//! Between [`begin`] and [`end`], functions of elements that have such a kernel wait for each other. Nothing may read their
//! results before that; a kernel of our own that comes between is launched behind them.

use super::floats;
use super::functions::Function;
use super::launch::{Argument, Grid, Module, address_of, launch_now};
use candle_core::{DType, Result, Tensor};
use std::cell::RefCell;

/// As many as the arguments of a kernel have room for; `many_tensors.cu` has the same number.
pub(super) const MOST: usize = 64;

/// The functions that have a kernel for many tensors: `STEPS_OF_ONE` and the others in `functions.cuh`.
const FUNCTIONS: [&str; 10] = [
    "sqrt",
    "neg",
    "affine",
    "times",
    "over",
    "maximum",
    "add_alpha",
    "lerp",
    "add_c_mul",
    "add_c_div",
];

/// A function of one tensor of the batch.
struct Entry {
    out: Tensor,
    inputs: Vec<Tensor>,
    numbers: [f64; 2],
}

/// What waits for its launch: one function, one type.
#[derive(Default)]
struct PendingLaunch {
    kernel: Option<(&'static str, DType)>,
    entries: Vec<Entry>,
}

thread_local! {
    static OPEN: RefCell<Option<PendingLaunch>> = const { RefCell::new(None) };
}

/// Functions of elements wait for each other from now on.
pub(crate) fn begin() {
    OPEN.set(Some(PendingLaunch::default()));
}

/// Nothing waits, whatever an earlier run left.
pub(crate) fn forget() {
    OPEN.set(None);
}

/// Launches what waits.
pub(crate) fn end() -> Result<()> {
    let batch = OPEN.take();
    batch.map_or(Ok(()), PendingLaunch::launch)
}

/// Launches what waits, and others may go on to wait.
pub(super) fn flush() -> Result<()> {
    let waiting = OPEN.with_borrow_mut(|open| open.as_mut().map(std::mem::take));
    waiting.map_or(Ok(()), PendingLaunch::launch)
}

/// Lets a function wait for others; gives whether it does.
pub(super) fn join(f: Function, out: &Tensor, inputs: &[&Tensor]) -> Result<bool> {
    let is_open = OPEN.with_borrow(Option::is_some);
    if !is_open || !FUNCTIONS.contains(&f.name) {
        return Ok(false);
    }
    let kernel = Some((f.name, out.dtype()));
    let fits = OPEN.with_borrow(|open| {
        open.as_ref().is_some_and(|it| {
            it.entries.is_empty() || (it.kernel == kernel && it.entries.len() < MOST)
        })
    });
    if !fits {
        flush()?;
    }
    OPEN.with_borrow_mut(|open| {
        if let Some(batch) = open {
            batch.kernel = kernel;
            batch.entries.push(Entry {
                out: out.clone(),
                inputs: inputs.iter().map(|it| (*it).clone()).collect(),
                numbers: f.numbers,
            });
        }
    });
    Ok(true)
}

/// The structure that kernels over many tensors take: sizes, results, inputs and numbers, each of all tensors one after the
/// other.
pub(super) fn words<'a>(
    all: impl Iterator<Item = (&'a Tensor, &'a [Tensor], [f64; 2])>,
) -> Result<[u64; 7 * MOST]> {
    let mut words = [0; 7 * MOST];
    let mut put = |list: usize, at: usize, word: u64| {
        if let Some(it) = words.get_mut(list * MOST + at) {
            *it = word;
        }
    };
    for (at, (out, inputs, numbers)) in all.enumerate() {
        put(0, at, out.elem_count() as u64);
        put(1, at, address_of(out)?);
        for (list, input) in inputs.iter().enumerate() {
            put(2 + list, at, address_of(input)?);
        }
        for (list, number) in numbers.iter().enumerate() {
            put(5 + list, at, number.to_bits());
        }
    }
    Ok(words)
}

impl PendingLaunch {
    fn launch(self) -> Result<()> {
        let (Some((name, dtype)), Some(first)) = (self.kernel, self.entries.first()) else {
            return Ok(());
        };
        let Some(suffix) = floats(dtype) else {
            return Ok(());
        };
        let largest = self.entries.iter().map(|it| it.out.elem_count()).max();
        let blocks = Grid {
            rows: u32::try_from(self.entries.len()).unwrap_or(1),
            ..Grid::over(largest.unwrap_or(1))
        };
        let entries = self.entries.iter();
        let words = words(entries.map(|it| (&it.out, &*it.inputs, it.numbers)))?;
        let kernel = format!("{name}_many_{suffix}");
        let on = first.out.device();
        let arguments = [Argument::Words(&words)];
        launch_now(on, (Module::ManyTensors, &kernel), blocks, &arguments)
    }
}
