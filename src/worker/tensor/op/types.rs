//! The dtype rule of each operation, and PyTorch's words for breaking it.

use super::nn::{Activation, Nn};
use super::{Binary, Meta, Op, Reduction, Side, Ternary, Unary};
use crate::worker::tensor::dtype::{Category, DType, Standing, result_type};
use crate::worker::tensor::fault::Fault;

impl Op {
    /// The type of the result.
    pub(super) fn dtype(&self, inputs: &[&Meta]) -> Result<DType, Fault> {
        let first = inputs.first().map_or(DType::F32, |it| it.dtype);
        let standing = inputs.first().map_or(Standing::Tensor, |it| it.standing());
        let second = inputs
            .get(1)
            .map_or((first, Standing::Tensor), |it| (it.dtype, it.standing()));
        match self {
            Self::Unary(Unary::LogicalNot) | Self::Compare(_) | Self::CompareNumber(..) => {
                Ok(DType::Bool)
            }
            Self::Unary(Unary::Neg) if first == DType::Bool => {
                Err(of_truths("Negation", "on a bool tensor"))
            }
            Self::Unary(Unary::Gelu) if !first.is_float() => {
                Self::Nn(Nn::Activate(Activation::Gelu)).dtype(inputs)
            }
            Self::Unary(how) if first.is_float() || how.keeps_integers() => Ok(first),
            Self::Unary(_) => Ok(DType::F32),
            Self::Binary(how) => of_two(*how, (first, standing), second),
            Self::AddScaled(_) => of_two(Binary::Add, (first, standing), second),
            Self::Ternary(how) => of_three(*how, inputs),
            Self::Towards(_) => of_way(first, inputs.get(1).map_or(first, |it| it.dtype)),
            Self::WithNumber {
                how,
                kind,
                number,
                side,
            } => of_number(*how, (first, standing), (*kind, *number), *side),
            Self::MatMul => of_product(first, inputs.get(1).map_or(first, |it| it.dtype)),
            Self::Reduce(Reduction::Sum, ..) if !first.is_float() => Ok(DType::I64),
            Self::Reduce(Reduction::Mean, ..) if !first.is_float() => Err(Fault::missing(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                first.scalar_name()
            ))),
            Self::Softmax(_) | Self::LogSoftmax(_) if !first.is_float() => {
                Err(Fault::missing(format!(
                    "\"{}_lastdim_kernel_impl\" not implemented for '{}'",
                    self.name(),
                    first.scalar_name()
                )))
            }
            Self::Arg(..) => Ok(DType::I64),
            Self::IndexSelect(_) => {
                let found = inputs.get(1).map_or(DType::I64, |it| it.dtype);
                index(
                    found,
                    "index_select(): Expected dtype int32 or int64 for index",
                )?;
                Ok(first)
            }
            Self::Gather(_) => {
                let found = inputs.get(1).map_or(DType::I64, |it| it.dtype);
                index(found, "gather(): Expected dtype int32/int64 for index")?;
                Ok(first)
            }
            Self::Where => of_choice(inputs),
            Self::Cast(to) => Ok(*to),
            Self::Cat(_) => Ok(inputs.iter().map(|it| it.dtype).fold(first, DType::promote)),
            Self::Nn(it) => it.dtype(inputs),
            Self::Reduce(..)
            | Self::Softmax(_)
            | Self::LogSoftmax(_)
            | Self::View(_)
            | Self::ScatterAdd(..)
            | Self::IndexAdd(..)
            | Self::Index(_)
            | Self::Clone
            | Self::Tril(_) => Ok(first),
            Self::IndexPut(..) => of_put(first, inputs.get(1).map_or(first, |it| it.dtype)),
        }
    }
}

/// The types that say where something is.
fn index(found: DType, otherwise: &str) -> Result<(), Fault> {
    match found {
        DType::I32 | DType::I64 => Ok(()),
        DType::Bool
        | DType::U8
        | DType::I16
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => Err(Fault::runtime(otherwise)),
    }
}

/// The type of arithmetic on a tensor and a Python number.
fn of_number(
    how: Binary,
    tensor: (DType, Standing),
    (kind, number): (Category, f64),
    side: Side,
) -> Result<DType, Fault> {
    let exponent = how == Binary::Pow && side == Side::Right;
    if exponent && number < 0.0 && kind != Category::Float && !tensor.0.is_float() {
        return Err(Fault::runtime(
            "Integers to negative integer powers are not allowed.",
        ));
    }
    let number = match kind {
        Category::Bool => DType::Bool,
        Category::Int => DType::I64,
        Category::Float => DType::F64,
    };
    of_two(how, tensor, (number, Standing::Number))
}

/// The type of arithmetic on two operands.
fn of_two(how: Binary, a: (DType, Standing), b: (DType, Standing)) -> Result<DType, Fault> {
    if how == Binary::Sub {
        no_truths(a.0, b.0)?;
    }
    Ok(of_arithmetic(how, result_type(a, b)))
}

fn of_three(how: Ternary, inputs: &[&Meta]) -> Result<DType, Fault> {
    match inputs {
        [a, b, c] => how.dtype([a, b, c]),
        _ => Err(Fault::runtime(format!("{} needs more tensors", how.name()))),
    }
}

fn of_put(into: DType, values: DType) -> Result<DType, Fault> {
    if into == values {
        return Ok(into);
    }
    Err(Fault::runtime(format!(
        "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
        into.scalar_name(),
        values.scalar_name()
    )))
}

fn of_way(a: DType, b: DType) -> Result<DType, Fault> {
    if a == b {
        return Ok(a);
    }
    Err(Fault::runtime(format!(
        "expected dtype {} for `end` but got dtype {}",
        torch_name(a),
        torch_name(b)
    )))
}

pub(super) fn of_product(a: DType, b: DType) -> Result<DType, Fault> {
    if a == b {
        return Ok(a);
    }
    Err(Fault::runtime(format!(
        "expected m1 and m2 to have the same dtype, but got: {} != {}",
        torch_name(a),
        torch_name(b)
    )))
}

fn of_choice(inputs: &[&Meta]) -> Result<DType, Fault> {
    let (condition, choices) = inputs
        .split_first()
        .ok_or_else(|| Fault::runtime("where needs tensors"))?;
    if condition.dtype != DType::Bool {
        return Err(Fault::runtime(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            condition.dtype.scalar_name()
        )));
    }
    let typed = choices.iter().map(|it| (it.dtype, it.standing()));
    let wide = typed.reduce(|a, b| {
        let standing = if a.1 == Standing::Tensor { a.1 } else { b.1 };
        (result_type(a, b), standing)
    });
    Ok(wide.map_or(condition.dtype, |it| it.0))
}

/// `torch.float32` and the like, as C++ names them in this one message.
pub(super) fn torch_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "unsigned char",
        DType::I16 => "short int",
        DType::I32 => "int",
        DType::I64 => "long int",
        DType::F16 => "c10::Half",
        DType::BF16 => "c10::BFloat16",
        DType::F32 => "float",
        DType::F64 => "double",
    }
}

/// PyTorch subtracts no truth values.
fn no_truths(a: DType, b: DType) -> Result<(), Fault> {
    match (a, b) {
        (DType::Bool, DType::Bool) => Err(Fault::missing(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
        )),
        (DType::Bool, _) | (_, DType::Bool) => Err(of_truths("Subtraction", "with a bool tensor")),
        _ => Ok(()),
    }
}

fn of_truths(what: &str, where_: &str) -> Fault {
    Fault::missing(format!(
        "{what}, the `-` operator, {where_} is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
    ))
}

fn of_arithmetic(how: Binary, wide: DType) -> DType {
    match how {
        Binary::Div if !wide.is_float() => DType::F32,
        Binary::Div
        | Binary::Add
        | Binary::Sub
        | Binary::Mul
        | Binary::FloorDiv
        | Binary::Remainder
        | Binary::Pow
        | Binary::Maximum
        | Binary::Minimum => wide,
    }
}
