//! Making tensors: from values, filled, counted, random.

use super::context;
use super::convert::{self, checked, engine};
use super::sizes;
use super::tensor::PyTensor;
use crate::worker::device::TensorDevice;
use crate::worker::dtype::{Category, DType, default_float};
use crate::worker::engine::{Fill, default_dtype};
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::shape::{self, Shape};
use candle_core::{Device, Tensor as Values};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// What every creation function takes besides sizes and values.
pub(super) struct Options {
    pub(super) dtype: Option<DType>,
    place: TensorDevice,
    requires_grad: bool,
    /// Whether its memory is to be page-locked.
    pinned: bool,
    /// The stream of random values, by its number.
    pub(super) stream: usize,
}

impl Options {
    /// Takes the keywords; what is left over is an error.
    pub(super) fn take(args: &mut FuncArgs, name: &str, vm: &VirtualMachine) -> PyResult<Self> {
        let dtype = convert::dtype(args.take_keyword("dtype").as_deref(), vm)?;
        let place = convert::place(args.take_keyword("device").as_deref(), vm)?;
        let requires_grad = match args.take_keyword("requires_grad") {
            Some(it) => it.try_to_bool(vm)?,
            None => false,
        };
        let pinned = match args.take_keyword("pin_memory") {
            Some(it) => it.try_to_bool(vm)?,
            None => false,
        };
        let stream = match args.take_keyword("generator").filter(|it| !vm.is_none(it)) {
            Some(it) => it
                .get_attr("_number", vm)?
                .try_index(vm)?
                .try_to_primitive(vm)?,
            None => 0,
        };
        match args.kwargs.keys().next() {
            Some(unknown) => Err(vm.new_type_error(format!(
                "{name}() got an unexpected keyword argument '{unknown}'"
            ))),
            None => Ok(Self {
                dtype,
                place: match place {
                    Some(place) => place,
                    None => context::current(vm)?.place(),
                },
                requires_grad,
                pinned,
                stream,
            }),
        }
    }

    /// The same, with the type and place of another tensor where nothing was said.
    pub(super) fn like(
        args: &mut FuncArgs,
        name: &str,
        vm: &VirtualMachine,
    ) -> PyResult<(Self, Meta)> {
        let Some(other) = args
            .take_positional()
            .or_else(|| args.take_keyword("input"))
        else {
            return Err(vm.new_type_error(format!(
                "{name}() missing 1 required positional arguments: \"input\""
            )));
        };
        let other = convert::tensor(&other, vm)?;
        let says_place = args.kwargs.contains_key("device");
        let mut options = Self::take(args, name, vm)?;
        options.dtype = options.dtype.or(Some(other.dtype()));
        if !says_place {
            options.place = other.place();
        }
        Ok((options, other.meta()))
    }

    /// Makes the tensor.
    pub(super) fn finish(&self, meta: Meta, fill: &Fill<'_>, vm: &VirtualMachine) -> PyResult {
        let mut tensor = checked(engine(vm)?.create(meta, self.place, fill), vm)?;
        if self.pinned {
            if self.place != TensorDevice::Cpu {
                return Err(vm.new_runtime_error("Only dense CPU tensors can be pinned"));
            }
            convert::usable(TensorDevice::Card(0), vm)?;
            tensor = checked(engine(vm)?.pin(&tensor), vm)?;
        }
        if self.requires_grad {
            checked(tensor.set_requires_grad(true), vm)?;
        }
        Ok(PyTensor::from(tensor).into_pyobject(vm))
    }
}

/// `torch.tensor(values)`
pub(super) fn tensor(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let Some(data) = args.take_positional().or_else(|| args.take_keyword("data")) else {
        return Err(vm.new_type_error("tensor() missing 1 required positional arguments: \"data\""));
    };
    let options = Options::take(&mut args, "tensor", vm)?;
    from_values(&data, &options, vm)
}

/// A list of numbers as a tensor on the CPU.
pub(super) fn tensor_of(data: &PyObject, vm: &VirtualMachine) -> PyResult {
    from_values(
        data,
        &Options {
            dtype: None,
            place: TensorDevice::Cpu,
            requires_grad: false,
            pinned: false,
            stream: 0,
        },
        vm,
    )
}

fn from_values(data: &PyObject, options: &Options, vm: &VirtualMachine) -> PyResult {
    let mut gathered = Gathered {
        values: Vec::new(),
        kind: None,
        float: None,
    };
    let shape = gathered.gather(data, 0, vm)?;
    let inferred = match (gathered.kind, gathered.float) {
        (_, Some(float)) => float,
        (Some(kind), None) => default_dtype(kind),
        (None, None) => default_float(),
    };
    let dtype = options.dtype.unwrap_or(inferred);
    let meta = Meta::new(shape.clone(), dtype);
    let values = gathered.values;
    let make = |on: &Device| stored(values.clone(), &shape, dtype, on);
    options.finish(meta, &Fill::Values(&make), vm)
}

struct Gathered {
    values: Vec<f64>,
    kind: Option<Category>,
    /// The type of a float tensor that was among the values.
    float: Option<DType>,
}

impl Gathered {
    fn gather(&mut self, data: &PyObject, depth: usize, vm: &VirtualMachine) -> PyResult<Shape> {
        if depth > 64 {
            return Err(
                vm.new_value_error("too many dimensions: a list of lists is at most 64 deep")
            );
        }
        if let Some(tensor) = data.downcast_ref::<PyTensor>() {
            self.values.extend(tensor.values(vm)?);
            let dtype = tensor.tensor().dtype();
            self.note(dtype.category());
            if dtype.is_float() {
                self.float = Some(dtype);
            }
            return Ok(tensor.tensor().shape());
        }
        if let Some((number, kind)) = convert::number(data, vm) {
            if kind == Category::Int && number.abs() >= 2_f64.powi(64) {
                return Err(vm.new_value_error("Overflow when unpacking long long"));
            }
            self.values.push(number);
            self.note(kind);
            return Ok(vec![]);
        }
        let Some(items) = convert::items(data) else {
            return Err(match convert::text(data) {
                Some(_) if depth > 0 && self.values.is_empty() => {
                    vm.new_value_error("too many dimensions 'str'")
                }
                Some(_) => vm.new_type_error("new(): invalid data type 'str'"),
                None => vm
                    .new_runtime_error(format!("Could not infer dtype of {}", data.class().name())),
            });
        };
        let mut inner: Option<Shape> = None;
        for (at, item) in items.iter().enumerate() {
            let shape = self.gather(item, depth + 1, vm)?;
            match &inner {
                Some(first) if *first != shape => {
                    return Err(vm.new_value_error(match (first.first(), shape.first()) {
                        (Some(want), Some(got)) => format!(
                            "expected sequence of length {want} at dim {} (got {got})",
                            depth + 1
                        ),
                        _ => format!("item {at} has another depth than the ones before it"),
                    }));
                }
                Some(_) => {}
                None => inner = Some(shape),
            }
        }
        let mut shape = vec![items.len()];
        shape.extend(inner.unwrap_or_default());
        Ok(shape)
    }

    fn note(&mut self, kind: Category) {
        self.kind = Some(self.kind.map_or(kind, |before| before.max(kind)));
    }
}

/// Values in their stored type; made on the host, so that no more crosses to a card than has to.
fn stored(
    values: Vec<f64>,
    shape: &[usize],
    dtype: DType,
    on: &Device,
) -> Result<Values, TorchError> {
    let wide = Values::from_vec(values, shape, &Device::Cpu)?;
    let stored = if dtype == DType::Bool {
        wide.ne(&wide.zeros_like()?)?
    } else {
        wide.to_dtype(dtype.stored())?
    };
    Ok(stored.to_device(on)?)
}

/// Sizes for a creation function: positional or `size=`.
pub(super) fn sizes(args: &mut FuncArgs, name: &str, vm: &VirtualMachine) -> PyResult<Shape> {
    let given = match args.take_keyword("size") {
        Some(size) => vec![size],
        None => std::mem::take(&mut args.args),
    };
    let sizes = sizes::sizes(&given, (name, "size"), vm)?;
    if name == "zeros" && sizes.iter().any(|size| *size < 0) {
        return Err(vm.new_runtime_error("zeros: Dimension size must be non-negative."));
    }
    checked(shape::creation(&sizes), vm)
}

/// `zeros`, `ones`, `empty`
pub(super) fn filled(mut args: FuncArgs, name: &str, number: f64, vm: &VirtualMachine) -> PyResult {
    let shape = sizes(&mut args, name, vm)?;
    let options = Options::take(&mut args, name, vm)?;
    let meta = Meta::new(shape, options.dtype.unwrap_or_else(default_float));
    fill(&options, meta, (name, number), vm)
}

/// `full`
pub(super) fn full(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let size = args.take_positional().or_else(|| args.take_keyword("size"));
    let value = args
        .take_positional()
        .or_else(|| args.take_keyword("fill_value"));
    let (Some(size), Some(value)) = (size, value) else {
        return Err(vm.new_type_error("full() takes a size and a fill_value"));
    };
    let Some((number, kind)) = convert::number(&value, vm) else {
        return Err(vm.new_type_error("full(): fill_value must be a number"));
    };
    let sizes = sizes::sizes(&[size], ("full", "size"), vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let options = Options::take(&mut args, "full", vm)?;
    let meta = Meta::new(shape, options.dtype.unwrap_or_else(|| default_dtype(kind)));
    fill(&options, meta, ("full", number), vm)
}

/// `zeros_like`, `ones_like`, `empty_like`
pub(super) fn filled_like(
    mut args: FuncArgs,
    name: &str,
    number: f64,
    vm: &VirtualMachine,
) -> PyResult {
    let (options, like) = Options::like(&mut args, name, vm)?;
    let meta = Meta::new(like.shape, options.dtype.unwrap_or(like.dtype));
    fill(&options, meta, (name, number), vm)
}

fn fill(
    options: &Options,
    meta: Meta,
    (name, number): (&str, f64),
    vm: &VirtualMachine,
) -> PyResult {
    let (shape, dtype) = (meta.shape.clone(), meta.dtype);
    let make = |on: &Device| {
        let one = stored(vec![number], &[], dtype, on)?;
        Ok(one.broadcast_as(&*shape)?.force_contiguous()?)
    };
    let fill = if name.starts_with("empty") {
        Fill::Left(&make)
    } else {
        Fill::Full(&make)
    };
    options.finish(meta, &fill, vm)
}

/// `arange(end)`, `arange(start, end)`, `arange(start, end, step)`
pub(super) fn arange(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let given = std::mem::take(&mut args.args);
    let mut numbers = Vec::new();
    for object in &given {
        match convert::number(object, vm) {
            Some(number) => numbers.push(number),
            None => return Err(vm.new_type_error("arange() takes numbers")),
        }
    }
    for name in ["start", "end", "step"] {
        if let Some(it) = args.take_keyword(name)
            && let Some(number) = convert::number(&it, vm)
        {
            numbers.push(number);
        }
    }
    let (start, end, step) = match numbers.as_slice() {
        [end] => ((0.0, Category::Int), *end, (1.0, Category::Int)),
        [start, end] => (*start, *end, (1.0, Category::Int)),
        [start, end, step] => (*start, *end, *step),
        _ => return Err(vm.new_type_error("arange() takes one to three numbers")),
    };
    let options = Options::take(&mut args, "arange", vm)?;
    let kind = start.1.max(end.1).max(step.1).max(Category::Int);
    if step.0 == 0.0 {
        return Err(vm.new_runtime_error("step must be nonzero"));
    }
    let count = ((end.0 - start.0) / step.0).ceil();
    if count < 0.0 {
        return Err(vm.new_runtime_error("upper bound and lower bound inconsistent with step sign"));
    }
    let dtype = options.dtype.unwrap_or_else(|| default_dtype(kind));
    let meta = Meta::new(vec![count as usize], dtype);
    let shape = meta.shape.clone();
    let make = |on: &Device| {
        let values = (0..count as usize)
            .map(|at| start.0 + at as f64 * step.0)
            .collect();
        stored(values, &shape, dtype, on)
    };
    options.finish(meta, &Fill::Made("arange", &make), vm)
}

/// `linspace(start, end, steps)`
pub(super) fn linspace(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut next = |name: &str| args.take_positional().or_else(|| args.take_keyword(name));
    let (start, end, steps) = (next("start"), next("end"), next("steps"));
    let number =
        |it: Option<PyObjectRef>| it.and_then(|it| convert::number(&it, vm)).map(|it| it.0);
    let (Some(start), Some(end), Some(steps)) = (number(start), number(end), steps) else {
        return Err(vm.new_type_error("linspace() takes a start, an end and a number of steps"));
    };
    let steps = usize::try_from(convert::whole(&steps, vm)?)
        .map_err(|_negative| vm.new_runtime_error("number of steps must be non-negative"))?;
    let options = Options::take(&mut args, "linspace", vm)?;
    let dtype = options.dtype.unwrap_or_else(default_float);
    let gap = if steps > 1 {
        (end - start) / (steps - 1) as f64
    } else {
        0.0
    };
    let make = |on: &Device| {
        let values = (0..steps).map(|at| start + at as f64 * gap).collect();
        stored(values, &[steps], dtype, on)
    };
    options.finish(
        Meta::new(vec![steps], dtype),
        &Fill::Made("linspace", &make),
        vm,
    )
}

/// `eye(n)`
pub(super) fn eye(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let given = std::mem::take(&mut args.args);
    let sizes = convert::whole_list(&given, vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let (rows, columns) = match shape.as_slice() {
        [n] => (*n, *n),
        [rows, columns] => (*rows, *columns),
        _ => return Err(vm.new_type_error("eye() takes one or two sizes")),
    };
    let options = Options::take(&mut args, "eye", vm)?;
    let dtype = options.dtype.unwrap_or_else(default_float);
    let make = |on: &Device| {
        let one = |at: usize| f64::from(u8::from(at / columns == at % columns));
        stored(
            (0..rows * columns).map(one).collect(),
            &[rows, columns],
            dtype,
            on,
        )
    };
    options.finish(
        Meta::new(vec![rows, columns], dtype),
        &Fill::Made("eye", &make),
        vm,
    )
}
