//! Copies of `float32` into row-major order, and fills. candle takes one element at a time, on one thread.

use super::floats::{GRAIN, fill_rows, filled, part, tensor};
use crate::kernels::card;
use candle_core::{CpuStorage, Device, Result, Storage, Tensor, WithDType};

/// The elements of a tensor, in whatever order they lie.
struct StridedElements<'a> {
    elements: &'a [f32],
    /// Sizes and distances of all dimensions but the last, which is the row.
    rows: Vec<(usize, usize)>,
    /// The distance of neighbours in a row.
    step: usize,
}

impl StridedElements<'_> {
    /// Where a row begins.
    fn start(&self, row: usize) -> usize {
        let mut rest = row;
        let mut start = 0;
        for (size, step) in self.rows.iter().rev() {
            start += rest % size * step;
            rest /= size;
        }
        start
    }

    fn copy_row(&self, row: usize, out: &mut [f32]) {
        let from = self.elements.get(self.start(row)..).unwrap_or_default();
        match self.step {
            0 => out.fill(from.first().copied().unwrap_or(f32::NAN)),
            1 => {
                for (out, it) in out.iter_mut().zip(from) {
                    *out = *it;
                }
            }
            step => {
                for (out, it) in out.iter_mut().zip(from.iter().step_by(step)) {
                    *out = *it;
                }
            }
        }
    }
}

/// Elements of a square that is turned at a time, so that each line of the cache is read once.
const SIDE: usize = 16;

/// Copies matrices whose columns lie one after the other, from a row on, into rows of this width.
fn turn_rows(all: &StridedElements<'_>, (first, width): (usize, usize), out: &mut [f32]) {
    let mut row = first;
    for band in out.chunks_mut(SIDE * width) {
        turn_band(all, row, width, band);
        row += SIDE;
    }
}

/// Copies a few neighbouring rows of a matrix.
fn turn_band(all: &StridedElements<'_>, row: usize, width: usize, out: &mut [f32]) {
    let from = all.elements.get(all.start(row)..).unwrap_or_default();
    let count = out.len() / width;
    let mut square = [[0.0; SIDE]; SIDE];
    for left in (0..width).step_by(SIDE) {
        let columns = SIDE.min(width - left);
        let starts = (left..left + columns).map(|it| it * all.step);
        for (column, start) in square.iter_mut().zip(starts) {
            let own = part(from, start, count);
            for (to, it) in column.iter_mut().zip(own) {
                *to = *it;
            }
        }
        for at in 0..SIDE.min(count) {
            let start = at * width + left;
            let out = out.get_mut(start..start + columns).unwrap_or_default();
            for (out, column) in out.iter_mut().zip(&square) {
                *out = column[at];
            }
        }
    }
}

/// Neighbouring dimensions that are one run of memory become one, and those of size 1 go.
fn joined(sizes: &[usize], steps: &[usize]) -> Vec<(usize, usize)> {
    let mut dims: Vec<(usize, usize)> = Vec::new();
    for (size, step) in sizes.iter().copied().zip(steps.iter().copied()) {
        match dims.last_mut() {
            _ if size == 1 => {}
            Some((before, wide)) if *wide == size * step => {
                (*before, *wide) = (*before * size, step);
            }
            Some(_) | None => dims.push((size, step)),
        }
    }
    dims
}

fn copied_here(a: &Tensor) -> Option<Result<Tensor>> {
    let (storage, layout) = a.storage_and_layout();
    let Storage::Cpu(CpuStorage::F32(elements)) = &*storage else {
        return None;
    };
    let mut rows = joined(layout.dims(), layout.stride());
    let (width, step) = rows.pop().unwrap_or((1, 1));
    let all = StridedElements {
        elements: elements.get(layout.start_offset()..)?,
        rows,
        step,
    };
    let count = a.elem_count() / width.max(1);
    // Columns of one matrix that lie one after the other.
    let is_turned = matches!(&*all.rows, [(_, 1)]) && step > 1 && width > 1;
    let out = filled(count, width, 1, |first, out| {
        if is_turned {
            return turn_rows(&all, (first, width), out);
        }
        for (row, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
            all.copy_row(first + row, out);
        }
    });
    Some(tensor(out, a.dims()))
}

/// A copy in row-major order.
pub(crate) fn copied(a: &Tensor) -> Result<Tensor> {
    let made = copied_here(a).or_else(|| card::contiguous(a));
    made.unwrap_or_else(|| a.force_contiguous())
}

/// The elements in row-major order: a copy unless they are.
pub(crate) fn contiguous(a: &Tensor) -> Result<Tensor> {
    if a.is_contiguous() {
        Ok(a.clone())
    } else {
        copied(a)
    }
}

/// The same elements in another shape; a copy unless they are in row-major order.
pub(crate) fn reshape(a: &Tensor, shape: &[usize]) -> Result<Tensor> {
    contiguous(a)?.reshape(shape)
}

/// One number everywhere, on the host.
pub(crate) fn full(number: f32, shape: &[usize]) -> Result<Tensor> {
    let count = shape.iter().product();
    let mut out = vec![0.0; count];
    if number.to_bits() != 0 {
        fill_rows(&mut out, GRAIN, 1, |_, out| out.fill(number));
    }
    tensor(out, shape)
}

/// One element everywhere.
pub(crate) fn repeated(one: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let count = shape.iter().product();
    let (storage, layout) = one.storage_and_layout();
    let at = layout.start_offset();
    match &*storage {
        Storage::Cpu(CpuStorage::U8(it)) => times(it, at, count, shape),
        Storage::Cpu(CpuStorage::I16(it)) => times(it, at, count, shape),
        Storage::Cpu(CpuStorage::I32(it)) => times(it, at, count, shape),
        Storage::Cpu(CpuStorage::I64(it)) => times(it, at, count, shape),
        Storage::Cpu(CpuStorage::F16(it)) => times(it, at, count, shape),
        Storage::Cpu(CpuStorage::BF16(it)) => times(it, at, count, shape),
        Storage::Cpu(CpuStorage::F64(it)) => times(it, at, count, shape),
        Storage::Cpu(_) | Storage::Cuda(_) | Storage::Metal(_) => {
            one.broadcast_as(shape)?.force_contiguous()
        }
    }
}

fn times<T: WithDType>(all: &[T], at: usize, count: usize, shape: &[usize]) -> Result<Tensor> {
    let one = all.get(at).copied().unwrap_or(T::zero());
    Tensor::from_vec(vec![one; count], shape, &Device::Cpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_those_of_candle() {
        let a = Tensor::arange(0.0_f32, 2.0 * 3.0 * 5.0 * 7.0, &Device::Cpu).unwrap();
        let a = a.reshape((2, 3, 5, 7)).unwrap();
        let orders = [[0, 1, 2, 3], [0, 2, 1, 3], [3, 2, 1, 0], [1, 0, 3, 2]];
        let mut views: Vec<Tensor> = orders.map(|it| a.permute(it).unwrap()).into();
        views.push(a.narrow(3, 2, 3).unwrap());
        views.push(a.narrow(1, 1, 1).unwrap());
        views.push(a.narrow(0, 1, 1).unwrap().transpose(1, 3).unwrap());
        views.push(
            a.narrow(3, 2, 1)
                .unwrap()
                .broadcast_as((2, 3, 5, 4))
                .unwrap(),
        );
        views.push(
            a.flatten_all()
                .unwrap()
                .narrow(0, 4, 1)
                .unwrap()
                .squeeze(0)
                .unwrap(),
        );
        let large = Tensor::arange(0.0_f32, 300.0 * 700.0, &Device::Cpu).unwrap();
        views.push(large.reshape((300, 700)).unwrap().t().unwrap());
        for view in views {
            let numbers = |it: &Tensor| it.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            let made = copied(&view).unwrap();
            assert!(made.is_contiguous());
            assert_eq!(made.dims(), view.dims());
            assert_eq!(numbers(&made), numbers(&view));
        }
    }

    #[test]
    fn transposed_matrices_of_any_size_are_those_of_candle() {
        for (rows, columns) in [(1, 5), (5, 1), (16, 16), (17, 33), (40, 15), (300, 260)] {
            let count = (rows * columns) as f32;
            let a = Tensor::arange(0.0, count, &Device::Cpu).unwrap();
            let a = a.reshape((rows, columns)).unwrap();
            let made = copied(&a.t().unwrap()).unwrap();
            let expected = a.t().unwrap().force_contiguous().unwrap();
            let numbers = |it: &Tensor| it.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            assert_eq!(numbers(&made), numbers(&expected), "{rows} {columns}");
        }
    }

    #[test]
    fn one_element_of_each_type_is_repeated() {
        use candle_core::DType;
        let types = [
            DType::U8,
            DType::I16,
            DType::I32,
            DType::I64,
            DType::F16,
            DType::BF16,
        ];
        for dtype in types.into_iter().chain([DType::F32, DType::F64]) {
            let one = Tensor::new(3.0, &Device::Cpu).unwrap();
            let made = repeated(&one.to_dtype(dtype).unwrap(), &[2, 3]).unwrap();
            assert_eq!((made.dtype(), made.dims()), (dtype, [2, 3].as_slice()));
            let wide = made.to_dtype(DType::F64).unwrap().to_vec2::<f64>();
            assert_eq!(wide.unwrap(), vec![vec![3.0; 3]; 2]);
        }
    }

    #[test]
    fn a_fill_keeps_the_sign_of_zero() {
        let made = full(-0.0, &[2]).unwrap().to_vec1::<f32>().unwrap();
        assert!(made.iter().all(|it| it.is_sign_negative()));
        let made = full(2.5, &[3, 70_000]).unwrap().flatten_all().unwrap();
        assert_eq!(made.to_vec1::<f32>().unwrap(), vec![2.5; 210_000]);
    }
}
