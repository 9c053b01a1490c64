//! Reductions over any dimensions of tensors with any strides, in one launch or, for few results of many elements, two.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::walk::Walk;
use super::{on_one_card, suffix};
use candle_core::{DType, Result, Tensor};

/// A reduction that has a kernel: its name there, and the numbers that it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reducer {
    pub(crate) name: &'static str,
    pub(crate) numbers: [f64; 2],
}

impl Reducer {
    pub(crate) const fn named(name: &'static str, numbers: [f64; 2]) -> Self {
        Self { name, numbers }
    }

    /// The type of its results, as the kernel writes them.
    fn result(self, of: DType) -> DType {
        match self.name {
            "sum" | "product" if !of.is_float() => DType::I64,
            "count" | "place_of_largest" | "place_of_smallest" => DType::I64,
            "any" | "all" => DType::U8,
            _ => of,
        }
    }

    /// The end of its name for elements of this type, if it has a kernel for them.
    fn suffix(self, dtype: DType) -> Option<&'static str> {
        /// Those that only floats have.
        const OF_FLOATS: [&str; 6] = [
            "abs_sum",
            "square_sum",
            "power_sum",
            "largest_abs",
            "variance",
            "log_sum_exp",
        ];
        let has_kernel = dtype.is_float() || !OF_FLOATS.contains(&self.name);
        suffix(dtype).filter(|_| has_kernel)
    }
}

/// Which threads of a block take the elements of one result (`Team` in `reduction.cu`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Team {
    Block,
    Warp,
    /// The threads of one lane in all warps: neighbours in memory are of different results.
    Lanes,
}

const THREADS: usize = 256;

/// Blocks that fill any card.
const FULL: usize = 1024;

/// How blocks share results and their elements.
struct Plan {
    results: Walk,
    over: Walk,
    count: usize,
    each: usize,
    parts: usize,
    team: Team,
    pack: usize,
}

impl Plan {
    /// Nothing if no kernel takes so many dimensions or elements.
    fn over(a: &Tensor, dims: &[usize]) -> Option<Self> {
        let side = |is_over: bool| -> (Vec<usize>, Vec<usize>) {
            let all = a.dims().iter().zip(a.stride()).enumerate();
            all.filter(|(dim, _)| dims.contains(dim) == is_over)
                .map(|(_, (size, stride))| (*size, *stride))
                .unzip()
        };
        let ((kept, kept_strides), (sizes, strides)) = (side(false), side(true));
        let (results, over) = (
            Walk::over(&kept, &kept_strides)?,
            Walk::over(&sizes, &strides)?,
        );
        let (count, each): (usize, usize) = (kept.iter().product(), sizes.iter().product());
        // Kernels count both in 32 bits, with room for a last step.
        let fits = |it: usize| it < 1 << 31;
        if !fits(count) || !fits(each) {
            return None;
        }
        let step = |walk: &Walk| {
            walk.dims()
                .next_back()
                .map_or(i64::MAX, |(_, stride)| stride)
        };
        let team = if step(&results) < step(&over) && count > 1 {
            Team::Lanes
        } else if each <= 4 * THREADS && count > 1 {
            Team::Warp
        } else {
            Team::Block
        };
        let wide = 16 / a.dtype().size_in_bytes();
        let pack = if team != Team::Lanes && is_in_packs(a, wide, [&results, &over]) {
            wide
        } else {
            1
        };
        let (blocks, most) = match team {
            Team::Block => (count, each / pack / (8 * THREADS)),
            Team::Warp => (count, 1),
            Team::Lanes => (count.div_ceil(32), each / 64),
        };
        let parts = most.min(FULL.div_ceil(blocks)).max(1);
        Some(Self {
            results,
            over,
            count,
            each,
            parts,
            team,
            pack,
        })
    }

    fn grid(&self) -> Result<Grid> {
        let (units, threads) = match self.team {
            Team::Block => {
                let needed = (self.each / self.pack).next_multiple_of(32);
                (self.count, needed.clamp(32, 2 * THREADS))
            }
            Team::Warp => (self.count.div_ceil(THREADS / 32), THREADS),
            Team::Lanes => (self.count.div_ceil(32), THREADS),
        };
        Ok(Grid {
            rows: 1,
            blocks: narrow(units * self.parts)?,
            threads: narrow(threads)?,
        })
    }

    fn sizes(&self) -> Result<[u32; 8]> {
        let team = match self.team {
            Team::Block => 0,
            Team::Warp => 1,
            Team::Lanes => 2,
        };
        Ok([
            narrow(self.count)?,
            narrow(self.each)?,
            narrow(self.parts)?,
            team,
            narrow(self.pack)?,
            0,
            0,
            0,
        ])
    }
}

/// Whether a thread can read so many elements at once, wherever it begins.
fn is_in_packs(a: &Tensor, wide: usize, [results, over]: [&Walk; 2]) -> bool {
    let wide = wide as i64;
    let is_whole = |it: i64| it % wide == 0;
    let begins_whole = is_whole(a.layout().start_offset() as i64);
    let mut outer = over.dims();
    let Some((size, 1)) = outer.next_back() else {
        return false;
    };
    let is_one_run = over.dims().count() == 1;
    let mut jumps = outer.chain(results.dims()).map(|(_, stride)| stride);
    begins_whole && (is_one_run || is_whole(size.into())) && jumps.all(is_whole)
}

/// Reduces dimensions, which stay with size 1; nothing on the host, or for other types.
pub(crate) fn reduce(it: Reducer, a: &Tensor, dims: &[usize]) -> Option<Result<Tensor>> {
    /// As many bytes as the largest state has.
    const STATE: usize = 32;
    if !on_one_card(&[a]) {
        return None;
    }
    let suffix = it.suffix(a.dtype())?;
    let plan = Plan::over(a, dims)?;
    let made = || {
        let mut shape = a.dims().to_vec();
        for dim in dims {
            if let Some(size) = shape.get_mut(*dim) {
                *size = 1;
            }
        }
        let out = memory(shape, it.result(a.dtype()), a.device())?;
        let states = match plan.parts {
            1 => None,
            parts => Some(memory((plan.count, parts, STATE), DType::U8, a.device())?),
        };
        let [p, q] = it.numbers.map(Argument::F64);
        let sizes = plan.sizes()?;
        let arguments = [
            Argument::Sizes(&sizes),
            Argument::Data(states.as_ref().unwrap_or(&out)),
            Argument::Data(a),
            Argument::Walk(&plan.results),
            Argument::Walk(&plan.over),
            p,
            q,
        ];
        let kernel = format!("reduce_{}_{suffix}", it.name);
        launch(
            a.device(),
            (Module::Reduction, &kernel),
            plan.grid()?,
            &arguments,
        )?;
        if let Some(states) = &states {
            let arguments = [
                Argument::U32(narrow(plan.parts)?),
                Argument::Data(&out),
                Argument::Data(states),
                p,
                q,
            ];
            let blocks = Grid {
                rows: 1,
                blocks: narrow(plan.count)?,
                threads: narrow(plan.parts.next_multiple_of(32).clamp(32, THREADS))?,
            };
            let kernel = format!("join_{}_{suffix}", it.name);
            launch(a.device(), (Module::Reduction, &kernel), blocks, &arguments)?;
        }
        Ok(out)
    };
    Some(made())
}
