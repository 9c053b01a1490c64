//! Operations of layers and losses for which PyTorch has a kernel of its own.
//!
//! Each could be put together from smaller operations. As one it costs one kernel and keeps what PyTorch
//! keeps, so that a modelled card counts the kernels and the memory that a real one would see. The ways
//! back are operations of the same kind.

mod cost;
mod shapes;

pub use shapes::normalized;

use super::types::of_product;
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::shape::Shape;

/// An operation of a layer or a loss. The order of its tensors stands in brackets.
#[derive(Clone, Debug, PartialEq)]
pub enum Nn {
    /// `input @ weight.T` (input, weight).
    Linear,
    /// `input @ weight.T + bias` (input, weight, bias).
    LinearBias,
    /// A function of each element that has parameters (input).
    Activate(Activation),
    /// The way back through one (gradient, and what [`Activation::saved_operand`] says).
    ActivationBackward(Activation),
    /// The way back through a softmax along a dimension (gradient, result).
    SoftmaxBackward(usize),
    /// The way back through its logarithm (gradient, result).
    LogSoftmaxBackward(usize),
    /// Normalization over the last dimensions (input, then weight and bias if there are).
    Norm(Norm),
    /// The gradient of its input (gradient, input, and a weight if there is one).
    NormBackward(Norm),
    /// The gradients of weight and bias on top of each other (gradient, input, weight).
    NormAffineBackward(Norm),
    /// A loss of pairs of elements (input, target).
    Loss(Pointwise, Reduced),
    /// The gradient of its input (gradient, input, target).
    LossBackward(Pointwise, Reduced),
    /// Negative logarithms of the probabilities of classes (log-probabilities, classes, and a weight of each
    /// class if there is one).
    Nll(Nll),
    /// The gradient of log-probabilities of this shape (gradient, classes, weights).
    NllBackward(Nll, Shape),
    /// Rows of a matrix, picked by whole numbers (weight, indices); a row of padding gets no gradient.
    Embedding(Option<usize>),
    /// Adds gradients of rows into zeros (gradient, indices).
    EmbeddingBackward {
        /// Rows of the matrix.
        rows: usize,
        /// The row that gets none.
        padding: Option<usize>,
    },
    /// Elements where a mask is true, scaled by `1 / (1 - p)`, else 0 (input, mask).
    Dropout(f64),
    /// `softmax(query @ key.T · scale + mask) @ value` (query, key, value, and a mask if there is one).
    Attention(Attention),
    /// Its gradients of query, key and value, one after the other (gradient, query, key, value, mask).
    AttentionBackward(Attention),
    /// 1 if any element of any tensor is infinite or not a number, else 0.
    FoundInf,
}

/// Functions of one element. The first four have a place of their own among the unary operations, and
/// stand here for their way back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are the ones of torch")]
pub enum Activation {
    Relu,
    Tanh,
    Sigmoid,
    Gelu,
    GeluTanh,
    Silu,
    Softplus { beta: f64, threshold: f64 },
    LogSigmoid,
    LeakyRelu(f64),
    Elu { alpha: f64, scale: f64 },
    Hardtanh { least: f64, most: f64 },
    Mish,
}

/// What the way back needs of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedOperand {
    /// What went in.
    Input,
    /// What came out.
    Result,
}

/// A normalization over the last dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norm {
    /// Which one.
    pub how: NormKind,
    /// How many of the last dimensions.
    pub dims: usize,
    /// Added to the mean square, so that nothing is divided by 0.
    pub eps: f64,
}

/// Kinds of normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormKind {
    /// Mean 0 and deviation 1.
    Layer,
    /// Mean square 1.
    Rms,
}

/// Losses of pairs of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointwise {
    /// The square of the difference.
    Mse,
    /// A square below `beta`, a line beyond.
    SmoothL1(f64),
    /// The same times `delta`.
    Huber(f64),
    /// Cross-entropy of a probability.
    Bce,
    /// Cross-entropy of the sigmoid.
    BceWithLogits,
}

/// What becomes of the losses of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduced {
    /// They stay.
    Not,
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
}

/// How log-probabilities of classes become a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nll {
    /// What becomes of the losses.
    pub reduced: Reduced,
    /// A class that does not count.
    pub ignore: i64,
}

/// What attention takes besides its tensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attention {
    /// Whether a position sees only itself and those before it.
    pub causal: bool,
    /// The factor of the scores.
    pub scale: f64,
    /// Scores that are left out, if any are.
    pub dropout: Option<Dropped>,
}

/// Scores left out by chance. The way back draws the same ones again, so none is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropped {
    /// The share of them.
    pub p: f64,
    /// What chance begins with.
    pub seed: u64,
}

impl Nn {
    /// The name of PyTorch's own operation.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Linear => "mm",
            Self::LinearBias => "addmm",
            Self::Activate(how) => how.name(),
            Self::ActivationBackward(how) => how.back_name(),
            Self::SoftmaxBackward(_) => "softmax_backward",
            Self::LogSoftmaxBackward(_) => "log_softmax_backward",
            Self::Norm(it) => match it.how {
                NormKind::Layer => "native_layer_norm",
                NormKind::Rms => "fused_rms_norm",
            },
            Self::NormBackward(it) | Self::NormAffineBackward(it) => match it.how {
                NormKind::Layer => "native_layer_norm_backward",
                NormKind::Rms => "fused_rms_norm_backward",
            },
            Self::Loss(how, _) => how.name(),
            Self::LossBackward(how, _) => how.back_name(),
            Self::Nll(_) => "nll_loss",
            Self::NllBackward(..) => "nll_loss_backward",
            Self::Embedding(_) => "embedding",
            Self::EmbeddingBackward { .. } => "embedding_backward",
            Self::Dropout(_) => "native_dropout",
            Self::Attention(_) => "scaled_dot_product_attention",
            Self::AttentionBackward(_) => "scaled_dot_product_attention_backward",
            Self::FoundInf => "non_finite_check",
        }
    }

    /// Whether the matrix units do its work.
    pub fn is_product(&self) -> bool {
        matches!(
            self,
            Self::Linear | Self::LinearBias | Self::Attention(_) | Self::AttentionBackward(_)
        )
    }

    /// The type of the result.
    pub(super) fn dtype(&self, inputs: &[&Meta]) -> Result<DType, TorchError> {
        let of = |at: usize| inputs.get(at).map(|it| it.dtype);
        let first = of(0).unwrap_or(DType::F32);
        match self {
            Self::Linear => match inputs {
                [input, weight, ..] => of_product(input, weight),
                _ => Ok(first),
            },
            Self::LinearBias => match of(1) {
                Some(weight) if weight != first => Err(TorchError::runtime(format!(
                    "mat1 and mat2 must have the same dtype, but got {} and {}",
                    first.scalar_name(),
                    weight.scalar_name()
                ))),
                _ => match of(2).filter(|bias| *bias != first) {
                    Some(bias) => Err(TorchError::runtime(format!(
                        "self and mat2 must have the same dtype, but got {} and {}",
                        bias.scalar_name(),
                        first.scalar_name()
                    ))),
                    None => Ok(first),
                },
            },
            Self::Activate(how) if !first.is_float() => Err(not_for(how.kernel(), first)),
            Self::Norm(it) if !first.is_float() => Err(not_for(it.kernel(), first)),
            Self::Norm(_) => match of(1) {
                Some(weight)
                    if weight != first
                        && !(matches!(first, DType::F16 | DType::BF16) && weight == DType::F32) =>
                {
                    Err(TorchError::runtime(
                        "mixed dtype (CPU): expect parameter to have scalar type of Float",
                    ))
                }
                _ => Ok(first),
            },
            Self::NormBackward(_) | Self::LossBackward(..) => Ok(of(1).unwrap_or(first)),
            Self::NormAffineBackward(_) => Ok(of(2).unwrap_or(first)),
            Self::Loss(Pointwise::Bce, _) => match of(1).filter(|it| *it != first) {
                Some(target) => Err(TorchError::runtime(format!(
                    "Found dtype {} but expected {}",
                    target.scalar_name(),
                    first.scalar_name()
                ))),
                None => Ok(first),
            },
            Self::Loss(..) => Ok(of(1).map_or(first, |target| first.promote(target))),
            Self::Embedding(_) => shapes::index_type(of(1).unwrap_or(DType::I64)).map(|()| first),
            Self::Attention(_) => shapes::attention_types(inputs).map(|()| first),
            Self::FoundInf => Ok(DType::F32),
            Self::Activate(_)
            | Self::ActivationBackward(_)
            | Self::SoftmaxBackward(_)
            | Self::LogSoftmaxBackward(_)
            | Self::Nll(_)
            | Self::NllBackward(..)
            | Self::EmbeddingBackward { .. }
            | Self::Dropout(_)
            | Self::AttentionBackward(_) => Ok(first),
        }
    }
}

fn not_for(kernel: &str, dtype: DType) -> TorchError {
    TorchError::missing(format!(
        "\"{kernel}\" not implemented for '{}'",
        dtype.scalar_name()
    ))
}

impl Norm {
    fn kernel(self) -> &'static str {
        match self.how {
            NormKind::Layer => "LayerNormKernelImpl",
            NormKind::Rms => "rms_norm",
        }
    }
}

impl Activation {
    /// What its way back needs.
    pub fn saved_operand(self) -> SavedOperand {
        match self {
            Self::Relu | Self::Tanh | Self::Sigmoid => SavedOperand::Result,
            Self::Gelu
            | Self::GeluTanh
            | Self::Silu
            | Self::Softplus { .. }
            | Self::LogSigmoid
            | Self::LeakyRelu(_)
            | Self::Elu { .. }
            | Self::Hardtanh { .. }
            | Self::Mish => SavedOperand::Input,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Relu => "relu",
            Self::Tanh => "tanh",
            Self::Sigmoid => "sigmoid",
            Self::Gelu | Self::GeluTanh => "gelu",
            Self::Silu => "silu",
            Self::Softplus { .. } => "softplus",
            Self::LogSigmoid => "log_sigmoid",
            Self::LeakyRelu(_) => "leaky_relu",
            Self::Elu { .. } => "elu",
            Self::Hardtanh { .. } => "hardtanh",
            Self::Mish => "mish",
        }
    }

    fn back_name(self) -> &'static str {
        match self {
            Self::Relu => "threshold_backward",
            Self::Tanh => "tanh_backward",
            Self::Sigmoid => "sigmoid_backward",
            Self::Gelu | Self::GeluTanh => "gelu_backward",
            Self::Silu => "silu_backward",
            Self::Softplus { .. } => "softplus_backward",
            Self::LogSigmoid => "log_sigmoid_backward",
            Self::LeakyRelu(_) => "leaky_relu_backward",
            Self::Elu { .. } => "elu_backward",
            Self::Hardtanh { .. } => "hardtanh_backward",
            Self::Mish => "mish_backward",
        }
    }

    /// What PyTorch calls its code on the CPU, which its words for a wrong type name.
    fn kernel(self) -> &'static str {
        match self {
            Self::Relu => "relu_cpu",
            Self::Tanh => "tanh_cpu",
            Self::Sigmoid => "sigmoid_cpu",
            Self::Gelu | Self::GeluTanh => "GeluKernelImpl",
            Self::Silu => "silu_cpu",
            Self::Softplus { .. } => "softplus_cpu",
            Self::LogSigmoid => "log_sigmoid_cpu",
            Self::LeakyRelu(_) => "leaky_relu_cpu",
            Self::Elu { .. } => "elu_cpu",
            Self::Hardtanh { .. } => "hardtanh_cpu",
            Self::Mish => "mish_cpu",
        }
    }
}

impl Pointwise {
    fn name(self) -> &'static str {
        match self {
            Self::Mse => "mse_loss",
            Self::SmoothL1(_) => "smooth_l1_loss",
            Self::Huber(_) => "huber_loss",
            Self::Bce => "binary_cross_entropy",
            Self::BceWithLogits => "binary_cross_entropy_with_logits",
        }
    }

    fn back_name(self) -> &'static str {
        match self {
            Self::Mse => "mse_loss_backward",
            Self::SmoothL1(_) => "smooth_l1_loss_backward",
            Self::Huber(_) => "huber_loss_backward",
            Self::Bce => "binary_cross_entropy_backward",
            Self::BceWithLogits => "binary_cross_entropy_with_logits_backward",
        }
    }
}
