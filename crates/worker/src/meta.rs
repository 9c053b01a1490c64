//! Metadata of tensors and operations, without values: shape, element type, cost, kind of kernel.

use super::dtype::{DType, PromotionCategory};
use super::shape::{self, Shape};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) shape: Shape,
    pub(crate) dtype: DType,
}

impl Meta {
    pub(crate) fn new(shape: Shape, dtype: DType) -> Self {
        Self { shape, dtype }
    }

    /// The number of its elements (`numel`).
    pub(crate) fn count(&self) -> u64 {
        shape::count(&self.shape)
    }

    /// Its size in bytes (`nbytes`).
    pub(crate) fn bytes(&self) -> u64 {
        self.count().saturating_mul(self.dtype.size())
    }

    /// Its category in type promotion: PyTorch treats a 0-dim tensor apart.
    pub(crate) fn promotion_category(&self) -> PromotionCategory {
        if self.shape.is_empty() {
            PromotionCategory::ZeroDim
        } else {
            PromotionCategory::Tensor
        }
    }
}

/// The cost of an operation, the same on every device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) flops: u64,
    pub(crate) bytes: u64,
}

impl Cost {
    /// The cost of moving bytes without computing anything.
    pub(crate) fn moving(bytes: u64) -> Self {
        Self { flops: 0, bytes }
    }
}

/// Operations for a random number: of ten rounds of Philox, four numbers come at a time; and those of Box and Muller for a
/// normal one. On an H200, 64 Mi numbers of `randn` take 158 µs and the dropout of as many 191, beyond the memory 92 and 43
/// (PyTorch 2.11, 2026-11).
pub(crate) const UNIFORM_OPERATIONS: u64 = 43;
pub(crate) const NORMAL_OPERATIONS: u64 = 92;

/// The kind of kernel that does an operation, from which a modelled card takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelKind {
    /// Every element by itself, in the order of the memory.
    Elementwise,
    /// Elements copied, perhaps with another type.
    Copy,
    /// Elements copied from rows to columns.
    Transpose,
    /// Rows or columns as a whole: sums, softmax.
    Reduction,
    /// Sums over columns so long that their parts are sums of other blocks, which pass through memory.
    ColumnParts,
    /// Columns, of which a thread goes down one with so many loads, each of which it waits for.
    ColumnWalk {
        loads: u64,
    },
    /// Rows or columns as a whole, twice: statistics, then elements in terms of them.
    Norm,
    /// Runs of this many bytes at positions that indices name.
    Indexed {
        run: u64,
    },
    /// Random numbers, drawn in so many operations.
    Random {
        operations: u64,
    },
    /// A radix sort or selection, which counts so many digits.
    Radix {
        digits: u64,
    },
    Gemm(Gemm),
    Convolution(Convolution),
    /// A recurrent layer: a product for all inputs, `passes` times, and one for each of so many steps.
    Recurrent {
        inputs: Gemm,
        step: Gemm,
        steps: u64,
        passes: u64,
    },
    Attention(AttentionWork),
    /// One kernel for several tensors, such as those of `torch._foreach_add_`.
    MultiTensor {
        tensors: u64,
    },
}

/// A library for matrix products that works in memory of PyTorch's allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlasLibrary {
    Cublas,
    /// It adds a bias to the product in the same kernel.
    CublasLt,
}

/// What cuDNN needs besides the tensors of a call, in bytes of PyTorch's allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CudnnMemory {
    Convolution(ConvolutionMemory),
    Recurrent(RecurrentMemory),
}

/// What the algorithms of a convolution work in, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConvolutionMemory {
    /// Input and result in the order that tensor cores need: the channels of a pixel as neighbours.
    pub(crate) reordered: u64,
    /// The input as a matrix: a row for each window.
    pub(crate) lowered: u64,
    /// Fourier transforms of the tiles of input, weight and result.
    pub(crate) transforms: u64,
    /// What tells calls of different shapes apart: the product, and the elements of input, weight and result.
    pub(crate) shape: [u64; 4],
}

/// What a recurrent layer works in, and what it keeps for backward, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecurrentMemory {
    pub(crate) workspace: u64,
    /// The reserve space, until backward has run.
    pub(crate) reserve: u64,
}

impl KernelKind {
    /// The same work where the rows of the first tensor are columns in memory.
    #[must_use]
    pub(crate) fn reading_columns(self) -> Self {
        match self {
            Self::Copy => Self::Transpose,
            Self::Gemm(it) => Self::Gemm(it.transposed()),
            Self::Elementwise
            | Self::Transpose
            | Self::Reduction
            | Self::ColumnParts
            | Self::ColumnWalk { .. }
            | Self::Norm
            | Self::Indexed { .. }
            | Self::Random { .. }
            | Self::Radix { .. }
            | Self::Convolution(_)
            | Self::Recurrent { .. }
            | Self::Attention(_)
            | Self::MultiTensor { .. } => self,
        }
    }
}

/// Fused attention: the scores stay on the chip. It computes whole blocks of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttentionWork {
    pub(crate) kernel: AttentionKernel,
    /// Operations of the products.
    pub(crate) flops: u64,
    /// How often it does what a score needs beyond the products, above all its exponential.
    pub(crate) scores: u64,
}

/// A fused kernel for attention (`torch.nn.attention.SDPBackend`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttentionKernel {
    Flash,
    /// Memory-efficient attention of xFormers. It takes `float32` and masks, too.
    Efficient,
}

/// A convolution as an implicit product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Convolution {
    pub(crate) product: Gemm,
    /// Elements of both inputs and of its result. Kernels for tensor cores take the channels of a pixel as neighbours, so
    /// that cuDNN first copies inputs that have the pixels of a channel as neighbours (`nchwToNhwcKernel`), and may have to
    /// copy the result back.
    pub(crate) inputs: u64,
    pub(crate) result: u64,
    pub(crate) window: Window,
    /// Elements to which a kernel of PyTorch's adds a bias afterwards.
    pub(crate) biased: u64,
}

/// What kernels there are for a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// 3 × 3 with a stride of 1, for which there is Winograd's algorithm.
    Winograd,
    Other,
}

/// A matrix product of `m` × `k` by `k` × `n`, for each of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gemm {
    pub(crate) batch: u64,
    pub(crate) m: u64,
    pub(crate) n: u64,
    pub(crate) k: u64,
    /// The largest power of two that divides the lengths of all rows in memory, in elements.
    pub(crate) alignment: u64,
}

impl Gemm {
    /// A product whose matrices lie in memory row by row.
    pub(crate) fn new(batch: u64, [m, n, k]: [u64; 3]) -> Self {
        Self {
            batch,
            m,
            n,
            k,
            alignment: power_of_two(n).min(power_of_two(k)),
        }
    }

    /// A product with the transpose of the second matrix, as in a linear layer: both are read along rows of `k`.
    pub(crate) fn by_rows(batch: u64, [m, n, k]: [u64; 3]) -> Self {
        Self {
            batch,
            m,
            n,
            k,
            alignment: power_of_two(k),
        }
    }

    /// The product of a convolution, whose rows in memory are pixels with all their channels.
    pub(crate) fn of_channels(batch: u64, [m, n, k]: [u64; 3], channels: [u64; 2]) -> Self {
        let alignment = channels.map(power_of_two).into_iter().min().unwrap_or(1);
        Self {
            batch,
            m,
            n,
            k,
            alignment,
        }
    }

    /// Whether one of its factors is a vector.
    pub(crate) fn is_of_vector(self) -> bool {
        self.m == 1 || self.n == 1
    }

    /// The same product of a first matrix whose columns lie in a row in memory.
    #[must_use]
    fn transposed(self) -> Self {
        Self {
            alignment: self.alignment.min(power_of_two(self.m)),
            ..self
        }
    }
}

/// The largest power of two that divides a length. A row of one element is as good as aligned: the matrix is a
/// vector.
fn power_of_two(length: u64) -> u64 {
    if length <= 1 {
        return 1 << 16;
    }
    1 << length.trailing_zeros().min(16)
}
