//! Batch norm and group norm: a kernel that sums over rows, and one for each element.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{floats, on_one_card, wide_type};
use crate::kernels::fast::contiguous;
use candle_core::{Device, Result, Tensor};

/// What is normalized: a batch of channels, each channel over the batch or in groups of channels of a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channels {
    /// How many groups the channels of a sample are; nothing for each channel over the batch.
    pub(crate) groups: Option<usize>,
    pub(crate) eps: f64,
}

/// Numbers for each channel that a normalization is given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given<'a> {
    /// Mean and variance in place of those of the input.
    pub(crate) statistics: Option<[&'a Tensor; 2]>,
    pub(crate) weight: Option<&'a Tensor>,
    pub(crate) bias: Option<&'a Tensor>,
    /// What [`channel_affine`] made of gradient and input.
    pub(crate) sums: Option<&'a Tensor>,
}

/// Most blocks that share a row: the next kernel joins their sums in a warp.
const MOST_PARTS: usize = 32;

/// Threads of a block.
const THREADS: usize = 256;

/// Where the rows of an input are, as kernels take it (`Rows` in `channels.cuh`).
struct ChannelRows {
    input: Tensor,
    grad: Option<Tensor>,
    kind: &'static str,
    sizes: [u32; 8],
    /// Packs of elements in a row.
    packs: usize,
    /// Blocks for one share of each row.
    blocks: usize,
    has_lanes: bool,
}

impl ChannelRows {
    /// Nothing if there is no kernel for it. Both tensors are contiguous.
    fn of(it: Channels, input: Tensor, grad: Option<Tensor>) -> Option<Self> {
        let (batch, channels) = (*input.dims().first()?, *input.dims().get(1)?);
        let spatial: usize = input.dims().iter().skip(2).product();
        let (count, outer, inner) = match it.groups {
            Some(groups) => (batch * groups, 1, channels / groups * spatial),
            None => (channels, batch, spatial),
        };
        let kind = floats(input.dtype())?;
        // A warp that reads elements of one channel each would read all others, too.
        let has_lanes = it.groups.is_none() && spatial == 1;
        let wide = 16 / input.dtype().size_in_bytes();
        let is_in_packs = |it: &Tensor| it.layout().start_offset().is_multiple_of(wide);
        let are_in_packs = is_in_packs(&input) && grad.as_ref().is_none_or(is_in_packs);
        let pack = if are_in_packs && spatial.is_multiple_of(wide) && !has_lanes {
            wide
        } else {
            1
        };
        let packs = outer * inner / pack;
        let blocks = if has_lanes { count.div_ceil(32) } else { count };
        let for_full_card = 1024_usize.div_ceil(blocks);
        let each = if has_lanes { 256 } else { 8 * THREADS };
        let parts = (packs / each).clamp(1, MOST_PARTS).min(for_full_card);
        let sizes = [
            count,
            outer,
            inner,
            parts,
            pack,
            usize::from(has_lanes),
            it.groups.unwrap_or(0),
            spatial,
        ];
        // Kernels count the elements of a row in 32 bits.
        u32::try_from(outer * inner).ok()?;
        let mut narrowed = [0; 8];
        for (to, size) in narrowed.iter_mut().zip(sizes) {
            *to = u32::try_from(size).ok()?;
        }
        Some(Self {
            input,
            grad,
            kind,
            sizes: narrowed,
            packs,
            blocks,
            has_lanes,
        })
    }

    fn size(&self, at: usize) -> usize {
        self.sizes.get(at).map_or(1, |it| *it as usize)
    }

    fn on(&self) -> &Device {
        self.input.device()
    }

    /// Each row is shared by so many blocks.
    fn grid(&self, shares: usize) -> Result<Grid> {
        let threads = if self.has_lanes {
            THREADS
        } else {
            self.packs.next_multiple_of(32).clamp(32, THREADS)
        };
        Ok(Grid {
            rows: 1,
            blocks: narrow(self.blocks * shares)?,
            threads: narrow(threads)?,
        })
    }

    /// How many blocks write the elements of a row.
    fn shares(&self) -> usize {
        let each = if self.has_lanes { 128 } else { 4 * THREADS };
        self.packs.div_ceil(each)
    }

    /// A warp for each row.
    fn warps(&self) -> Result<Grid> {
        Ok(Grid {
            rows: 1,
            blocks: narrow(self.size(0).div_ceil(THREADS / 32))?,
            threads: narrow(THREADS)?,
        })
    }

    fn run(&self, name: &str, grid: Grid, arguments: &[Argument<'_>]) -> Result<()> {
        let kernel = format!("{name}_{}", self.kind);
        let all: Vec<Argument<'_>> = [Argument::Sizes(&self.sizes)]
            .into_iter()
            .chain(arguments.iter().copied())
            .collect();
        launch(self.on(), (Module::Channels, &kernel), grid, &all)
    }

    /// The sums of each part of each row; those with gradients are of gradients times the weight.
    fn sums(&self, of_grads: OfGrads<'_>) -> Result<Tensor> {
        let (count, parts) = (self.size(0), self.size(3));
        let out = memory((count, parts, 5), wide_type(self.input.dtype()), self.on())?;
        let (grad, weight) = match of_grads {
            OfGrads::No => (None, &Parameters::NONE),
            OfGrads::Weighted(weight) => (self.grad.as_ref(), weight),
        };
        let arguments = [
            Argument::Data(&out),
            Argument::Data(&self.input),
            data(grad),
            weight.first(),
            weight.is_narrow(),
        ];
        self.run("channel_sums", self.grid(parts)?, &arguments)?;
        Ok(out)
    }
}

/// Whether gradients are summed, too, and times what.
#[derive(Clone, Copy)]
enum OfGrads<'a> {
    No,
    Weighted(&'a Parameters),
}

/// One or two tensors with a number for each channel, of one type.
struct Parameters {
    all: [Option<Tensor>; 2],
    narrow: bool,
}

impl Parameters {
    const NONE: Self = Self {
        all: [None, None],
        narrow: false,
    };

    /// In the type of the input or in the one that kernels compute in.
    fn of(all: [Option<&Tensor>; 2], input: &Tensor) -> Result<Self> {
        let is_narrow = all.iter().flatten().all(|it| it.dtype() == input.dtype());
        let to = if is_narrow {
            input.dtype()
        } else {
            wide_type(input.dtype())
        };
        let [first, second] = all.map(|it| it.map(|it| contiguous(&it.to_dtype(to)?)).transpose());
        Ok(Self {
            all: [first?, second?],
            narrow: is_narrow,
        })
    }

    fn first(&self) -> Argument<'_> {
        let [first, _] = &self.all;
        data(first.as_ref())
    }

    fn second(&self) -> Argument<'_> {
        let [_, second] = &self.all;
        data(second.as_ref())
    }

    fn is_narrow(&self) -> Argument<'static> {
        Argument::U32(self.narrow.into())
    }
}

fn data(it: Option<&Tensor>) -> Argument<'_> {
    it.map_or(Argument::Absent, Argument::Data)
}

/// Runs kernels over the rows of an input; nothing on the host, or if there is no kernel for it.
fn over_rows(
    it: Channels,
    (input, grad): (&Tensor, Option<&Tensor>),
    given: Given<'_>,
    run: impl FnOnce(&ChannelRows) -> Result<Tensor>,
) -> Option<Result<Tensor>> {
    let parameters = given.statistics.into_iter().flatten();
    let mut parameters = parameters.chain(given.weight).chain(given.bias);
    let fits = on_one_card(&[input])
        && grad.is_none_or(|it| on_one_card(&[it]) && it.dtype() == input.dtype())
        && parameters.all(|it| on_one_card(&[it]) && floats(it.dtype()).is_some());
    if !fits {
        return None;
    }
    let ordered = |it: &Tensor| contiguous(it);
    match (ordered(input), grad.map(ordered).transpose()) {
        (Ok(input), Ok(grad)) => ChannelRows::of(it, input, grad).map(|rows| run(&rows)),
        (Err(error), _) | (_, Err(error)) => Some(Err(error)),
    }
}

/// The mean and the unbiased variance of each channel, one behind the other.
pub(crate) fn moments(input: &Tensor) -> Option<Result<Tensor>> {
    let it = Channels {
        groups: None,
        eps: 0.0,
    };
    over_rows(it, (input, None), Given::default(), |rows| {
        let sums = rows.sums(OfGrads::No)?;
        let out = memory((2, rows.size(0)), input.dtype(), rows.on())?;
        let arguments = [Argument::Data(&out), Argument::Data(&sums)];
        rows.run("channel_moments", rows.warps()?, &arguments)?;
        Ok(out)
    })
}

/// The normalized input, times a weight, plus a bias.
pub(crate) fn channel_norm(
    it: Channels,
    input: &Tensor,
    given: Given<'_>,
) -> Option<Result<Tensor>> {
    over_rows(it, (input, None), given, |rows| {
        let statistics = statistics(given, input)?;
        let parameters = Parameters::of([given.weight, given.bias], input)?;
        let sums = match given.statistics {
            Some(_) => None,
            None => Some(rows.sums(OfGrads::No)?),
        };
        let out = memory(input.shape(), input.dtype(), rows.on())?;
        let shares = rows.shares();
        let arguments = [
            Argument::U32(narrow(shares)?),
            Argument::Data(&out),
            Argument::Data(&rows.input),
            data(sums.as_ref()),
            statistics.first(),
            statistics.second(),
            statistics.is_narrow(),
            parameters.first(),
            parameters.second(),
            parameters.is_narrow(),
            Argument::F64(it.eps),
        ];
        rows.run("channel_norm", rows.grid(shares)?, &arguments)?;
        Ok(out)
    })
}

/// The gradient of the input.
pub(crate) fn channel_norm_backward(
    it: Channels,
    [grad, input]: [&Tensor; 2],
    given: Given<'_>,
) -> Option<Result<Tensor>> {
    over_rows(it, (input, Some(grad)), given, |rows| {
        let statistics = statistics(given, input)?;
        let weight = Parameters::of([given.weight, None], input)?;
        let made = given.sums.map(contiguous).transpose()?;
        let sums = match (given.statistics, &made) {
            (Some(_), _) | (None, Some(_)) => None,
            (None, None) => Some(rows.sums(OfGrads::Weighted(&weight))?),
        };
        let out = memory(input.shape(), input.dtype(), rows.on())?;
        let shares = rows.shares();
        let arguments = [
            Argument::U32(narrow(shares)?),
            Argument::Data(&out),
            data(rows.grad.as_ref()),
            Argument::Data(&rows.input),
            data(sums.as_ref()),
            data(made.as_ref()),
            statistics.first(),
            statistics.second(),
            statistics.is_narrow(),
            weight.first(),
            weight.is_narrow(),
            Argument::F64(it.eps),
        ];
        rows.run("channel_norm_backward", rows.grid(shares)?, &arguments)?;
        Ok(out)
    })
}

/// The gradients of weight and bias as two rows, in the type that sums have. Where a mean is of a channel over the batch, the
/// mean and the factor of each are two rows more.
pub(crate) fn channel_affine(
    it: Channels,
    [grad, input]: [&Tensor; 2],
    given: Given<'_>,
) -> Option<Result<Tensor>> {
    over_rows(it, (input, Some(grad)), given, |rows| {
        let channels = input.dim(1)?;
        let has_scale = it.groups.is_none() && given.statistics.is_none();
        let count = if has_scale { 4 } else { 2 };
        let out = memory((count, channels), wide_type(input.dtype()), rows.on())?;
        if it.groups.is_some() {
            let sums = rows.sums(OfGrads::No)?;
            let arguments = [
                Argument::Data(&out),
                data(rows.grad.as_ref()),
                Argument::Data(&rows.input),
                Argument::Data(&sums),
                Argument::F64(it.eps),
            ];
            let blocks = Grid {
                rows: 1,
                blocks: narrow(channels)?,
                threads: narrow(THREADS)?,
            };
            rows.run("channel_affine_of_groups", blocks, &arguments)?;
            return Ok(out);
        }
        let sums = rows.sums(OfGrads::Weighted(&Parameters::NONE))?;
        let statistics = statistics(given, input)?;
        let arguments = [
            Argument::Data(&out),
            Argument::Data(&sums),
            statistics.first(),
            statistics.second(),
            statistics.is_narrow(),
            Argument::U32(has_scale.into()),
            Argument::F64(it.eps),
        ];
        rows.run("channel_affine", rows.warps()?, &arguments)?;
        Ok(out)
    })
}

fn statistics(given: Given<'_>, input: &Tensor) -> Result<Parameters> {
    match given.statistics {
        Some([means, variances]) => Parameters::of([Some(means), Some(variances)], input),
        None => Ok(Parameters::NONE),
    }
}
