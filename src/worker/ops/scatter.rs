//! Operations that write to places that an index tensor names, and those that read from there: what
//! index, source and target have to be.

use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::{Cost, Meta};
use crate::worker::shape::{self, Shape};

/// What becomes of the elements that are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// They are replaced; of several values for one place, the last one stays.
    Replace,
    /// They are added to.
    Add,
}

/// What is done with a source at the places of a target that an index names; the target is copied first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scatter {
    /// `scatter`: it takes the place of what was there.
    Written,
    /// `scatter_add`: it is added.
    Added,
    /// `index_add`: whole slices are added.
    Slices,
}

impl Scatter {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Written => "scatter",
            Self::Added => "scatter_add",
            Self::Slices => "index_add",
        }
    }

    /// The shape of the result, which is the target's.
    pub(super) fn shape(
        self,
        dim: usize,
        [target, index, source]: [&[usize]; 3],
    ) -> Result<Shape, TorchError> {
        match self {
            Self::Written | Self::Added => elements(dim, target, index, source)?,
            Self::Slices => slices(dim, target, index, source)?,
        }
        Ok(target.to_vec())
    }

    /// The type of the result.
    pub(super) fn dtype(self, [target, index, source]: [DType; 3]) -> Result<DType, TorchError> {
        let whole = matches!(index, DType::I32 | DType::I64);
        match self {
            Self::Written | Self::Added if !whole => Err(TorchError::runtime(
                "scatter(): Expected dtype int32/int64 for index",
            )),
            Self::Written | Self::Added if target != source => Err(TorchError::runtime(
                "scatter(): Expected self.dtype to be equal to src.dtype",
            )),
            Self::Slices if !whole => Err(TorchError::runtime(format!(
                "index_add_(): Expected dtype int32/int64 for index but got: {}",
                index.scalar_name()
            ))),
            Self::Slices if target != source => Err(TorchError::runtime(format!(
                "index_add_(): self ({}) and source ({}) must have the same scalar type",
                target.scalar_name(),
                source.scalar_name()
            ))),
            Self::Written | Self::Added | Self::Slices => Ok(target),
        }
    }

    /// The target is read and written whole, and where the source goes a second time.
    pub(super) fn cost(self, [target, index, source]: [&Meta; 3]) -> Cost {
        let copied = target
            .bytes()
            .saturating_mul(2)
            .saturating_add(index.bytes());
        let (touched, flops) = match self {
            Self::Written => (index.count().min(source.count()), 0),
            Self::Added => (index.count().min(source.count()), index.count()),
            Self::Slices => (source.count(), source.count()),
        };
        let passes = if flops == 0 { 2 } else { 3 };
        let touched = touched.saturating_mul(source.dtype.size() * passes);
        Cost {
            flops,
            bytes: copied.saturating_add(touched),
        }
    }
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
    let others = |shape: &[usize]| -> Shape {
        let kept = shape.iter().enumerate().filter(|(at, _)| *at != dim);
        kept.map(|(_, size)| *size).collect()
    };
    if others(target) != others(source) || target.len() != source.len() {
        return Err(TorchError::runtime(format!(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {target:?} source.shape = {source:?}"
        )));
    }
    Ok(())
}

/// What `gather` asks of its index.
pub(super) fn gathers(dim: usize, from: &Meta, index: &Meta) -> Result<Shape, TorchError> {
    if !matches!(index.dtype, DType::I32 | DType::I64) {
        return Err(TorchError::runtime(
            "gather(): Expected dtype int32/int64 for index",
        ));
    }
    // An empty index has any rank.
    if index.shape.contains(&0) {
        return Ok(index.shape.clone());
    }
    if index.shape.len().max(1) != from.shape.len().max(1) {
        return Err(TorchError::runtime(
            "Index tensor must have the same number of dimensions as input tensor",
        ));
    }
    let pairs = index.shape.iter().zip(&from.shape).enumerate();
    for (at, (want, has)) in pairs {
        if at != dim && want > has {
            return Err(TorchError::runtime(format!(
                "Size does not match at dimension {at} expected index {:?} to be no larger than self {:?} apart from dimension {dim}",
                index.shape, from.shape
            )));
        }
    }
    Ok(index.shape.clone())
}

/// What `index_select` asks of its index.
pub(super) fn selects(dim: usize, from: &Meta, index: &Meta) -> Result<Shape, TorchError> {
    let known = matches!(index.dtype, DType::I32 | DType::I64);
    if !known {
        return Err(TorchError::runtime(
            "index_select(): Expected dtype int32 or int64 for index",
        ));
    }
    if from.shape.is_empty() && index.count() != 1 {
        return Err(TorchError::runtime(format!(
            "index_select(): Index to scalar can have only 1 value, got {} value(s)",
            index.count()
        )));
    }
    Ok(super::replaced(
        from.shape.clone(),
        dim,
        index.count() as usize,
    ))
}
