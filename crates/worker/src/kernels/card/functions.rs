//! Functions of one, two or three tensors, element by element; two broadcast.

use super::in_place::result;
use super::launch::{Argument, Grid, Module, launch};
use super::many_tensors::join;
use super::walk::Walk;
use super::{floats, on_one_card};
use crate::kernels::fast::contiguous;
use candle_core::{DType, Result, Tensor};

/// A function that has a kernel: its name there, and the numbers that it takes beside the elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) numbers: [f64; 2],
}

impl Function {
    pub(crate) const fn named(name: &'static str) -> Self {
        Self {
            name,
            numbers: [0.0; 2],
        }
    }

    /// The kernel for elements of this type.
    fn kernel(self, dtype: DType) -> Option<String> {
        Some(format!("{}_{}", self.name, floats(dtype)?))
    }
}

/// A function of each element; nothing on the host, or for other types.
pub(crate) fn of_one(f: Function, a: &Tensor) -> Option<Result<Tensor>> {
    if !on_one_card(&[a]) {
        return None;
    }
    let kernel = f.kernel(a.dtype())?;
    let run = || {
        let a = contiguous(a)?;
        let out = result(a.shape(), a.dtype(), a.device(), &[&a])?;
        if join(f, &out, &[&a])? {
            return Ok(out);
        }
        let [p, q] = f.numbers;
        let arguments = [
            Argument::U64(a.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(&a),
            Argument::F64(p),
            Argument::F64(q),
        ];
        run_over(&out, &kernel, &arguments)?;
        Ok(out)
    };
    Some(run())
}

/// A function of two elements, broadcast; nothing on the host, for other types, or for shapes that do not fit.
pub(crate) fn of_two(f: Function, a: &Tensor, b: &Tensor) -> Option<Result<Tensor>> {
    if !on_one_card(&[a, b]) || a.dtype() != b.dtype() {
        return None;
    }
    let kernel = f.kernel(a.dtype())?;
    let shape = a
        .shape()
        .broadcast_shape_binary_op(b.shape(), f.name)
        .ok()?;
    let [p, _] = f.numbers;
    let count = Argument::U64(shape.elem_count() as u64);
    if a.shape() == b.shape() && a.is_contiguous() && b.is_contiguous() {
        let run = || {
            let out = result(&shape, a.dtype(), a.device(), &[a, b])?;
            if join(f, &out, &[a, b])? {
                return Ok(out);
            }
            let arguments = [
                count,
                Argument::Data(&out),
                Argument::Data(a),
                Argument::Data(b),
                Argument::F64(p),
            ];
            run_over(&out, &kernel, &arguments)?;
            Ok(out)
        };
        return Some(run());
    }
    let (wide_a, wide_b) = (a.broadcast_as(&shape).ok()?, b.broadcast_as(&shape).ok()?);
    let walk = |it: &Tensor| Walk::over(it.dims(), it.stride());
    let (walk_a, walk_b) = (walk(&wide_a)?, walk(&wide_b)?);
    let kernel = format!("{}_broadcast_{}", f.name, floats(a.dtype())?);
    let run = || {
        let out = result(&shape, a.dtype(), a.device(), &[&wide_a, &wide_b])?;
        let arguments = [
            count,
            Argument::Data(&out),
            Argument::Data(&wide_a),
            Argument::Walk(&walk_a),
            Argument::Data(&wide_b),
            Argument::Walk(&walk_b),
            Argument::F64(p),
        ];
        run_over(&out, &kernel, &arguments)?;
        Ok(out)
    };
    Some(run())
}

/// A function of three elements of tensors of one shape; nothing on the host, or for other types.
pub(crate) fn of_three(f: Function, tensors: [&Tensor; 3]) -> Option<Result<Tensor>> {
    let [first, second, third] = tensors;
    let is_one_shape = first.shape() == second.shape() && first.shape() == third.shape();
    let is_one_type = first.dtype() == second.dtype() && first.dtype() == third.dtype();
    if !is_one_shape || !is_one_type || !on_one_card(&tensors) {
        return None;
    }
    let kernel = f.kernel(first.dtype())?;
    let run = || {
        let given = [contiguous(first)?, contiguous(second)?, contiguous(third)?];
        let [first, second, third] = &given;
        let inputs = [first, second, third];
        let out = result(first.shape(), first.dtype(), first.device(), &inputs)?;
        if join(f, &out, &[first, second, third])? {
            return Ok(out);
        }
        let [p, _] = f.numbers;
        let arguments = [
            Argument::U64(first.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(first),
            Argument::Data(second),
            Argument::Data(third),
            Argument::F64(p),
        ];
        run_over(&out, &kernel, &arguments)?;
        Ok(out)
    };
    Some(run())
}

fn run_over(out: &Tensor, kernel: &str, arguments: &[Argument<'_>]) -> Result<()> {
    let grid = Grid::over(out.elem_count());
    launch(out.device(), (Module::Elementwise, kernel), grid, arguments)
}
