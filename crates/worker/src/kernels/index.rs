//! Reading and writing elements at positions that several index tensors name together.

use super::card;
use super::elementwise::sum_type;
use super::fast;
use super::host::{Host, KernelResult, is_on_card};
use super::slices::add_slices;
use crate::error::TorchError;
use crate::shape;
use candle_core::{DType as Stored, Tensor};

/// The elements at these positions of these dimensions.
pub(crate) fn index(host: &Host, a: &Tensor, dims: &[usize], indices: &[&Tensor]) -> KernelResult {
    if is_on_card(a)
        && let Some(made) = card::read_at(a, &card::Positions::of_indices(a.dims(), dims, indices)?)
    {
        return Ok(made?);
    }
    let rows = Rows::of(a, dims)?;
    let positions = Tensor::from_vec(
        rows.positions(host, indices)?,
        shape_of(indices),
        a.device(),
    )?;
    let picked = rows.values.index_select(&positions.flatten_all()?, 0)?;
    let mut sizes = shape_of(indices);
    let front = sizes.len();
    sizes.extend(&rows.rest);
    let picked = picked.reshape(&*sizes)?;
    // The picked dimensions move from the front to where they belong.
    let at = shape::index_at(dims);
    let mut order: Vec<usize> = (front..sizes.len()).collect();
    order.splice(at..at, 0..front);
    Ok(picked.permute(order)?.contiguous()?)
}

/// Whether values are added to the elements at their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accumulate {
    /// They replace the elements; of several values for one position, the last one stays.
    No,
    Yes,
}

/// A copy with values at these positions of these dimensions.
pub(crate) fn index_put(
    host: &Host,
    [a, values]: [&Tensor; 2],
    dims: &[usize],
    indices: &[&Tensor],
    accumulate: Accumulate,
) -> KernelResult {
    if is_on_card(a) {
        let positions = card::Positions::of_indices(a.dims(), dims, indices)?;
        let made = match accumulate {
            Accumulate::Yes => card::added_at(a, values, &positions),
            Accumulate::No => card::written_at(a, values, &positions),
        };
        if let Some(made) = made {
            return Ok(made?);
        }
    }
    let rows = Rows::of(a, dims)?;
    let picked = shape_of(indices);
    let wanted = shape::index(a.dims(), dims, &picked);
    let at = shape::index_at(dims);
    // Picked dimensions to the front, as the rows have them.
    let mut order: Vec<usize> = (at..at + picked.len()).collect();
    order.extend((0..wanted.len()).filter(|dim| !(at..at + picked.len()).contains(dim)));
    let values = values.broadcast_as(&*wanted)?.permute(order)?;
    let count: usize = picked.iter().product();
    let width: usize = rows.rest.iter().product();
    let values = fast::contiguous(&values)?.reshape((count, width))?;
    let positions = rows.positions(host, indices)?;
    let written = match accumulate {
        Accumulate::Yes => {
            let positions = Tensor::from_vec(positions, count, a.device())?;
            add_slices([&rows.values, &positions, &values], 0)?
        }
        Accumulate::No if !is_on_card(a) && a.dtype() == sum_type(a) => {
            let positions = Tensor::from_vec(positions, count, a.device())?;
            let places =
                fast::Places::Slices(fast::Write::Replace, [&rows.values, &positions, &values]);
            places.along(0)?.unwrap_or_else(|| rows.values.clone())
        }
        Accumulate::No => {
            let old = rows.values.dim(0)?;
            let mut from: Vec<i64> = (0..old as i64).collect();
            for (value, position) in positions.into_iter().enumerate() {
                if let Some(it) = from.get_mut(position as usize) {
                    *it = (old + value) as i64;
                }
            }
            let from = Tensor::from_vec(from, old, a.device())?;
            Tensor::cat(&[&rows.values, &values], 0)?.index_select(&from, 0)?
        }
    };
    rows.restored(&written)
}

/// A tensor as rows, one for each position in the indexed dimensions.
struct Rows {
    values: Tensor,
    indexed: Vec<usize>,
    rest: Vec<usize>,
    /// The indexed dimensions, then the others.
    order: Vec<usize>,
}

impl Rows {
    fn of(a: &Tensor, dims: &[usize]) -> Result<Self, TorchError> {
        let others = (0..a.rank()).filter(|it| !dims.contains(it));
        let order: Vec<usize> = dims.iter().copied().chain(others).collect();
        let sizes: Result<Vec<usize>, _> = order.iter().map(|dim| a.dim(*dim)).collect();
        let mut indexed = sizes?;
        let rest = indexed.split_off(dims.len());
        let rows = (
            indexed.iter().product::<usize>(),
            rest.iter().product::<usize>(),
        );
        Ok(Self {
            values: fast::contiguous(&a.permute(order.clone())?)?.reshape(rows)?,
            indexed,
            rest,
            order,
        })
    }

    /// The row of each position; a negative index counts from the end.
    fn positions(&self, host: &Host, indices: &[&Tensor]) -> Result<Vec<i64>, TorchError> {
        let count: usize = shape_of(indices).iter().product();
        let mut rows = vec![0; count];
        for (dim, (index, size)) in indices.iter().zip(&self.indexed).enumerate() {
            let values: Vec<i64> = host.read_as(index, Stored::I64)?;
            let size = *size as i64;
            for (row, value) in rows.iter_mut().zip(values) {
                if value < -size || value >= size {
                    let dim = self.order.get(dim).copied().unwrap_or(dim);
                    return Err(TorchError::index(format!(
                        "index {value} is out of bounds for dimension {dim} with size {size}"
                    )));
                }
                *row = *row * size + if value < 0 { value + size } else { value };
            }
        }
        Ok(rows)
    }

    /// Rows in the shape of the tensor that they were made of.
    fn restored(&self, rows: &Tensor) -> KernelResult {
        let mut sizes = self.indexed.clone();
        sizes.extend(&self.rest);
        let back = shape::inverse(&self.order);
        Ok(rows.reshape(sizes)?.permute(back)?.contiguous()?)
    }
}

fn shape_of(indices: &[&Tensor]) -> Vec<usize> {
    indices.first().map_or(Vec::new(), |it| it.dims().to_vec())
}
