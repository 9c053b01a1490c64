//! Where the elements of each lane would be if they were sorted.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{on_one_card, suffix};
use crate::kernels::fast::{Ranks, contiguous};
use candle_core::{D, DType, Result, Tensor};

/// Rows that are sorted whole have this many elements at most; `ranking.cu` has the same number.
const MOST: usize = 2048;

/// The first so many places of longer rows are found one after the other.
const MOST_FIRST: usize = 128;

/// The places of these ranks along a dimension; nothing on the host, for other types, or if no kernel finds so many.
pub(crate) fn ranked(a: &Tensor, dim: usize, ranks: Ranks) -> Option<Result<Tensor>> {
    if !on_one_card(&[a]) || a.rank() == 0 {
        return None;
    }
    let suffix = suffix(a.dtype())?;
    let size = *a.dims().get(dim)?;
    let Ranks {
        descending,
        from,
        to,
        nan_instead,
    } = ranks;
    let count = to.saturating_sub(from);
    let is_first = from == 0 && !nan_instead && count <= MOST_FIRST;
    // Few places of a short row are also found faster than the row is sorted.
    let by_selection = is_first && (size > MOST || count <= 4);
    if count == 0 || (!by_selection && size > MOST) {
        return None;
    }
    let made = || {
        let rows = contiguous(&a.transpose(dim, D::Minus1)?)?;
        let mut shape = rows.dims().to_vec();
        if let Some(last) = shape.last_mut() {
            *last = count;
        }
        let out = memory(shape, DType::I64, a.device())?;
        let all = rows.elem_count() / size;
        let numbers = [all, size, from, count];
        let [all_rows, width, start, places] = numbers.map(narrow);
        let (width, places) = (Argument::U32(width?), Argument::U32(places?));
        let (all_rows, start) = (Argument::U32(all_rows?), Argument::U32(start?));
        let order = Argument::U32(descending.into());
        let (out_data, data) = (Argument::Data(&out), Argument::Data(&rows));
        if by_selection {
            let arguments = [all_rows, width, places, order, out_data, data];
            let kernel = format!("first_places_{suffix}");
            let grid = Grid::of_rows(all, size.div_ceil(4))?;
            launch(a.device(), (Module::Ranking, &kernel), grid, &arguments)?;
        } else {
            let nan = Argument::U32(nan_instead.into());
            let arguments = [all_rows, width, start, places, order, nan, out_data, data];
            let kernel = format!("sorted_places_{suffix}");
            let grid = Grid::of_rows(all, size.next_power_of_two() / 2)?;
            launch(a.device(), (Module::Ranking, &kernel), grid, &arguments)?;
        }
        contiguous(&out.transpose(dim, D::Minus1)?)
    };
    Some(made())
}
