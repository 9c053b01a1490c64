//! Where the elements of each lane would be if they were sorted. NaN is the largest, and equal elements stay in order.
//!
//! An element becomes a whole number of the same order, joined with its place: then sorting needs no stable order and no
//! comparison of floats.

use super::copies::contiguous;
use super::floats::{filled, of_type, part, tensor};
use candle_core::{Result, Tensor, WithDType};

/// Which places of the sorted lane are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranks {
    /// Whether the largest comes first.
    pub(crate) descending: bool,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether the first NaN is given in place of them, if there is one.
    pub(crate) nan_instead: bool,
}

/// A type whose elements are compared as whole numbers.
trait SortKey: WithDType {
    /// A whole number joined with a place, of the same order.
    type Joined: Ord + Copy + Send;

    fn joined(self, at: u32, descending: bool) -> Self::Joined;

    fn place(joined: Self::Joined) -> u32;
}

/// Whole numbers of the order of floats: negative ones turned, NaN last, both zeros alike.
fn key32(it: f32) -> u32 {
    let bits = (it + 0.0).to_bits();
    match (it.is_nan(), it < 0.0) {
        (true, _) => u32::MAX,
        (false, true) => !bits,
        (false, false) => bits | 1 << 31,
    }
}

fn key64(it: f64) -> u64 {
    let bits = (it + 0.0).to_bits();
    match (it.is_nan(), it < 0.0) {
        (true, _) => u64::MAX,
        (false, true) => !bits,
        (false, false) => bits | 1 << 63,
    }
}

/// Keys of 32 bits: type, key.
macro_rules! narrow {
    ($($element:ident $key:expr;)*) => {$(
        impl SortKey for $element {
            type Joined = u64;

            #[inline(always)]
            fn joined(self, at: u32, descending: bool) -> u64 {
                let key: u32 = $key(self);
                let key = if descending { !key } else { key };
                u64::from(key) << 32 | u64::from(at)
            }

            #[inline(always)]
            fn place(joined: u64) -> u32 {
                (joined & u64::from(u32::MAX)) as u32
            }
        }
    )*};
}

/// Keys of 64 bits: type, key.
macro_rules! broad {
    ($($element:ident $key:expr;)*) => {$(
        impl SortKey for $element {
            type Joined = (u64, u32);

            #[inline(always)]
            fn joined(self, at: u32, descending: bool) -> (u64, u32) {
                let key: u64 = $key(self);
                (if descending { !key } else { key }, at)
            }

            #[inline(always)]
            fn place((_, at): (u64, u32)) -> u32 {
                at
            }
        }
    )*};
}

narrow! {
    u8 u32::from;
    i16 |it| (i32::from(it)).cast_unsigned() ^ 1 << 31;
    i32 |it: i32| it.cast_unsigned() ^ 1 << 31;
    f32 key32;
}

broad! {
    i64 |it: i64| it.cast_unsigned() ^ 1 << 63;
    f64 key64;
}

/// The places of one lane.
fn of_lane<T: SortKey>(lane: &[T], ranks: Ranks, all: &mut Vec<T::Joined>, out: &mut [i64]) {
    all.clear();
    let pairs = lane.iter().zip(0_u32..);
    all.extend(pairs.map(|(it, at)| it.joined(at, ranks.descending)));
    // Only NaN has no order to itself.
    let nan = lane.iter().position(|it| it.partial_cmp(it).is_none());
    if let (Some(at), true) = (nan, ranks.nan_instead) {
        return out.fill(at as i64);
    }
    let (mut chosen, to) = (&mut **all, ranks.to.min(lane.len()));
    if to < chosen.len() && to > 0 {
        chosen.select_nth_unstable(to - 1);
        chosen = chosen.get_mut(..to).unwrap_or_default();
    }
    if ranks.from > 0 && ranks.from < chosen.len() {
        chosen.select_nth_unstable(ranks.from);
    }
    let chosen = chosen.get_mut(ranks.from..).unwrap_or_default();
    chosen.sort_unstable();
    for (out, it) in out.iter_mut().zip(chosen) {
        *out = i64::from(T::place(*it));
    }
}

/// How many copied elements an element costs that is sorted.
const COST: usize = 32;

fn of_rows<T: SortKey>(a: &Tensor, ranks: Ranks) -> Option<Result<Tensor>> {
    let mut shape = a.dims().to_vec();
    let last = shape.last_mut()?;
    let (width, count) = (*last, ranks.to - ranks.from);
    if u32::try_from(width).is_err() {
        return None;
    }
    *last = count;
    let rows = a.elem_count() / width.max(1);
    let places = of_type([a], |[a]: [&[T]; 1]| {
        let cost = COST * width / count.max(1);
        filled(rows, count, cost, |first, out| {
            let mut all = Vec::with_capacity(width);
            for (row, out) in out.chunks_exact_mut(count.max(1)).enumerate() {
                of_lane(part(a, (first + row) * width, width), ranks, &mut all, out);
            }
        })
    })?;
    Some(tensor(places, &shape))
}

/// The places along a dimension, in lanes of as many as are asked for; nothing for values that are not on the host, and for
/// 16-bit floats.
pub(crate) fn ranked(a: &Tensor, dim: usize, ranks: Ranks) -> Result<Option<Tensor>> {
    if !a.device().is_cpu() {
        return Ok(None);
    }
    let last = a.rank().saturating_sub(1);
    let turned = contiguous(&a.transpose(dim, last)?)?;
    let made = of_rows::<f32>(&turned, ranks)
        .or_else(|| of_rows::<i64>(&turned, ranks))
        .or_else(|| of_rows::<f64>(&turned, ranks))
        .or_else(|| of_rows::<i32>(&turned, ranks))
        .or_else(|| of_rows::<i16>(&turned, ranks))
        .or_else(|| of_rows::<u8>(&turned, ranks));
    let turned_back = |it: Tensor| it.transpose(dim, last)?.contiguous();
    made.transpose()?.map(turned_back).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device};

    fn text(a: &Tensor, dim: usize, descending: bool, (from, to): (usize, usize)) -> String {
        let ranks = Ranks {
            descending,
            from,
            to,
            nan_instead: false,
        };
        let made = ranked(a, dim, ranks).unwrap().unwrap();
        format!(
            "{:?}",
            made.flatten_all().unwrap().to_vec1::<i64>().unwrap()
        )
    }

    #[test]
    fn nan_is_the_largest_and_equal_elements_stay_in_order() {
        let lane = [2.0_f32, -0.0, f32::NAN, 0.0, -3.0, 2.0, f32::INFINITY];
        let a = Tensor::new(&lane, &Device::Cpu).unwrap();
        assert_eq!(text(&a, 0, false, (0, 7)), "[4, 1, 3, 0, 5, 6, 2]");
        assert_eq!(text(&a, 0, true, (0, 7)), "[2, 6, 0, 5, 1, 3, 4]");
        assert_eq!(text(&a, 0, true, (0, 3)), "[2, 6, 0]");
        assert_eq!(text(&a, 0, false, (3, 4)), "[0]");
        let wide = a.to_dtype(DType::F64).unwrap();
        assert_eq!(text(&wide, 0, false, (0, 7)), "[4, 1, 3, 0, 5, 6, 2]");
    }

    #[test]
    fn integers_of_each_type_are_sorted_along_any_dimension() {
        let a = Tensor::new(&[[3_i64, -1], [2, 5], [3, -7]], &Device::Cpu).unwrap();
        for dtype in [DType::I64, DType::I32, DType::I16] {
            let a = a.to_dtype(dtype).unwrap();
            assert_eq!(text(&a, 0, false, (0, 3)), "[1, 2, 0, 0, 2, 1]");
            assert_eq!(text(&a, 1, true, (0, 2)), "[0, 1, 1, 0, 0, 1]");
        }
        let flags = Tensor::new(&[1_u8, 0, 1], &Device::Cpu).unwrap();
        assert_eq!(text(&flags, 0, false, (0, 3)), "[1, 0, 2]");
    }
}
