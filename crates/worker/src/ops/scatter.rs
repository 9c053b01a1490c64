//! Elements and slices written to the positions that index tensors name.

use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{
    Devices, Dispatch, Operation, Saved, cost_per_element, first, inputs as all_of,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::index::{Accumulate, index_put};
use crate::kernels::scatter;
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::{self, Keep, Shape};
use candle_core::Tensor;

/// Writing at positions; the tensors are in brackets. The target is copied first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "the names are PyTorch's")]
pub(crate) enum Scatter {
    /// `scatter` along a dimension: the source replaces what was there (target, index, source).
    Scatter(usize),
    /// `scatter_add` along a dimension: the source is added (target, index, source).
    ScatterAdd(usize),
    /// `index_add` along a dimension: whole slices are added (target, index, source).
    IndexAdd(usize),
    /// `index_put` where indexing these dimensions reads (target, values, indices).
    IndexPut(Vec<usize>, Accumulate),
    /// Elements added to zeros of a shape, where `gather` read them (source, index).
    GatherBackward(usize, Shape),
    /// Slices added to zeros of a shape, where `index_select` read them (source, index).
    IndexSelectBackward(usize, Shape),
}

impl Scatter {
    /// Refuses shapes and types in PyTorch's words.
    fn check(&self, inputs: &[&Meta]) -> Result<(), TorchError> {
        match self {
            Self::Scatter(dim) | Self::ScatterAdd(dim) => {
                let [target, index, source] = self.operands(inputs)?;
                elements(*dim, &target.shape, &index.shape, &source.shape)?;
                if !matches!(index.dtype, DType::I32 | DType::I64) {
                    return Err(TorchError::runtime(
                        "scatter(): Expected dtype int32/int64 for index",
                    ));
                }
                if target.dtype != source.dtype {
                    return Err(TorchError::runtime(
                        "scatter(): Expected self.dtype to be equal to src.dtype",
                    ));
                }
            }
            Self::IndexAdd(dim) => {
                let [target, index, source] = self.operands(inputs)?;
                slices(*dim, &target.shape, &index.shape, &source.shape)?;
                if !matches!(index.dtype, DType::I32 | DType::I64) {
                    return Err(TorchError::runtime(format!(
                        "index_add_(): Expected dtype int32/int64 for index but got: {}",
                        index.dtype.scalar_name()
                    )));
                }
                if target.dtype != source.dtype {
                    return Err(TorchError::runtime(format!(
                        "index_add_(): self ({}) and source ({}) must have the same scalar type",
                        target.dtype.scalar_name(),
                        source.dtype.scalar_name()
                    )));
                }
            }
            Self::IndexPut(..) => {
                let [target, values] = self.operands(inputs)?;
                if target.dtype != values.dtype {
                    return Err(TorchError::runtime(format!(
                        "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
                        target.dtype.scalar_name(),
                        values.dtype.scalar_name()
                    )));
                }
            }
            Self::GatherBackward(..) | Self::IndexSelectBackward(..) => {
                let [_, _] = self.operands(inputs)?;
            }
        }
        Ok(())
    }
}

impl Operation for Scatter {
    fn name(&self) -> &'static str {
        match self {
            Self::Scatter(_) => "scatter",
            Self::ScatterAdd(_) | Self::GatherBackward(..) => "scatter_add",
            Self::IndexAdd(_) | Self::IndexSelectBackward(..) => "index_add",
            Self::IndexPut(..) => "index_put",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        self.check(inputs)?;
        let Meta { shape, dtype } = first(inputs);
        let shape = match self {
            Self::Scatter(_) | Self::ScatterAdd(_) | Self::IndexAdd(_) | Self::IndexPut(..) => {
                shape
            }
            Self::GatherBackward(_, to) | Self::IndexSelectBackward(_, to) => to.clone(),
        };
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let second = inputs.get(1).copied();
        match (self, second, inputs.get(2)) {
            (Self::GatherBackward(..) | Self::IndexSelectBackward(..), _, _) => {
                cost_per_element(inputs, result, 1)
            }
            // It is done in place: only what is written is touched.
            (Self::IndexPut(..), Some(values), _) => Cost::moving(values.bytes().saturating_mul(2)),
            (Self::Scatter(_) | Self::ScatterAdd(_), Some(index), Some(source)) => {
                let touched = index.count().min(source.count());
                let adds = matches!(self, Self::ScatterAdd(_));
                let flops = if adds { index.count() } else { 0 };
                copy_and_write([result, index, source], touched, flops)
            }
            (Self::IndexAdd(_), Some(index), Some(source)) => {
                copy_and_write([result, index, source], source.count(), source.count())
            }
            (
                Self::IndexPut(..) | Self::Scatter(_) | Self::ScatterAdd(_) | Self::IndexAdd(_),
                _,
                _,
            ) => Cost::default(),
        }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        match self {
            Self::Scatter(dim) => {
                scatter::scatter(host, Accumulate::No, *self.operands(inputs)?, *dim, result)
            }
            Self::ScatterAdd(dim) => {
                scatter::scatter(host, Accumulate::Yes, *self.operands(inputs)?, *dim, result)
            }
            Self::IndexAdd(dim) => scatter::index_add(host, *self.operands(inputs)?, *dim, result),
            Self::IndexPut(dims, accumulate) => {
                let indices = inputs.get(2..).unwrap_or_default();
                index_put(host, *self.operands(inputs)?, dims, indices, *accumulate)
            }
            Self::GatherBackward(dim, shape) => {
                scatter::scatter_add_to_zeros(host, *self.operands(inputs)?, *dim, shape)
            }
            Self::IndexSelectBackward(dim, shape) => {
                let [source, index] = self.operands(inputs)?;
                scatter::index_add_to_zeros(source, index, *dim, shape)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        if let Self::IndexPut(dims, _) = self {
            return all_of(2..dims.len() + 2);
        }
        all_of(1..2)
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let grad = at.grad;
        match self {
            Self::Scatter(dim) | Self::ScatterAdd(dim) => {
                let [target, index, source] = self.operands(at.inputs)?;
                let of_target = e.wanted(target, || {
                    if let Self::ScatterAdd(_) = self {
                        return Ok(grad.clone());
                    }
                    let nothing = Meta::new(e.shape(index), e.meta(grad).dtype);
                    let nothing = e.full(nothing, grad, 0.0)?;
                    e.apply(self.clone(), &[grad, index, &nothing])
                })?;
                let of_source = e.wanted(source, || {
                    let read = e.apply(Primitive::Gather(*dim), &[grad, index])?;
                    padded(e, read, source)
                })?;
                Ok(Gradients::Of(vec![of_target, None, of_source]))
            }
            Self::IndexAdd(dim) => {
                let [target, index, source] = self.operands(at.inputs)?;
                let of_target = e.wanted(target, || Ok(grad.clone()))?;
                let of_source = e.wanted(source, || {
                    let read = e.apply(Primitive::IndexSelect(*dim), &[grad, index])?;
                    e.reshape(&read, e.shape(source))
                })?;
                Ok(Gradients::Of(vec![of_target, None, of_source]))
            }
            Self::IndexPut(dims, accumulate) => {
                let [target, values] = self.operands(at.inputs)?;
                let with_indices = |first: &[&A::Tensor], op: &dyn Fn(&[&A::Tensor]) -> _| {
                    let mut given = first.to_vec();
                    given.extend(at.inputs.iter().skip(2));
                    op(&given)
                };
                let of_target = e.wanted(target, || match accumulate {
                    Accumulate::Yes => Ok(grad.clone()),
                    Accumulate::No => {
                        let zero = e.cpu_scalar(e.meta(grad).dtype, 0.0)?;
                        with_indices(&[grad, &zero], &|given| e.apply(self.clone(), given))
                    }
                })?;
                let of_values = e.wanted(values, || {
                    let read = Primitive::Index(dims.clone());
                    let read = with_indices(&[grad], &|given| e.apply(read.clone(), given))?;
                    e.sum_to(&read, values)
                })?;
                Ok(Gradients::Of(vec![of_target, of_values]))
            }
            Self::GatherBackward(dim, _) => {
                let [_, index] = self.operands(at.inputs)?;
                let of_source = e.apply(Primitive::Gather(*dim), &[grad, index])?;
                Ok(Gradients::first(of_source))
            }
            Self::IndexSelectBackward(dim, _) => {
                let [_, index] = self.operands(at.inputs)?;
                let of_source = e.apply(Primitive::IndexSelect(*dim), &[grad, index])?;
                Ok(Gradients::first(of_source))
            }
        }
    }
}

impl Dispatch for Scatter {
    fn kernel_kind(&self, inputs: &[&Meta], result: &Meta) -> KernelKind {
        let elements = match self {
            Self::Scatter(_) | Self::ScatterAdd(_) | Self::GatherBackward(..) => 1,
            Self::IndexAdd(dim) | Self::IndexSelectBackward(dim, _) => {
                let inner = result.shape.iter().skip(dim + 1);
                inner.map(|it| *it as u64).product()
            }
            Self::IndexPut(..) => {
                let values = inputs.get(1).map_or(1, |it| it.count());
                values / inputs.get(2).map_or(1, |it| it.count()).max(1)
            }
        };
        KernelKind::Indexed {
            run: elements.max(1).saturating_mul(result.dtype.size()),
        }
    }

    fn devices(&self) -> Devices {
        if let Self::IndexPut(..) = self {
            return Devices::CpuScalarsToo;
        }
        Devices::Same(None)
    }

    fn asserts_indices(&self) -> bool {
        !matches!(
            self,
            Self::GatherBackward(..) | Self::IndexSelectBackward(..)
        )
    }
}

/// The target is read and written whole, and the elements that the source goes to a second time.
fn copy_and_write([target, index, source]: [&Meta; 3], touched: u64, flops: u64) -> Cost {
    let copied = target
        .bytes()
        .saturating_mul(2)
        .saturating_add(index.bytes());
    let passes = if flops == 0 { 2 } else { 3 };
    let touched = touched.saturating_mul(source.dtype.size() * passes);
    Cost {
        flops,
        bytes: copied.saturating_add(touched),
    }
}

/// Zeros behind a tensor, up to the sizes of another: elements that an index did not reach got no gradient.
fn padded<A: Autograd>(e: &A, grad: A::Tensor, like: &A::Tensor) -> Output<A> {
    let mut grad = grad;
    for (dim, size) in e.shape(like).into_iter().enumerate() {
        let mut meta = e.meta(&grad);
        let Some(it) = meta.shape.get_mut(dim).filter(|it| **it < size) else {
            continue;
        };
        *it = size - *it;
        let rest = e.full(meta, &grad, 0.0)?;
        grad = e.apply(Primitive::Cat(dim), &[&grad, &rest])?;
    }
    e.reshape(&grad, e.shape(like))
}

fn elements(
    dim: usize,
    target: &[usize],
    index: &[usize],
    source: &[usize],
) -> Result<(), TorchError> {
    // An empty index has any rank.
    if index.contains(&0) {
        return Ok(());
    }
    let rank = |shape: &[usize]| shape.len().max(1);
    if rank(index) != rank(target) {
        return Err(TorchError::runtime(
            "Index tensor must have the same number of dimensions as self tensor",
        ));
    }
    shape::dim(dim as i64, source.len())?;
    if rank(index) != rank(source) {
        return Err(TorchError::runtime(
            "Index tensor must have the same number of dimensions as src tensor",
        ));
    }
    let beyond_target = index
        .iter()
        .zip(target)
        .enumerate()
        .any(|(at, (want, has))| at != dim && want > has);
    let beyond_source = index.iter().zip(source).any(|(want, has)| want > has);
    if beyond_target || beyond_source {
        return Err(TorchError::runtime(format!(
            "Expected index {index:?} to be no larger than self {target:?} apart from dimension {dim} and to be no larger size than src {source:?}"
        )));
    }
    Ok(())
}

fn slices(
    dim: usize,
    target: &[usize],
    index: &[usize],
    source: &[usize],
) -> Result<(), TorchError> {
    if index.len() > 1 {
        return Err(TorchError::index(format!(
            "index_add_(): Index is supposed to be a vector, but got dim: {} with type: Long and size: {index:?}",
            index.len()
        )));
    }
    let count = index.first().copied().unwrap_or(1);
    let along = source.get(dim).copied().unwrap_or(1);
    if count != along {
        return Err(TorchError::runtime(format!(
            "index_add_(): Number of indices ({count}) should be equal to source.size(dim): ({along}), for dim: {dim}"
        )));
    }
    let others = |shape: &[usize]| shape::reduce(shape, &[dim], Keep::Drop);
    if others(target) != others(source) || target.len() != source.len() {
        return Err(TorchError::runtime(format!(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {target:?} source.shape = {source:?}"
        )));
    }
    Ok(())
}
