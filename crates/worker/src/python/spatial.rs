//! `_spatial`: the native functions of convolutions, pooling, normalization of channels and recurrent layers. Names,
//! defaults and checks of arguments are in `lib/warpup/nn`.

use rustpython_vm::pymodule;

pub(super) use _spatial::module_def;

#[pymodule]
mod _spatial {
    use crate::kernels::recurrent::Reserve;
    use crate::ops::{
        Average, Axis, Cell, ChannelNorm, ChannelNormOptions, Convolution, Direction, Divisor,
        InterpolationMode, Order, Pad, Pool, PositionsOf, Recurrent, RecurrentOptions,
        RecurrentStack, Resample, RoundingMode, StatisticsGroup, Steps, Windows,
    };
    use crate::python::convert::{self, apply};
    use crate::tensor::Tensor;
    use rustpython_vm::{FromArgs, PyObjectRef, PyResult, VirtualMachine};

    /// Whole numbers that are not negative.
    fn numbers(given: &[i64], vm: &VirtualMachine) -> PyResult<Vec<usize>> {
        let number = |it: &i64| usize::try_from(*it);
        let all: Result<Vec<usize>, _> = given.iter().map(number).collect();
        all.map_err(|_negative| vm.new_value_error("a size is negative"))
    }

    fn list(given: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<usize>> {
        let items = convert::items(given);
        let items = items.ok_or_else(|| vm.new_type_error("sizes must be a tuple of ints"))?;
        numbers(&convert::whole_list(&items, vm)?, vm)
    }

    /// Tensors of a list, up to the first that is None.
    fn tensors(given: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<Tensor>> {
        let items = convert::items(given).unwrap_or_default();
        let there = items.iter().take_while(|it| !vm.is_none(it));
        there.map(|it| convert::tensor(it, vm)).collect()
    }

    #[derive(FromArgs)]
    struct ConvolutionArgs {
        tensors: PyObjectRef,
        stride: PyObjectRef,
        padding: PyObjectRef,
        dilation: PyObjectRef,
        groups: usize,
        /// The spatial sizes of the result of a transposed convolution.
        #[pyarg(any, default)]
        transposed: Option<PyObjectRef>,
    }

    /// A convolution of input, weight and an optional bias.
    #[pyfunction]
    fn convolution(args: ConvolutionArgs, vm: &VirtualMachine) -> PyResult {
        let given = tensors(&args.tensors, vm)?;
        let steps = Steps {
            stride: list(&args.stride, vm)?,
            padding: list(&args.padding, vm)?,
            dilation: list(&args.dilation, vm)?,
            groups: args.groups,
        };
        let how = match args.transposed.filter(|it| !vm.is_none(it)) {
            None => Convolution::Forward(steps),
            Some(sizes) => Convolution::Transposed(steps, list(&sizes, vm)?, Direction::Forward),
        };
        apply(how, &given.iter().collect::<Vec<_>>(), vm)
    }

    /// Windows as lists of (kernel, stride, padding, dilation, is rounded up), or of one size each.
    fn windows(given: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<Windows>> {
        let items = convert::items(given).unwrap_or_default();
        let window = |it: &PyObjectRef| {
            Ok(match list(it, vm)?.as_slice() {
                [count] => Windows::Adaptive(*count),
                [kernel, stride, padding, dilation, up] => Windows::Regular {
                    kernel: *kernel,
                    stride: (*stride).max(1),
                    padding: *padding,
                    dilation: *dilation,
                    rounded: if *up == 0 {
                        RoundingMode::Down
                    } else {
                        RoundingMode::Up
                    },
                },
                _ => return Err(vm.new_value_error("a window has one or five numbers")),
            })
        };
        items.iter().map(window).collect()
    }

    /// Where the largest elements of the windows are.
    #[pyfunction]
    fn largest(input: PyObjectRef, over: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let input = convert::tensor(&input, vm)?;
        apply(Pool::Largest(windows(&over, vm)?), &[&input], vm)
    }

    /// The largest elements of windows, at their positions on flattened planes.
    #[pyfunction]
    fn taken(
        input: PyObjectRef,
        positions: PyObjectRef,
        over: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult {
        let input = convert::tensor(&input, vm)?;
        let positions = convert::tensor(&positions, vm)?;
        let of = PositionsOf::Windows(windows(&over, vm)?);
        apply(Pool::Max(of), &[&input, &positions], vm)
    }

    /// Elements put at positions of flattened planes of zeros.
    #[pyfunction]
    fn put(
        source: PyObjectRef,
        positions: PyObjectRef,
        sizes: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult {
        let source = convert::tensor(&source, vm)?;
        let positions = convert::tensor(&positions, vm)?;
        let sizes = list(&sizes, vm)?;
        apply(
            Pool::MaxBackward(PositionsOf::Any, sizes),
            &[&source, &positions],
            vm,
        )
    }

    /// The means of the windows. A divisor of 0 is their size in the input, one below 0 their size with padding.
    #[pyfunction]
    fn average(
        input: PyObjectRef,
        over: PyObjectRef,
        divisor: f64,
        vm: &VirtualMachine,
    ) -> PyResult {
        let input = convert::tensor(&input, vm)?;
        let divisor = if divisor == 0.0 {
            Divisor::Inside
        } else if divisor < 0.0 {
            Divisor::WithPadding
        } else {
            Divisor::Number(divisor)
        };
        let windows = windows(&over, vm)?;
        apply(Pool::Average(Average { windows, divisor }), &[&input], vm)
    }

    /// Mean and unbiased variance of each channel.
    #[pyfunction]
    fn moments(input: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let input = convert::tensor(&input, vm)?;
        apply(ChannelNorm::Moments, &[&input], vm)
    }

    /// Normalizes channels by the batch (0 groups), by given statistics (None), or by groups. The tensors are
    /// input, statistics, weight and bias.
    #[pyfunction]
    fn channel_norm(
        given: PyObjectRef,
        groups: Option<usize>,
        eps: f64,
        vm: &VirtualMachine,
    ) -> PyResult {
        let given = tensors(&given, vm)?;
        let by = match groups {
            None => StatisticsGroup::Running,
            Some(0) => StatisticsGroup::Batch,
            Some(groups) => StatisticsGroup::Group(groups),
        };
        let how = ChannelNorm::Forward(ChannelNormOptions { by, eps });
        apply(how, &given.iter().collect::<Vec<_>>(), vm)
    }

    #[derive(FromArgs)]
    struct RecurrentArgs {
        cell: String,
        is_reversed: bool,
        tensors: PyObjectRef,
        lengths: Option<PyObjectRef>,
        /// The layers that are one call of cuDNN in PyTorch, each direction for itself.
        #[pyarg(any, default)]
        layers: usize,
        /// Whether the module trains.
        #[pyarg(any, default)]
        trains: bool,
    }

    /// A recurrent layer in one direction. The tensors are input, states, weights and biases.
    #[pyfunction]
    fn recurrent(args: RecurrentArgs, vm: &VirtualMachine) -> PyResult {
        let given = tensors(&args.tensors, vm)?;
        let cell = match args.cell.as_str() {
            "LSTM" => Cell::Lstm,
            "GRU" => Cell::Gru,
            "RNN_TANH" => Cell::Tanh,
            "RNN_RELU" => Cell::Relu,
            cell => return Err(vm.new_value_error(format!("there is no cell {cell}"))),
        };
        let order = if args.is_reversed {
            Order::Backward
        } else {
            Order::Forward
        };
        let lengths = match args.lengths.filter(|it| !vm.is_none(it)) {
            None => None,
            Some(it) => Some(list(&it, vm)?),
        };
        let options = RecurrentOptions {
            cell,
            order,
            lengths,
            stack: RecurrentStack {
                layers: args.layers,
                trains: args.trains,
            },
            reserve: Reserve::default(),
            wants_input: true,
        };
        let how = Recurrent::Forward(options);
        apply(how, &given.iter().collect::<Vec<_>>(), vm)
    }

    /// Other spatial sizes; for each dimension the size, the step in the input, and what is between elements.
    #[pyfunction]
    fn resample(
        input: PyObjectRef,
        sizes: PyObjectRef,
        steps: Vec<f64>,
        between: String,
        vm: &VirtualMachine,
    ) -> PyResult {
        let input = convert::tensor(&input, vm)?;
        let between = match between.as_str() {
            "nearest" => InterpolationMode::Nearest,
            "nearest-exact" => InterpolationMode::NearestMiddle,
            "linear" => InterpolationMode::Linear,
            "corners" => InterpolationMode::LinearCorners,
            _ => return Err(vm.new_value_error(format!("there is no mode {between}"))),
        };
        let shape = input.shape();
        let own = shape.get(2..).unwrap_or_default();
        let sizes = list(&sizes, vm)?;
        let axes = own.iter().zip(sizes).zip(steps);
        let axes = axes.map(|((from, to), step)| Axis {
            from: *from,
            to,
            step,
            between,
        });
        apply(Resample::Forward(axes.collect()), &[&input], vm)
    }

    /// Each dimension with so many elements of a number before and after it.
    #[pyfunction]
    fn pad(
        input: PyObjectRef,
        before: PyObjectRef,
        after: PyObjectRef,
        number: f64,
        vm: &VirtualMachine,
    ) -> PyResult {
        let input = convert::tensor(&input, vm)?;
        let ends = list(&before, vm)?.into_iter().zip(list(&after, vm)?);
        let ends = ends.collect();
        apply(Pad { ends, number }, &[&input], vm)
    }
}
