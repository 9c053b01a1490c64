//! `_precision`: the native functions of `torch.amp`, TF32 and type promotion. Names, defaults and checks of
//! arguments are in `lib/`.

use rustpython_vm::pymodule;

pub(super) use _precision::module_def;

#[pymodule]
mod _precision {
    use crate::device::TensorDevice;
    use crate::dtype::{self, Category, DType, PromotionCategory};
    use crate::engine::default_dtype;
    use crate::ops::{AllowTf32, AttentionBackends, FoundInf};
    use crate::python::arguments;
    use crate::python::convert::{self, checked, engine};
    use crate::python::dtype_and_device::{self, PyDType};
    use crate::python::tensor::PyTensor;
    use crate::tensor::Tensor;
    use rustpython_vm::{PyObjectRef, PyRef, PyResult, VirtualMachine};

    /// Whether any element of these tensors is infinite or not a number, as a tensor: 1, or 0.
    #[pyfunction]
    fn found_inf(tensors: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyTensor> {
        let tensors = convert::tensors(&tensors, vm)?;
        let inputs: Vec<&Tensor> = tensors.iter().collect();
        checked(engine(vm)?.apply(FoundInf, &inputs), vm).map(PyTensor::from)
    }

    /// What that tensor says, for which the host waits.
    #[pyfunction]
    fn read_inf(found: PyRef<PyTensor>, vm: &VirtualMachine) -> PyResult<bool> {
        checked(engine(vm)?.read_inf(found.tensor()), vm)
    }

    /// What it says, where a kernel reads it in PyTorch.
    #[pyfunction]
    fn known_inf(found: PyRef<PyTensor>, vm: &VirtualMachine) -> PyResult<bool> {
        checked(engine(vm)?.known_inf(found.tensor()), vm)
    }

    fn device_of(kind: &str) -> TensorDevice {
        if kind == "cuda" {
            TensorDevice::Card(0)
        } else {
            TensorDevice::Cpu
        }
    }

    /// Sets the dtype of autocast on `cpu` or `cuda`, or switches it off; returns the previous dtype.
    #[pyfunction]
    fn set_autocast(
        kind: String,
        dtype: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<Option<PyDType>> {
        let dtype = arguments::dtype(Some(&dtype), vm)?;
        let before = engine(vm)?.set_mixed_precision(device_of(&kind), dtype);
        Ok(before.map(PyDType))
    }

    /// The dtype of autocast on `cpu` or `cuda`, or None.
    #[pyfunction]
    fn autocast(kind: String, vm: &VirtualMachine) -> PyResult<Option<PyDType>> {
        Ok(engine(vm)?.mixed_precision(device_of(&kind)).map(PyDType))
    }

    /// Switches the cache of cast weights, which lasts until the outermost block ends; returns the previous state.
    #[pyfunction]
    fn cache_casts(caching: bool, vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.cache_casts(caching))
    }

    #[pyfunction]
    fn forget_casts(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.forget_casts();
        Ok(())
    }

    /// Whether matrix products may take TF32.
    #[pyfunction]
    fn tf32(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.tf32().products)
    }

    #[pyfunction]
    fn set_tf32(products: bool, vm: &VirtualMachine) -> PyResult<()> {
        let engine = engine(vm)?;
        let before = engine.tf32();
        engine.set_tf32(AllowTf32 { products, ..before });
        Ok(())
    }

    /// Whether convolutions and recurrent layers may take TF32.
    #[pyfunction]
    fn cudnn_tf32(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.tf32().cudnn)
    }

    #[pyfunction]
    fn set_cudnn_tf32(cudnn: bool, vm: &VirtualMachine) -> PyResult<()> {
        let engine = engine(vm)?;
        let before = engine.tf32();
        engine.set_tf32(AllowTf32 { cudnn, ..before });
        Ok(())
    }

    /// The implementations of attention that may be taken on a card: a bit for each.
    #[pyfunction]
    fn attention_backends(vm: &VirtualMachine) -> PyResult<u8> {
        Ok(engine(vm)?.attention.get().0)
    }

    #[pyfunction]
    fn set_attention_backends(allowed: u8, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.attention.set(AttentionBackends(allowed));
        Ok(())
    }

    /// `torch.promote_types`
    #[pyfunction]
    fn promote_types(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let dtype = |it: &PyObjectRef| arguments::dtype(Some(it), vm);
        let wide = match (dtype(&a)?, dtype(&b)?) {
            (Some(a), Some(b)) => a.promote(b),
            (one, other) => one.or(other).unwrap_or(DType::F32),
        };
        dtype_and_device::dtype(wide, vm)
    }

    /// `torch.result_type`
    #[pyfunction]
    fn result_type(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let side = |it: &PyObjectRef| match convert::number(it, vm) {
            Some((_, kind)) => {
                let dtype = match kind {
                    Category::Float => DType::F64,
                    Category::Bool | Category::Int => default_dtype(kind),
                };
                Ok((dtype, PromotionCategory::Number))
            }
            None => convert::tensor(it, vm).map(|it| {
                let standing = if it.rank() == 0 {
                    PromotionCategory::ZeroDim
                } else {
                    PromotionCategory::Tensor
                };
                (it.dtype(), standing)
            }),
        };
        dtype_and_device::dtype(dtype::result_type(side(&a)?, side(&b)?), vm)
    }
}
