//! Shape rules of layers and losses, and PyTorch's words for breaking them.

use super::{Nn, Norm, NormKind, Reduced};
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::ternary::cpp_name;
use crate::worker::shape::{self, Shape};

impl Nn {
    pub(in crate::worker::ops) fn shape(&self, inputs: &[&Meta]) -> Result<Shape, TorchError> {
        let of = |at: usize| {
            inputs
                .get(at)
                .map(|it| it.shape.as_slice())
                .unwrap_or_default()
        };
        match self {
            Self::Linear => linear(of(0), of(1), None),
            Self::LinearBias => linear(of(0), of(1), Some(of(2))),
            Self::Activate(_) | Self::Dropout(_) => Ok(of(0).to_vec()),
            Self::ActivationBackward(_)
            | Self::SoftmaxBackward(_)
            | Self::LogSoftmaxBackward(_)
            | Self::NormBackward(_)
            | Self::LossBackward(..) => Ok(of(1).to_vec()),
            Self::Norm(it) => norm(*it, inputs),
            Self::NormAffineBackward(it) => {
                let parts = match it.how {
                    NormKind::Layer => 2,
                    NormKind::Rms => 1,
                };
                Ok([&[parts], of(2)].concat())
            }
            Self::Loss(_, reduced) => {
                let pairs = shape::broadcast(of(0), of(1))?;
                Ok(match reduced {
                    Reduced::Not => pairs,
                    Reduced::Mean | Reduced::Sum => vec![],
                })
            }
            Self::Nll(it) => {
                classes(inputs)?;
                Ok(match it.reduced {
                    Reduced::Not => of(1).to_vec(),
                    Reduced::Mean | Reduced::Sum => vec![],
                })
            }
            Self::NllBackward(_, shape) => Ok(shape.clone()),
            Self::Embedding(_) => match of(0) {
                [_, width] => Ok([of(1), &[*width]].concat()),
                _ => Err(TorchError::runtime("'weight' must be 2-D")),
            },
            Self::EmbeddingBackward { rows, .. } => {
                Ok(vec![*rows, of(0).last().copied().unwrap_or(1)])
            }
            Self::Attention(_) => attention(of(0), of(1), of(2), inputs.get(3)),
            Self::AttentionBackward(_) => {
                let parts = inputs.iter().skip(1).take(3);
                Ok(vec![parts.map(|it| it.count() as usize).sum()])
            }
            Self::FoundInf => Ok(vec![]),
        }
    }
}

fn linear(input: &[usize], weight: &[usize], bias: Option<&[usize]>) -> Result<Shape, TorchError> {
    let flipped: Shape = weight.iter().rev().copied().collect();
    let out = match (weight, input) {
        // PyTorch flattens to rows here, so a wrong size is told as that of rows.
        ([_, _], [.., inner]) if input.len() > 1 => {
            let rows = (shape::count(input) / (*inner).max(1) as u64) as usize;
            shape::matmul(&[rows, *inner], &flipped)?;
            shape::matmul(input, &flipped)?
        }
        _ => shape::matmul(input, &flipped)?,
    };
    match bias {
        Some(bias) if shape::broadcast(&out, bias).ok().as_ref() != Some(&out) => {
            let columns = out.last().copied().unwrap_or(1);
            let rows = shape::count(&out) as usize / columns.max(1);
            Err(TorchError::runtime(format!(
                "The expanded size of the tensor ({columns}) must match the existing size ({}) at non-singleton dimension 1.  Target sizes: [{rows}, {columns}].  Tensor sizes: {bias:?}",
                bias.last().copied().unwrap_or(1)
            )))
        }
        _ => Ok(out),
    }
}

fn norm(it: Norm, inputs: &[&Meta]) -> Result<Shape, TorchError> {
    let input = inputs
        .first()
        .map(|it| it.shape.clone())
        .unwrap_or_default();
    // The tensors behind the input name the sizes; without any, whoever asks has compared them already.
    let over = input.split_at(input.len().saturating_sub(it.dims)).1;
    for (parameter, name) in inputs.iter().skip(1).zip(["weight", "bias"]) {
        if parameter.shape != over {
            return Err(TorchError::runtime(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {:?} and normalized_shape = {over:?}",
                parameter.shape
            )));
        }
    }
    Ok(input)
}

/// What is said of an input whose last dimensions are not those to normalize over.
pub fn normalized(it: NormKind, over: &[usize], input: &[usize]) -> Result<(), TorchError> {
    if over.is_empty() {
        return Err(TorchError::runtime(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
        ));
    }
    if input.ends_with(over) {
        return Ok(());
    }
    let sizes: Vec<String> = over.iter().map(ToString::to_string).collect();
    let star = match it {
        NormKind::Layer => "*, ",
        NormKind::Rms => "*",
    };
    Err(TorchError::runtime(format!(
        "Given normalized_shape={over:?}, expected input with shape [{star}{}], but got input of size{input:?}",
        sizes.join(", ")
    )))
}

/// Log-probabilities, their classes and the weights of classes fit together.
fn classes(inputs: &[&Meta]) -> Result<(), TorchError> {
    let [scores, target, weight @ ..] = inputs else {
        return Err(TorchError::runtime("nll_loss needs scores and classes"));
    };
    let count = match (scores.shape.as_slice(), target.shape.as_slice()) {
        ([count], [] | [1]) => *count,
        ([rows, count], [targets]) if rows == targets => *count,
        ([rows, count, rest @ ..], [targets, others @ ..]) if !rest.is_empty() => {
            if rows != targets || rest != others {
                let wanted = [&[*rows], rest].concat();
                return Err(TorchError::runtime(format!(
                    "Expected target size {wanted:?}, got {:?}",
                    target.shape
                )));
            }
            *count
        }
        ([rows, ..], [targets]) => {
            return Err(TorchError::value(format!(
                "Expected input batch_size ({rows}) to match target batch_size ({targets})."
            )));
        }
        _ => {
            return Err(TorchError::runtime(
                "0D or 1D target tensor expected, multi-target not supported",
            ));
        }
    };
    if !matches!(target.dtype, DType::I64 | DType::U8) {
        return Err(TorchError::runtime(format!(
            "expected target dtype to be Long or Byte, but got {}",
            target.dtype.scalar_name()
        )));
    }
    match weight.first() {
        Some(weight) if weight.shape != [count] => Err(TorchError::runtime(format!(
            "weight tensor should be defined either for all {count} classes or no classes but got weight tensor of shape: {:?}",
            weight.shape
        ))),
        Some(_) | None => Ok(()),
    }
}

/// The types that indices of rows may have.
pub(super) fn index_type(dtype: DType) -> Result<(), TorchError> {
    let found = match dtype {
        DType::I64 | DType::I32 => return Ok(()),
        DType::Bool => "CPUBoolType".to_owned(),
        DType::U8 | DType::I16 | DType::F16 | DType::BF16 | DType::F32 | DType::F64 => {
            format!("torch.{}Tensor", dtype.scalar_name())
        }
    };
    Err(TorchError::runtime(format!(
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {found} instead (while checking arguments for embedding)"
    )))
}

fn attention(
    query: &[usize],
    key: &[usize],
    value: &[usize],
    mask: Option<&&Meta>,
) -> Result<Shape, TorchError> {
    if query.len() < 2 || key.len() < 2 || value.len() < 2 {
        return Err(TorchError::runtime(format!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {} key.dim: {} and value.dim: {} instead.",
            query.len(),
            key.len(),
            value.len()
        )));
    }
    let mut flipped = key.to_vec();
    let rank = flipped.len();
    flipped.swap(rank - 1, rank - 2);
    let scores = shape::matmul(query, &flipped)?;
    if let Some(mask) = mask {
        shape::broadcast(&scores, &mask.shape)?;
    }
    shape::matmul(&scores, value)
}

/// The types that query, key, value and mask may have beside each other.
pub(super) fn attention_types(inputs: &[&Meta]) -> Result<(), TorchError> {
    let [query, key, value, mask @ ..] = inputs else {
        return Err(TorchError::runtime("attention needs query, key and value"));
    };
    if query.dtype != key.dtype || query.dtype != value.dtype {
        return Err(TorchError::runtime(format!(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and value.dtype: {} instead.",
            cpp_name(query.dtype),
            cpp_name(key.dtype),
            cpp_name(value.dtype)
        )));
    }
    match mask.first() {
        Some(mask)
            if mask.dtype != DType::Bool
                && mask.dtype != DType::F32
                && mask.dtype != query.dtype =>
        {
            Err(TorchError::runtime(format!(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  query.dtype: {} instead.",
                cpp_name(mask.dtype),
                cpp_name(query.dtype)
            )))
        }
        Some(_) | None => Ok(()),
    }
}
