//! The generators of a run: those of the CPU and of the card, and one for each `torch.Generator`.
//!
//! Without `torch.manual_seed` the seed is 0, so a lab repeats.

use super::context::Context;
use super::random::Random;
use crate::device::TensorDevice;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::philox::{self, BLOCK, Draw, Philox, Sample};
use crate::meta::Meta;
use candle_core::{Device, Tensor as Values};
use rustpython_vm::{PyResult, VirtualMachine};

/// A source of random numbers.
#[derive(Clone, Debug)]
pub(super) enum Generator {
    Cpu(Random),
    Card(Philox),
}

impl Generator {
    fn new(seed: u64, on_card: bool) -> Self {
        if on_card {
            Self::Card(Philox::new(seed))
        } else {
            Self::Cpu(Random::new(seed))
        }
    }

    fn device(&self) -> &'static str {
        match self {
            Self::Cpu(_) => "cpu",
            Self::Card(_) => "cuda",
        }
    }
}

/// The generators by their numbers: 0 is that of the CPU, 1 that of the card.
pub(super) struct Generators {
    all: Vec<Generator>,
    /// Blocks of kernels that draw, as many as the card runs at once; nothing before the first draw.
    most_blocks: Option<u64>,
}

impl Generators {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            all: [false, true].map(|it| Generator::new(seed, it)).into(),
            most_blocks: None,
        }
    }

    /// Adds a generator with this seed; returns its number.
    pub(super) fn open(&mut self, seed: u64, on_card: bool) -> usize {
        self.all.push(Generator::new(seed, on_card));
        self.all.len() - 1
    }

    pub(super) fn get(&mut self, number: usize) -> Option<&mut Generator> {
        self.all.get_mut(number)
    }

    /// Seeds a generator.
    pub(super) fn seed(&mut self, number: usize, seed: u64) {
        if let Some(generator) = self.get(number) {
            let on_card = matches!(generator, Generator::Card(_));
            *generator = Generator::new(seed, on_card);
        }
    }

    /// Exchanges two generators that there are.
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        if one.max(other) < self.all.len() {
            self.all.swap(one, other);
        }
    }

    /// Copies the state of a generator into another.
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        let copied = self.all.get(from).cloned();
        if let (Some(copied), Some(generator)) = (copied, self.get(to)) {
            *generator = copied;
        }
    }
}

/// What a kernel's numbers are drawn from.
pub(super) enum Drawing {
    /// The generator of the CPU with this number.
    Cpu(usize),
    /// What a generator of the card has set aside.
    Card(Vec<Draw>),
}

impl Drawing {
    /// Begins to draw for a tensor; the generator of a card moves on, whether values are kept or not.
    pub(super) fn begin(
        context: &Context,
        (device, generator): (TensorDevice, Option<usize>),
        (sample, meta): (Sample, &Meta),
        vm: &VirtualMachine,
    ) -> PyResult<Self> {
        let size = (meta.dtype.size(), sample.each(meta.dtype));
        let draws = on_card(context, (device, generator), vm, |philox, most| {
            philox.fill(meta.count(), size, most)
        })?;
        Ok(draws.map_or_else(|| Self::Cpu(generator.unwrap_or(0)), Self::Card))
    }

    /// The values of a tensor.
    pub(super) fn values(
        &self,
        context: &Context,
        sample: Sample,
        of: (&[usize], DType),
        on: &Device,
    ) -> Result<Values, TorchError> {
        match self {
            Self::Card(draws) => philox::values(sample, draws, of, on),
            Self::Cpu(number) => on_cpu(context, *number, |random| random.values(sample, of)),
        }
    }
}

/// Draws from a generator of the CPU.
pub(super) fn on_cpu<R>(
    context: &Context,
    number: usize,
    draw: impl FnOnce(&mut Random) -> R,
) -> R {
    match context.generators.borrow_mut().get(number) {
        Some(Generator::Cpu(random)) => draw(random),
        Some(Generator::Card(_)) | None => draw(&mut Random::new(0)),
    }
}

/// Sets aside numbers of the card's generator, or of the one that is given; nothing for the CPU. The function also gets as
/// many blocks as the card runs at once.
pub(super) fn on_card<R>(
    context: &Context,
    (device, generator): (TensorDevice, Option<usize>),
    vm: &VirtualMachine,
    draw: impl FnOnce(&mut Philox, u64) -> R,
) -> PyResult<Option<R>> {
    let own = match device {
        TensorDevice::Cpu => 0,
        TensorDevice::Card(_) => 1,
    };
    let mut generators = context.generators.borrow_mut();
    let most_blocks = match generators.most_blocks {
        _none if own == 0 => 0,
        Some(most) => most,
        None => {
            let card = context.engine.card();
            card.map_or(1, |it| it.blocks_at_once(BLOCK))
        }
    };
    if own == 1 {
        generators.most_blocks = Some(most_blocks);
    }
    let wanted = if own == 0 { "cpu" } else { "cuda" };
    match generators.get(generator.unwrap_or(own)) {
        Some(given) if given.device() != wanted => Err(vm.new_runtime_error(format!(
            "Expected a '{wanted}' device type for generator but found '{}'",
            given.device()
        ))),
        Some(Generator::Card(philox)) => Ok(Some(draw(philox, most_blocks))),
        Some(Generator::Cpu(_)) | None => Ok(None),
    }
}
