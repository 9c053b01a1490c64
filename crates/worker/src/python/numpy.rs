//! `_numpy`: what the module `numpy` in `lib/numpy` needs of native code: arrays from lists, sums in NumPy's order,
//! the shortest digits of a float, and the random streams. The rest of that module is written in Python over tensors.

use rustpython_vm::pymodule;

pub(super) use _numpy::module_def;

#[pymodule]
mod _numpy {
    use crate::device::TensorDevice;
    use crate::dtype::DType;
    use crate::engine::Fill;
    use crate::meta::Meta;
    use crate::python::convert::{engine, wrapped};
    use crate::python::dtype_and_device::PyDType;
    use crate::python::mersenne::Mersenne;
    use crate::python::options::Options;
    use crate::python::pcg64::Pcg64;
    use crate::python::tensor::PyTensor;
    use crate::python::{arguments, context, float_text, from_values};
    use candle_core::{Device, Tensor as Values, WithDType};
    use rustpython_vm::builtins::PyTypeRef;
    use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};
    use std::cell::RefCell;
    use warpup_protocol::WaitCause;

    /// Registers `numpy.ndarray` and `numpy.generic`, so that torch's functions take them.
    #[pyfunction]
    fn register(array: PyTypeRef, scalar: PyTypeRef, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let mut classes = context.classes.borrow_mut();
        classes.array = Some(array);
        classes.scalar = Some(scalar);
        Ok(())
    }

    /// The tensor of nested lists, and its dtype by NumPy's rules unless one is given.
    #[pyfunction]
    fn gathered(data: PyObjectRef, dtype: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let dtype = arguments::dtype(Some(&dtype), vm)?;
        from_values::array_of(&data, dtype, vm)
    }

    /// The dtype of an operation on two arrays.
    #[pyfunction]
    fn promoted(a: PyRef<PyDType>, b: PyRef<PyDType>) -> PyDType {
        PyDType(a.0.promote_as_numpy(b.0))
    }

    /// The shortest digits that give this number back in a float of `bits` bits, as in `1.25e-3`.
    #[pyfunction]
    fn shortest(value: f64, bits: u32) -> String {
        float_text::shortest(value, bits)
    }

    /// The nearest number in a float of `bits` bits.
    #[pyfunction]
    fn rounded(value: f64, bits: u32) -> f64 {
        float_text::rounded(value, bits)
    }

    /// The sums over a dimension, in NumPy's order of additions.
    #[pyfunction]
    fn sums(tensor: PyRef<PyTensor>, dim: usize, vm: &VirtualMachine) -> PyResult {
        let mut meta = tensor.tensor().meta();
        let count = meta
            .shape
            .remove(dim.min(meta.shape.len().saturating_sub(1)));
        let inner = meta.shape.iter().skip(dim).product();
        let values = tensor.values(WaitCause::Tolist, vm)?;
        let sums: Vec<f64> = if meta.dtype == DType::F64 {
            float_text::sums(&values, count, inner)
        } else {
            let values: Vec<f32> = values.iter().map(|it| *it as f32).collect();
            let sums = float_text::sums(&values, count, inner);
            sums.into_iter().map(f64::from).collect()
        };
        let (shape, dtype) = (meta.shape.clone(), meta.dtype);
        let make = |on: &Device| from_values::stored(sums.clone(), &shape, dtype, on);
        let fill = Fill::Made("sum", &make);
        wrapped(engine(vm)?.create(meta, TensorDevice::Cpu, &fill), vm)
    }

    /// A one-dimensional tensor of random numbers.
    fn drawn<T: WithDType>(values: Vec<T>, dtype: DType, vm: &VirtualMachine) -> PyResult {
        let count = values.len();
        let make = |on: &Device| Ok(Values::from_vec(values.clone(), count, on)?);
        let fill = Fill::Made("random", &make);
        Options::CPU.finish(Meta::new(vec![count], dtype), &fill, vm)
    }

    /// A stream of `numpy.random`'s legacy functions.
    #[pyattr]
    #[pyclass(module = "_numpy", name = "Mersenne")]
    #[derive(Debug, PyPayload)]
    struct PyMersenne(RefCell<Mersenne>);

    #[pyclass]
    impl PyMersenne {
        #[pymethod]
        fn uniform(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            let mut stream = zelf.0.borrow_mut();
            drawn(
                (0..count).map(|_| stream.uniform()).collect(),
                DType::F64,
                vm,
            )
        }

        #[pymethod]
        fn normal(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            let mut stream = zelf.0.borrow_mut();
            drawn(
                (0..count).map(|_| stream.normal()).collect(),
                DType::F64,
                vm,
            )
        }

        /// Whole numbers from `low` to `low + last`, both included.
        #[pymethod]
        fn whole(
            zelf: &Py<Self>,
            low: i64,
            last: u64,
            count: usize,
            vm: &VirtualMachine,
        ) -> PyResult {
            let mut stream = zelf.0.borrow_mut();
            let next = |_| low.wrapping_add_unsigned(stream.up_to(last));
            drawn((0..count).map(next).collect(), DType::I64, vm)
        }

        #[pymethod]
        fn permutation(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            let order = zelf.0.borrow_mut().permutation(count);
            drawn(order, DType::I64, vm)
        }

        #[pymethod]
        fn seed(zelf: &Py<Self>, seed: u32) {
            zelf.0.replace(Mersenne::new(seed));
        }

        #[pymethod]
        fn state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
            let (words, next, spare) = zelf.0.borrow().state();
            let words = drawn(words.into_iter().map(i64::from).collect(), DType::I64, vm)?;
            let state = (
                words,
                next,
                i32::from(spare.is_some()),
                spare.unwrap_or(0.0),
            );
            Ok(vm.new_tuple(state).into())
        }

        #[pymethod]
        fn set_state(
            zelf: &Py<Self>,
            words: Vec<u32>,
            next: usize,
            spare: Option<f64>,
            vm: &VirtualMachine,
        ) -> PyResult<()> {
            let stream = Mersenne::of_state(words, next, spare);
            let error = || vm.new_value_error("state must be 624 longs");
            zelf.0.replace(stream.ok_or_else(error)?);
            Ok(())
        }
    }

    /// A stream of `numpy.random.default_rng`.
    #[pyattr]
    #[pyclass(module = "_numpy", name = "Pcg64")]
    #[derive(Debug, PyPayload)]
    struct PyPcg64(RefCell<Pcg64>);

    #[pyclass]
    impl PyPcg64 {
        fn floats(
            &self,
            count: usize,
            next: fn(&mut Pcg64) -> f64,
            vm: &VirtualMachine,
        ) -> PyResult {
            let mut stream = self.0.borrow_mut();
            let values = (0..count).map(|_| next(&mut stream)).collect();
            drawn(values, DType::F64, vm)
        }

        #[pymethod]
        fn uniform(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            zelf.floats(count, Pcg64::uniform, vm)
        }

        #[pymethod]
        fn normal(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            zelf.floats(count, Pcg64::normal, vm)
        }

        #[pymethod]
        fn exponential(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            zelf.floats(count, Pcg64::exponential, vm)
        }

        /// Whole numbers from `low` to `low + last`, both included.
        #[pymethod]
        fn whole(
            zelf: &Py<Self>,
            low: i64,
            last: u64,
            count: usize,
            vm: &VirtualMachine,
        ) -> PyResult {
            let mut stream = zelf.0.borrow_mut();
            let next = |_| low.wrapping_add_unsigned(stream.up_to(last));
            drawn((0..count).map(next).collect(), DType::I64, vm)
        }

        #[pymethod]
        fn permutation(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
            let order = zelf.0.borrow_mut().permutation(count);
            drawn(order, DType::I64, vm)
        }

        /// This many different numbers below `count`.
        #[pymethod]
        fn sample(
            zelf: &Py<Self>,
            count: usize,
            wanted: usize,
            shuffled: bool,
            vm: &VirtualMachine,
        ) -> PyResult {
            let found = zelf.0.borrow_mut().sample(count, wanted, shuffled);
            drawn(found, DType::I64, vm)
        }
    }

    /// The stream of `default_rng(seed)`, whose seed is given in words, lowest first.
    #[pyfunction]
    fn pcg64(seed: Vec<u32>) -> PyPcg64 {
        PyPcg64(RefCell::new(Pcg64::new(&seed)))
    }

    /// The stream of `numpy.random.seed(seed)`.
    #[pyfunction]
    fn mersenne(seed: u32) -> PyMersenne {
        PyMersenne(RefCell::new(Mersenne::new(seed)))
    }
}
