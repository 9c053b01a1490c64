//! Activation functions with parameters or a fused backward kernel.
//!
//! The first four are unary operations, too; they are here for their backward kernels.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Autocast, Dispatch, Operand, Operation, ResultOrder, Saved, cost_per_element, first,
    not_implemented,
};
use crate::error::TorchError;
use crate::kernels::elementwise::{map, zip};
use crate::kernels::fast::{self, backward};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::scalar::{sigmoid, softplus};
use crate::meta::{Cost, Meta};
use candle_core::Tensor;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, FRAC_2_SQRT_PI};

/// An activation or its backward kernel; the tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Activate {
    /// The activation (input).
    Forward(Activation),
    /// The gradient of its input (gradient, and the input or the result: whichever is saved).
    Backward(Activation),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Activation {
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
    Hardtanh { min: f64, max: f64 },
    Mish,
}

struct ActivationFacts {
    name: &'static str,
    backward_name: &'static str,
    /// PyTorch's name of its kernel on the CPU, which its message for a wrong type has.
    kernel: &'static str,
    saved: Operand,
}

impl Activation {
    #[rustfmt::skip] // A table: one activation a line.
    fn row(self) -> ActivationFacts {
        let row = |name, backward_name, kernel, saved| ActivationFacts {
            name,
            backward_name,
            kernel,
            saved,
        };
        let input = Operand::Input(0);
        match self {
            Self::Relu => row("relu", "threshold_backward", "relu_cpu", Operand::Result),
            Self::Tanh => row("tanh", "tanh_backward", "tanh_cpu", Operand::Result),
            Self::Sigmoid => row("sigmoid", "sigmoid_backward", "sigmoid_cpu", Operand::Result),
            Self::Gelu | Self::GeluTanh => row("gelu", "gelu_backward", "GeluKernelImpl", input),
            Self::Silu => row("silu", "silu_backward", "silu_cpu", input),
            Self::Softplus { .. } => row("softplus", "softplus_backward", "softplus_cpu", input),
            Self::LogSigmoid => row("log_sigmoid", "log_sigmoid_backward", "log_sigmoid_cpu", input),
            Self::LeakyRelu(_) => row("leaky_relu", "leaky_relu_backward", "leaky_relu_cpu", input),
            Self::Elu { .. } => row("elu", "elu_backward", "elu_cpu", input),
            Self::Hardtanh { .. } => row("hardtanh", "hardtanh_backward", "hardtanh_cpu", input),
            Self::Mish => row("mish", "mish_backward", "mish_cpu", input),
        }
    }

    fn forward(self, host: &Host, a: &Tensor) -> KernelResult {
        if let Some(made) = self.fast_forward(a) {
            return Ok(made?);
        }
        Ok(match self {
            Self::Relu => fast::relu(a)?,
            Self::Tanh => fast::tanh(a)?,
            Self::Sigmoid => fast::sigmoid(a)?,
            Self::Gelu => fast::gelu(a)?,
            Self::GeluTanh => fast::gelu_tanh(a)?,
            Self::Silu => fast::silu(a)?,
            Self::LeakyRelu(slope) if is_on_card(a) => candle_nn::ops::leaky_relu(a, slope)?,
            Self::LeakyRelu(slope) => map(host, a, |x| if x > 0.0 { x } else { x * slope })?,
            Self::Elu { alpha, scale } if !is_on_card(a) => {
                let below = |x: f64| x.exp_m1() * alpha;
                map(host, a, |x| scale * if x > 0.0 { x } else { below(x) })?
            }
            Self::Elu { alpha, scale: 1.0 } => a.elu(alpha)?,
            Self::Elu { alpha, scale } => a.elu(alpha)?.affine(scale, 0.0)?,
            Self::Hardtanh { min, max } => a.clamp(min, max)?,
            Self::Softplus { beta, threshold } => map(host, a, |x| softplus(x, beta, threshold))?,
            Self::LogSigmoid => map(host, a, |x| 0.0 - softplus(-x, 1.0, f64::MAX))?,
            Self::Mish => map(host, a, |x| x * softplus(x, 1.0, 20.0).tanh())?,
        })
    }

    /// For `float32` on the host, those that candle has no wide instructions for.
    fn fast_forward(self, a: &Tensor) -> Option<candle_core::Result<Tensor>> {
        match self {
            Self::LeakyRelu(slope) => fast::with_one(fast::LeakyRelu { slope }, a),
            Self::Elu { alpha, scale } => fast::with_one(fast::Elu { alpha, scale }, a),
            Self::Hardtanh { min, max } => fast::with_one(fast::Hardtanh { min, max }, a),
            Self::Softplus {
                beta: 1.0,
                threshold: 20.0,
            } => fast::softplus(a),
            Self::LogSigmoid => fast::log_sigmoid(a),
            Self::Softplus { .. }
            | Self::Relu
            | Self::Tanh
            | Self::Sigmoid
            | Self::Gelu
            | Self::GeluTanh
            | Self::Silu
            | Self::Mish => None,
        }
    }

    fn backward(self, host: &Host, [grad, saved]: [&Tensor; 2]) -> KernelResult {
        if is_on_card(grad)
            && let Some(slope) = self.slope_on_card(saved)?
        {
            return Ok(grad.mul(&slope)?);
        }
        if let Some(made) = self.fast_backward(grad, saved) {
            return Ok(made?);
        }
        Ok(match self {
            Self::Relu => grad.mul(&saved.gt(0.0)?.to_dtype(grad.dtype())?)?,
            Self::Tanh => grad.mul(&saved.sqr()?.affine(-1.0, 1.0)?)?,
            Self::Sigmoid => grad.mul(saved)?.mul(&saved.affine(-1.0, 1.0)?)?,
            Self::Gelu
            | Self::GeluTanh
            | Self::Silu
            | Self::Softplus { .. }
            | Self::LogSigmoid
            | Self::LeakyRelu(_)
            | Self::Elu { .. }
            | Self::Hardtanh { .. }
            | Self::Mish => zip(host, saved, grad, |x, grad| grad * self.slope(x))?,
        })
    }

    /// The same for `float32` on the host, for the activations that training uses most.
    fn fast_backward(self, grad: &Tensor, saved: &Tensor) -> Option<candle_core::Result<Tensor>> {
        match self {
            Self::Relu => fast::with_two(backward::Relu, grad, saved),
            Self::Tanh => fast::with_two(backward::Tanh, grad, saved),
            Self::Sigmoid => fast::with_two(backward::Sigmoid, grad, saved),
            Self::Gelu => fast::with_two(backward::Gelu, grad, saved),
            Self::GeluTanh => fast::with_two(backward::GeluTanh, grad, saved),
            Self::Silu => fast::with_two(backward::Silu, grad, saved),
            Self::Softplus { .. }
            | Self::LogSigmoid
            | Self::LeakyRelu(_)
            | Self::Elu { .. }
            | Self::Hardtanh { .. }
            | Self::Mish => None,
        }
    }

    /// The slope at the input, or at the result where that is saved.
    fn slope(self, x: f64) -> f64 {
        match self {
            Self::Relu => f64::from(u8::from(x > 0.0)),
            Self::Tanh => 1.0 - x * x,
            Self::Sigmoid => x * (1.0 - x),
            Self::Gelu => {
                let phi = 0.5 * (1.0 + candle_core::cpu::erf::erf_f64(x * FRAC_1_SQRT_2));
                let density = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
                phi + x * density * (-0.5 * x * x).exp()
            }
            Self::GeluTanh => {
                let (root, cubic) = (FRAC_2_PI.sqrt(), 0.044_715);
                let tanh = (root * (x + cubic * x.powi(3))).tanh();
                let inner = root * (1.0 + 3.0 * cubic * x * x);
                0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * inner
            }
            Self::Silu => {
                let share = sigmoid(x);
                share * (1.0 + x * (1.0 - share))
            }
            Self::Softplus { beta, threshold } if x * beta > threshold => 1.0,
            Self::Softplus { beta, .. } => sigmoid(x * beta),
            Self::LogSigmoid => sigmoid(-x),
            Self::LeakyRelu(_) if x > 0.0 => 1.0,
            Self::LeakyRelu(slope) => slope,
            Self::Elu { scale, .. } if x > 0.0 => scale,
            Self::Elu { alpha, scale } => scale * alpha * x.exp(),
            Self::Hardtanh { min, max } => f64::from(u8::from(x > min && x < max)),
            Self::Mish => {
                let tanh = softplus(x, 1.0, 20.0).tanh();
                tanh + x * (1.0 - tanh * tanh) * sigmoid(x)
            }
        }
    }

    /// The same with candle's kernels, for the activations that training uses most.
    fn slope_on_card(self, x: &Tensor) -> candle_core::Result<Option<Tensor>> {
        Ok(match self {
            Self::Gelu => {
                let phi = x.affine(FRAC_1_SQRT_2, 0.0)?.erf()?.affine(0.5, 0.5)?;
                let density = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
                let bell = x.sqr()?.affine(-0.5, 0.0)?.exp()?.affine(density, 0.0)?;
                Some(phi.add(&x.mul(&bell)?)?)
            }
            Self::GeluTanh => {
                let (root, cubic) = (FRAC_2_PI.sqrt(), 0.044_715);
                let square = x.sqr()?;
                let inside = x.mul(&square.affine(root * cubic, root)?)?;
                let tanh = inside.tanh()?;
                let inner = square.affine(3.0 * root * cubic, root)?;
                let rest = tanh.sqr()?.affine(-1.0, 1.0)?;
                let second = x.mul(&rest)?.mul(&inner)?.affine(0.5, 0.0)?;
                Some(tanh.affine(0.5, 0.5)?.add(&second)?)
            }
            Self::Silu => {
                let share = candle_nn::ops::sigmoid(x)?;
                let inner = x.mul(&share.affine(-1.0, 1.0)?)?.affine(1.0, 1.0)?;
                Some(share.mul(&inner)?)
            }
            Self::LeakyRelu(slope) => {
                let above = x.gt(0.0)?.to_dtype(x.dtype())?;
                Some(above.affine(1.0 - slope, slope)?)
            }
            Self::Relu
            | Self::Tanh
            | Self::Sigmoid
            | Self::Softplus { .. }
            | Self::LogSigmoid
            | Self::Elu { .. }
            | Self::Hardtanh { .. }
            | Self::Mish => None,
        })
    }
}

impl Operation for Activate {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(it) => it.row().name,
            Self::Backward(it) => it.row().backward_name,
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        match self {
            Self::Forward(it) => {
                let input = first(inputs);
                if !input.dtype.is_float() {
                    return Err(not_implemented(it.row().kernel, input.dtype));
                }
                Ok(input)
            }
            Self::Backward(_) => {
                let [grad, saved] = self.operands(inputs)?;
                Ok(Meta::new(saved.shape.clone(), grad.dtype))
            }
        }
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let flops = match self {
            Self::Forward(_) => 1,
            Self::Backward(_) => 2,
        };
        cost_per_element(inputs, result, flops)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        match self {
            Self::Forward(it) => {
                let [a] = self.operands(inputs)?;
                it.forward(host, a)
            }
            Self::Backward(it) => it.backward(host, *self.operands(inputs)?),
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Forward(it) => it.row().saved.into(),
            Self::Backward(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        match self {
            Self::Forward(it) => {
                let [input] = self.operands(at.inputs)?;
                let saved = match it.row().saved {
                    Operand::Input(_) => input,
                    Operand::Result => at.result,
                };
                let gradient = e.apply(Self::Backward(*it), &[at.grad, saved])?;
                Ok(Gradients::first(gradient))
            }
            Self::Backward(_) => Err(self.no_second_gradient()),
        }
    }
}

impl Dispatch for Activate {
    fn autocast(&self) -> Autocast {
        match self {
            Self::Forward(Activation::Softplus { .. }) => Autocast::Float32OnCards,
            Self::Forward(_) | Self::Backward(_) => Autocast::Unchanged,
        }
    }
}
