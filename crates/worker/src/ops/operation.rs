//! What the table holds for each operation.
//!
//! A gradient, a cost and what is saved for backward have no default: an operation without them says so.

use super::formula::{AutogradOf, Backward, Gradient};
use crate::dtype::{DType, default_float};
use crate::error::TorchError;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{BlasLibrary, Cost, CudnnMemory, KernelKind, Meta};
use crate::shape::{self, Shape};
use candle_core::Tensor;
use smallvec::SmallVec;

pub(crate) trait Operation: Dispatch {
    /// PyTorch's name, for spans and messages.
    fn name(&self) -> &'static str;

    /// Shape and element type of the result, or PyTorch's refusal of the inputs.
    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError>;

    /// Floating point operations, and bytes between memory and cores.
    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost;

    /// The values of the result.
    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult;

    /// Bytes that the host needs for a moment to compute the values, beside inputs and results, where that is much.
    fn host_scratch(&self, _inputs: &[&Meta], _result: &Meta) -> u64 {
        0
    }

    /// The tensors that backward needs, as in PyTorch. `wants` says which inputs require gradients.
    ///
    /// They stay charged as activations until backward has run. All others reach [`Operation::gradient`] without
    /// values.
    fn saved(&self, wants: &dyn Fn(usize) -> bool) -> Saved;

    /// The gradients of the inputs, given that of the result.
    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A>
    where
        Self: Sized;

    /// The name of PyTorch's backward function and the number of its overload, as in `grad_fn=<AddBackward0>`;
    /// `rank` is that of the result.
    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        (self.name(), 0)
    }

    /// How the result lies in memory.
    fn order(&self) -> ResultOrder {
        ResultOrder::RowMajor
    }

    /// Whether PyTorch copies the last input, and changes the copy in place.
    fn copies_first(&self) -> bool {
        false
    }

    /// Whether PyTorch's node saves the Python number beside the tensor. Then a second backward fails as freed even
    /// if no tensor was saved.
    fn saves_number(&self) -> bool {
        false
    }

    /// The error for the gradient of a backward kernel, where PyTorch has one and we do not.
    fn no_second_gradient(&self) -> TorchError {
        TorchError::missing(format!(
            "the gradient of the gradient of this ({}) is not part of warpup; PyTorch has it",
            self.name()
        ))
    }

    /// The first `N` of the inputs.
    fn operands<'a, T, const N: usize>(&self, inputs: &'a [T]) -> Result<&'a [T; N], TorchError>
    where
        Self: Sized,
    {
        inputs
            .first_chunk()
            .ok_or_else(|| TorchError::runtime(format!("{} needs more tensors", self.name())))
    }
}

/// How cards, devices and `torch.autocast` treat an operation. The defaults are those of an elementwise one.
pub(crate) trait Dispatch {
    /// The kernel of a card that does the work.
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Elementwise
    }

    /// The library that PyTorch calls for it on a card, if that one works in memory of its own.
    fn library(&self, _inputs: &[&Meta], _result: &Meta) -> Option<BlasLibrary> {
        None
    }

    /// What cuDNN needs for it on a card, if PyTorch calls cuDNN.
    fn cudnn_memory(&self, _inputs: &[&Meta], _result: &Meta) -> Option<CudnnMemory> {
        None
    }

    /// Whether products of `float32` take the faster units with fewer digits (TF32).
    fn takes_tf32(&self, allowed: AllowTf32) -> bool {
        allowed.products
    }

    /// What `torch.autocast` does with the inputs.
    fn autocast(&self) -> Autocast {
        Autocast::Unchanged
    }

    /// How inputs on two devices are treated.
    fn devices(&self) -> Devices {
        Devices::Same(None)
    }

    /// Whether it reads at indices, so that an index out of range is a device-side assertion on a card.
    fn asserts_indices(&self) -> bool {
        false
    }
}

/// How the result of an operation lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultOrder {
    RowMajor,
    /// In the order of the inputs. It computes element by element, so that the order does not matter to it.
    OfInputs,
    /// In the order of the first input, without its gaps.
    OfFirst,
    /// The same on a card, and row-major on the CPU.
    OfFirstOnCards,
}

/// Where a program lets `float32` take the faster units with fewer digits (TF32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AllowTf32 {
    /// In matrix products: `torch.backends.cuda.matmul.allow_tf32`.
    pub(crate) products: bool,
    /// In convolutions and recurrent layers: `torch.backends.cudnn.allow_tf32`.
    pub(crate) cudnn: bool,
}

/// A tensor that an operation reads or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Input(usize),
    Result,
}

pub(crate) type Saved = SmallVec<[Operand; 4]>;

impl From<Operand> for Saved {
    fn from(it: Operand) -> Self {
        std::iter::once(it).collect()
    }
}

/// The inputs from one position up to another, all saved.
pub(super) fn inputs(range: std::ops::Range<usize>) -> Saved {
    range.map(Operand::Input).collect()
}

/// What is saved for a product: the gradient of each factor needs the other one.
pub(super) fn each_for_the_other(
    wants: &dyn Fn(usize) -> bool,
    [first, second]: [usize; 2],
) -> Saved {
    let mut saved = Saved::new();
    if wants(second) {
        saved.push(Operand::Input(first));
    }
    if wants(first) {
        saved.push(Operand::Input(second));
    }
    saved
}

/// What `torch.autocast` does with the inputs of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Autocast {
    Lower,
    Float32,
    /// They become `float32` on a card, and stay what they are on the CPU.
    Float32OnCards,
    Widest,
    Unchanged,
    /// The operation is refused on a card with this message, and runs in `float32` on the CPU.
    RefusedOnCards(&'static str),
}

/// How an operation treats inputs on two devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Devices {
    /// All are on the same device; the error names this argument, if PyTorch names one.
    Same(Option<Argument>),
    /// Scalar tensors may be on the CPU.
    CpuScalarsToo,
}

impl Devices {
    /// Refuses two devices with the name of an argument and of PyTorch's function.
    pub(super) fn same(argument: &'static str, function: &'static str) -> Self {
        Self::Same(Some(Argument {
            name: argument,
            last: argument,
            function,
        }))
    }

    /// The same where the last of three inputs has another name.
    pub(super) fn same_of_three(
        argument: &'static str,
        last: &'static str,
        function: &'static str,
    ) -> Self {
        Self::Same(Some(Argument {
            name: argument,
            last,
            function,
        }))
    }
}

/// An argument as PyTorch's error for two devices names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    /// The name of the third input.
    pub(crate) last: &'static str,
    /// The function of PyTorch's that checks it.
    pub(crate) function: &'static str,
}

impl Argument {
    /// The argument that is this input, counted from 0.
    pub(crate) fn of_input(self, at: usize) -> Self {
        let name = if at == 2 { self.last } else { self.name };
        Self { name, ..self }
    }
}

/// Shape and type of an input; those of an empty `float32` scalar where there is none.
pub(super) fn first(inputs: &[&Meta]) -> Meta {
    let first = inputs.first().map(|it| (*it).clone());
    first.unwrap_or_else(|| Meta::new(Shape::new(), DType::F32))
}

/// What all shapes broadcast to, beginning with the first.
pub(super) fn broadcast_all(inputs: &[&Meta]) -> Result<Shape, TorchError> {
    let rest = inputs.iter().skip(1);
    rest.clone().try_fold(first(inputs).shape, |shape, next| {
        if shape == next.shape {
            Ok(shape)
        } else {
            shape::broadcast(&shape, &next.shape)
        }
    })
}

/// A shape with another size of one dimension.
pub(super) fn resized(mut shape: Shape, dim: usize, size: usize) -> Shape {
    if let Some(it) = shape.get_mut(dim) {
        *it = size;
    }
    shape
}

/// Bytes of all inputs and of the result: each is read or written once.
pub(super) fn all_bytes(inputs: &[&Meta], result: &Meta) -> u64 {
    let each = inputs.iter().map(|it| it.bytes());
    each.fold(result.bytes(), u64::saturating_add)
}

pub(super) fn most_elements(inputs: &[&Meta], result: &Meta) -> u64 {
    inputs
        .iter()
        .map(|it| it.count())
        .fold(result.count(), u64::max)
}

/// The cost of a kernel that reads and writes everything once, and does this many operations for each element of
/// the largest tensor.
pub(super) fn cost_per_element(inputs: &[&Meta], result: &Meta, flops: u64) -> Cost {
    Cost {
        flops: most_elements(inputs, result).saturating_mul(flops),
        bytes: all_bytes(inputs, result),
    }
}

/// The cost of reading elements at the positions that the second input names: only those of the first are read.
pub(super) fn cost_of_reading_at(inputs: &[&Meta], result: &Meta) -> Cost {
    let index = inputs.get(1).map_or(0, |it| it.bytes());
    Cost::moving(result.bytes().saturating_mul(2).saturating_add(index))
}

/// The types that an operation takes, and the type of its result. PyTorch names a kernel where it refuses a type.
#[derive(Clone, Copy)]
pub(super) enum Types {
    Same,
    /// Integers become the default floating point type.
    Float,
    Bool,
    /// The type stays; bools are refused.
    NoBool(&'static str),
    /// The type stays; integers and bools are refused.
    OnlyFloat(&'static str),
    /// The type stays; floating point numbers are refused.
    NoFloat(&'static str),
    /// The type stays; floating point numbers and bools are refused.
    OnlyIntegers(&'static str),
    Rule(fn(DType) -> Result<DType, TorchError>),
}

impl Types {
    pub(super) fn result(self, of: DType) -> Result<DType, TorchError> {
        let (is_bool, is_float) = (of == DType::Bool, of.is_float());
        match self {
            Self::Float if !is_float => Ok(default_float()),
            Self::Bool => Ok(DType::Bool),
            Self::Rule(rule) => rule(of),
            Self::NoBool(kernel) if is_bool => Err(not_implemented(kernel, of)),
            Self::OnlyFloat(kernel) if !is_float => Err(not_implemented(kernel, of)),
            Self::NoFloat(kernel) if is_float => Err(not_implemented(kernel, of)),
            Self::OnlyIntegers(kernel) if is_float || is_bool => Err(not_implemented(kernel, of)),
            Self::Same
            | Self::Float
            | Self::NoBool(_)
            | Self::OnlyFloat(_)
            | Self::NoFloat(_)
            | Self::OnlyIntegers(_) => Ok(of),
        }
    }
}

/// PyTorch's message for a kernel that a type lacks.
pub(super) fn not_implemented(kernel: &str, dtype: DType) -> TorchError {
    TorchError::missing(format!(
        "\"{kernel}\" not implemented for '{}'",
        dtype.scalar_name()
    ))
}

/// Says of an operation that it has no gradient, and so saves nothing.
macro_rules! not_differentiable {
    () => {
        fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
            Saved::new()
        }

        fn gradient<A: AutogradOf<Self>>(&self, _e: &A, _at: Backward<'_, A>) -> Gradient<A> {
            Ok(Gradients::None)
        }
    };
}
pub(super) use not_differentiable;

/// Defines an enum without fields together with the list of its variants.
macro_rules! variants {
    ($(#[$attribute:meta])* $visibility:vis enum $name:ident { $($variant:ident),* $(,)? }) => {
        $(#[$attribute])*
        $visibility enum $name { $($variant),* }

        impl $name {
            /// All variants, in their order.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
}
pub(super) use variants;
