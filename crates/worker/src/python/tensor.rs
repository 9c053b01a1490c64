//! The Python object that holds a tensor. Its attributes are in `attributes`, its methods are installed by
//! `methods`, its operators are in `operators`.

use crate::tensor::Tensor;
use rustpython_vm::{PyPayload, PyRef, pyclass};

/// A tensor as the receiver of a method.
pub(super) type PyTensorRef = PyRef<PyTensor>;

/// `torch.Tensor`
#[pyclass(module = false, name = "Tensor")]
#[derive(Clone, Debug, PyPayload)]
pub(super) struct PyTensor {
    tensor: Tensor,
}

impl From<Tensor> for PyTensor {
    fn from(tensor: Tensor) -> Self {
        Self { tensor }
    }
}

impl PyTensor {
    /// The engine's tensor.
    pub(super) fn tensor(&self) -> &Tensor {
        &self.tensor
    }
}
