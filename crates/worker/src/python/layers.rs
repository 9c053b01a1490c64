//! `_layers`: the native functions of `torch.nn.functional`. Names, defaults and checks of arguments are in `lib/`.

use rustpython_vm::pymodule;

pub(super) use _layers::module_def;

#[pymodule]
mod _layers {
    use crate::device::TensorDevice;
    use crate::dtype::DType;
    use crate::engine::{GraphDraw, MemoryOrder};
    use crate::kernels::card;
    use crate::kernels::philox::{self, Distribution, DrawShift, DropoutDraw};
    use crate::meta::{AttentionKernel, Meta};
    use crate::ops::{
        Activate, Activation, Attention, AttentionBackend, AttentionCall, AttentionDropout,
        AttentionOptions, Dropout, Embedding, Loss, LossFunction, LossReduction, MatMul, Nll,
        NllOptions, Norm, NormKind, NormOptions, Unary, View, check_normalized_shape,
    };
    use crate::python::context;
    use crate::python::convert::{self, apply, checked, engine};
    use crate::python::generators::{on_card, on_cpu};
    use crate::python::random::Random;
    use crate::python::tensor::PyTensor;
    use crate::shape::{self, Shape};
    use crate::tensor::Tensor;
    use candle_core::{Device, Tensor as Values};
    use rustpython_vm::function::OptionalArg;
    use rustpython_vm::{FromArgs, PyObject, PyObjectRef, PyResult, VirtualMachine};
    use std::rc::Rc;
    use warpup_protocol::Clock;

    /// The tensor argument `name`, the one at `position` of `function` counted from 1.
    fn argument(
        it: &PyObject,
        function: &str,
        name: &str,
        position: usize,
        vm: &VirtualMachine,
    ) -> PyResult<Tensor> {
        match it.downcast_ref::<PyTensor>() {
            Some(it) => Ok(it.tensor().clone()),
            None => Err(vm.new_type_error(format!(
                "{function}(): argument '{name}' (position {position}) must be Tensor, not {}",
                it.class().name()
            ))),
        }
    }

    /// Optional tensors, up to the first that is None.
    fn given(objects: &[&PyObject], vm: &VirtualMachine) -> PyResult<Vec<Tensor>> {
        objects
            .iter()
            .take_while(|it| !vm.is_none(it))
            .map(|it| convert::tensor(it, vm))
            .collect()
    }

    #[pyfunction]
    fn linear(
        input: PyObjectRef,
        weight: PyObjectRef,
        bias: OptionalArg<PyObjectRef>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let input = argument(&input, "linear", "input", 1, vm)?;
        let weight = argument(&weight, "linear", "weight", 2, vm)?;
        match bias.present().filter(|it| !vm.is_none(it)) {
            None => apply(MatMul::Linear, &[&input, &weight], vm),
            Some(bias) => {
                let bias = argument(&bias, "linear", "bias", 3, vm)?;
                apply(MatMul::LinearBias, &[&input, &weight, &bias], vm)
            }
        }
    }

    /// An activation function by its name, with up to two parameters.
    #[pyfunction]
    fn activate(
        name: String,
        input: PyObjectRef,
        first: OptionalArg<f64>,
        second: OptionalArg<f64>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let input = argument(&input, &name, "input", 1, vm)?;
        let (first, second) = (first.unwrap_or(0.0), second.unwrap_or(0.0));
        let how = match name.as_str() {
            "gelu" => return apply(Unary::Gelu, &[&input], vm),
            "gelu_tanh" => Activation::GeluTanh,
            "silu" => Activation::Silu,
            "softplus" => Activation::Softplus {
                beta: first,
                threshold: second,
            },
            "logsigmoid" => Activation::LogSigmoid,
            "leaky_relu" => Activation::LeakyRelu(first),
            "elu" => Activation::Elu {
                alpha: first,
                scale: second,
            },
            "hardtanh" => Activation::Hardtanh {
                min: first,
                max: second,
            },
            "mish" => Activation::Mish,
            _ => return Err(vm.new_value_error(format!("there is no activation {name}"))),
        };
        apply(Activate::Forward(how), &[&input], vm)
    }

    #[derive(FromArgs)]
    struct NormArgs {
        /// `layer_norm` or `rms_norm`
        name: String,
        eps: f64,
        input: PyObjectRef,
        normalized_shape: PyObjectRef,
        weight: PyObjectRef,
        bias: PyObjectRef,
    }

    /// Normalizes over the last dimensions, whose sizes have to be `normalized_shape`.
    #[pyfunction]
    fn norm(args: NormArgs, vm: &VirtualMachine) -> PyResult {
        let NormArgs { name, eps, .. } = args;
        let over = args.normalized_shape;
        let input = argument(&args.input, &name, "input", 1, vm)?;
        let Some(sizes) = convert::items(&over) else {
            return Err(vm.new_type_error(format!(
                "{name}(): argument 'normalized_shape' (position 2) must be tuple of ints, not {}",
                over.class().name()
            )));
        };
        let sizes = convert::whole_list(&sizes, vm)?;
        let over = checked(shape::creation(&sizes), vm)?;
        let kind = if name == "rms_norm" {
            NormKind::Rms
        } else {
            NormKind::Layer
        };
        checked(check_normalized_shape(kind, &over, &input.shape()), vm)?;
        let parameters = given(&[&args.weight, &args.bias], vm)?;
        let mut inputs = vec![&input];
        inputs.extend(&parameters);
        let options = NormOptions {
            kind,
            dims: over.len(),
            eps,
        };
        apply(Norm::Forward(options), &inputs, vm)
    }

    fn loss_reduction(reduction: &str, vm: &VirtualMachine) -> PyResult<LossReduction> {
        match reduction {
            "none" => Ok(LossReduction::None),
            "mean" => Ok(LossReduction::Mean),
            "sum" => Ok(LossReduction::Sum),
            _ => Err(vm.new_value_error(format!("{reduction} is not a valid value for reduction"))),
        }
    }

    #[derive(FromArgs)]
    struct LossArgs {
        name: String,
        input: PyObjectRef,
        target: PyObjectRef,
        reduction: String,
        /// `beta` or `delta`, for losses that have one.
        #[pyarg(any, default = 1.0)]
        number: f64,
    }

    /// A loss function of input and target, by its name.
    #[pyfunction]
    fn loss(args: LossArgs, vm: &VirtualMachine) -> PyResult {
        let LossArgs { name, number, .. } = args;
        let reduction = loss_reduction(&args.reduction, vm)?;
        let input = argument(&args.input, &name, "input", 1, vm)?;
        let target = argument(&args.target, &name, "target", 2, vm)?;
        let how = match name.as_str() {
            "mse_loss" => LossFunction::Mse,
            "smooth_l1_loss" => LossFunction::SmoothL1(number),
            "huber_loss" => LossFunction::Huber(number),
            "binary_cross_entropy" => LossFunction::Bce,
            "binary_cross_entropy_with_logits" => LossFunction::BceWithLogits,
            _ => return Err(vm.new_value_error(format!("there is no loss {name}"))),
        };
        let loss = Loss::Forward(how, reduction);
        if input.shape() == target.shape() {
            return apply(loss, &[&input, &target], vm);
        }
        let pairs = checked(shape::broadcast(&input.shape(), &target.shape()), vm)?;
        let (input, target) = (
            expanded(&input, &pairs, vm)?,
            expanded(&target, &pairs, vm)?,
        );
        apply(loss, &[&input, &target], vm)
    }

    #[derive(FromArgs)]
    struct NllArgs {
        input: PyObjectRef,
        target: PyObjectRef,
        weight: PyObjectRef,
        ignore_index: i64,
        reduction: String,
    }

    #[pyfunction]
    fn nll_loss(args: NllArgs, vm: &VirtualMachine) -> PyResult {
        let (reduction, ignore) = (loss_reduction(&args.reduction, vm)?, args.ignore_index);
        let scores = argument(&args.input, "nll_loss", "input", 1, vm)?;
        let target = argument(&args.target, "nll_loss", "target", 2, vm)?;
        let weight = given(&[&args.weight], vm)?;
        let mut inputs = vec![&scores, &target];
        inputs.extend(&weight);
        apply(Nll::Forward(NllOptions { reduction, ignore }), &inputs, vm)
    }

    #[pyfunction]
    fn embedding(
        indices: PyObjectRef,
        weight: PyObjectRef,
        padding: Option<usize>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let weight = argument(&weight, "embedding", "weight", 1, vm)?;
        let indices = argument(&indices, "embedding", "indices", 2, vm)?;
        apply(Embedding::Forward { padding }, &[&weight, &indices], vm)
    }

    /// Draws a mask that keeps each element with probability `1 - p`, and applies it.
    #[pyfunction]
    fn dropout(input: PyObjectRef, p: f64, in_place: bool, vm: &VirtualMachine) -> PyResult {
        let input = argument(&input, "dropout", "input", 1, vm)?;
        if !input.dtype().is_float() {
            return Err(vm.new_runtime_error(format!(
                "result type Float can't be cast to the desired output type {}",
                input.dtype().scalar_name()
            )));
        }
        let context = context::current(vm)?;
        // The mask lies like the input, and is drawn in that order.
        let order = MemoryOrder::like(&input.state());
        let meta = Meta::new(input.shape(), DType::Bool);
        let memory = order.as_ref().map(|it| it.of_memory(&meta));
        let memory = memory.unwrap_or(meta);
        let drawn = dropout_draw(&input, 1.0 - p, in_place, vm)?;
        let sizes = memory.shape.clone();
        let make = |on: &Device| {
            if on.is_cuda() {
                // The kernel that applies it writes it.
                return Ok(card::mask(&sizes, on)?);
            }
            let kept = match &drawn {
                Some(drawn) => philox::kept(drawn),
                None => on_cpu(&context, 0, |random| {
                    let kept = Distribution::Bernoulli(1.0 - p);
                    let kept = random.numbers(shape::count(&sizes) as usize, kept, DType::F32);
                    kept.into_iter().map(|it| it as u8).collect()
                }),
            };
            Ok(Values::from_vec(kept, &*sizes, on)?)
        };
        if let Some(drawn) = drawn {
            context
                .engine
                .draw_in_graph(kept_again(drawn, sizes.clone()));
        }
        let mut mask = checked(engine(vm)?.beside(memory, input.device(), &make), vm)?;
        if let Some(order) = order {
            mask = checked(engine(vm)?.in_order(&mask, &order), vm)?;
        }
        let op = drawn.map_or(Dropout::Cpu { p }, Dropout::Forward);
        apply(op, &[&input, &mask], vm)
    }

    /// Draws a mask again, in the replay of a CUDA graph.
    fn kept_again(drawn: DropoutDraw, sizes: Shape) -> GraphDraw {
        Rc::new(move |moved: DrawShift| {
            let kept = philox::kept(&drawn.moved(moved));
            Ok(Values::from_vec(kept, &*sizes, &Device::Cpu)?)
        })
    }

    /// What the card's generator sets aside for dropout; nothing on the CPU.
    fn dropout_draw(
        input: &Tensor,
        keep: f64,
        in_place: bool,
        vm: &VirtualMachine,
    ) -> PyResult<Option<DropoutDraw>> {
        let state = input.state();
        // In place, PyTorch has no kernel of its own for it, and draws as `bernoulli_` does.
        let side_by_side = (state.is_dense() && !in_place).then(|| state.offset() as u64);
        let of = (state.meta.count(), state.meta.dtype, side_by_side);
        let context = context::current(vm)?;
        on_card(&context, (input.device(), None), vm, |philox, most| {
            DropoutDraw::of(philox, of, keep, most)
        })
    }

    #[derive(FromArgs)]
    struct AttentionArgs {
        query: PyObjectRef,
        key: PyObjectRef,
        value: PyObjectRef,
        mask: PyObjectRef,
        dropout: f64,
        causal: bool,
        scale: Option<f64>,
    }

    /// `scaled_dot_product_attention`; None if its parts are to be computed one after the other.
    #[pyfunction]
    fn attention(args: AttentionArgs, vm: &VirtualMachine) -> PyResult {
        let name = "scaled_dot_product_attention";
        let query = argument(&args.query, name, "query", 1, vm)?;
        let key = argument(&args.key, name, "key", 2, vm)?;
        let value = argument(&args.value, name, "value", 3, vm)?;
        let mask = given(&[&args.mask], vm)?;
        if mask.iter().any(Tensor::requires_grad) {
            return Err(vm.new_not_implemented_error(
                "the gradient of attn_mask is not part of warpup; PyTorch has it. Detach the mask, or compute the scores as arithmetic",
            ));
        }
        let key = beside_query(&query, key, vm)?;
        let value = beside_query(&query, value, vm)?;
        let chosen = backend(&query, &value, !mask.is_empty(), vm)?;
        let AttentionBackend::Fused(kernel) = chosen else {
            let all = [&query, &key, &value].into_iter().chain(&mask);
            let metas: Vec<Meta> = all.map(Tensor::meta).collect();
            checked(Attention::accept(&metas.iter().collect::<Vec<_>>()), vm)?;
            return Ok(vm.ctx.none());
        };
        let width = query.shape().last().copied().unwrap_or(1).max(1);
        let p = args.dropout;
        let dropout = if p > 0.0 {
            let seed = attention_seed(&query, vm)?;
            Some(AttentionDropout { p, seed })
        } else {
            None
        };
        let options = AttentionOptions {
            causal: args.causal,
            scale: args.scale.unwrap_or_else(|| (width as f64).sqrt().recip()),
            kernel,
            dropout,
        };
        let mut inputs = vec![&query, &key, &value];
        inputs.extend(&mask);
        apply(Attention::Forward(options), &inputs, vm)
    }

    /// The implementation that PyTorch takes; on the CPU the fused one.
    fn backend(
        query: &Tensor,
        value: &Tensor,
        has_mask: bool,
        vm: &VirtualMachine,
    ) -> PyResult<AttentionBackend> {
        let engine = engine(vm)?;
        let Some(card) = engine
            .card()
            .filter(|_| query.device() != TensorDevice::Cpu)
        else {
            return Ok(AttentionBackend::Fused(AttentionKernel::Flash));
        };
        let (query_meta, value_meta) = (query.meta(), value.meta());
        let lowered = engine.mixed_precision(query.device());
        let dtype = match lowered {
            Some(half) if query_meta.dtype == DType::F32 => half,
            Some(_) | None => query_meta.dtype,
        };
        let call = AttentionCall {
            query: &query_meta,
            value: &value_meta,
            dtype,
            has_mask,
            capability: card.capability,
        };
        let allowed = engine.attention.get();
        if engine.clock() == Clock::Measured && allowed.has_fused() {
            // A real card has a kernel of warpup's own.
            return Ok(AttentionBackend::Fused(AttentionKernel::Flash));
        }
        let chosen = allowed.choose(call);
        chosen.ok_or_else(|| {
            vm.new_runtime_error("No available kernel. Aborting execution.".to_owned())
        })
    }

    /// What the mask of attention's weights is drawn from.
    fn attention_seed(query: &Tensor, vm: &VirtualMachine) -> PyResult<u64> {
        let context = context::current(vm)?;
        let shape = query.shape();
        let heads: usize = shape.iter().rev().skip(2).product();
        // A fused kernel takes so many numbers of each of its threads.
        let numbers = (heads as u64).saturating_mul(32);
        let seed = on_card(&context, (query.device(), None), vm, |philox, _| {
            let [low, high, ..] = philox.advance(numbers).group(0, 0);
            (u64::from(high) << 32) | u64::from(low)
        })?;
        Ok(seed.unwrap_or_else(|| on_cpu(&context, 0, Random::seed)))
    }

    /// Keys or values expanded to the batches and heads of the query.
    fn beside_query(query: &Tensor, it: Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
        let (wanted, own) = (query.shape(), it.shape());
        let (Some(at), Some(own_at)) = (wanted.len().checked_sub(2), own.len().checked_sub(2))
        else {
            return Ok(it);
        };
        let (batch, own_batch) = (wanted.split_at(at).0, own.split_at(own_at));
        if batch == own_batch.0 {
            return Ok(it);
        }
        let spread = checked(shape::broadcast(batch, own_batch.0), vm)?;
        if spread != batch {
            return Err(vm.new_not_implemented_error(format!(
                "a query of shape {wanted:?} beside a key or value of shape {own:?} is not part of warpup; PyTorch has it. Expand the query to the batches and heads of the others"
            )));
        }
        expanded(&it, &[batch, own_batch.1].concat(), vm)
    }

    /// The tensor in a shape that it broadcasts to; itself where it has that shape, as from PyTorch's `broadcast_tensors`.
    fn expanded(it: &Tensor, to: &[usize], vm: &VirtualMachine) -> PyResult<Tensor> {
        if it.shape() == to {
            return Ok(it.clone());
        }
        checked(engine(vm)?.apply(View::Expand(to.to_vec()), &[it]), vm)
    }
}
