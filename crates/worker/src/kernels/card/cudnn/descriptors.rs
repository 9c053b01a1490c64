//! Descriptors: what cuDNN is told about tensors, weights and convolutions.

use super::library::{Failure, Library, Object, call};
use crate::kernels::convolution::Steps;
use candle_core::{DType, Error};
use std::ffi::c_int;
use std::ptr;

/// How the products of `float32` are made (`cudnnMathType_t`): with TF32 or without; those of 16 bits take tensor cores.
const DEFAULT_MATH: c_int = 0;
const TENSOR_OP_MATH: c_int = 1;
const FMA_MATH: c_int = 3;

/// A weight is applied as it is, not mirrored (`CUDNN_CROSS_CORRELATION`).
const CROSS_CORRELATION: c_int = 1;

/// Sums are made in this type.
const FLOAT: c_int = 0;
const DOUBLE: c_int = 1;

/// A descriptor, which ends with its owner.
pub(super) struct Descriptor {
    pub(super) raw: Object,
    library: &'static Library,
    destroy: unsafe extern "C" fn(Object) -> c_int,
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "cuDNN has an interface in C")]
        // SAFETY: it was created by the same library, and nothing else ends it.
        let _status = unsafe { (self.destroy)(self.raw) };
    }
}

/// The numbers of `cudnnDataType_t`.
pub(super) fn data_type(dtype: DType) -> Option<c_int> {
    let all = [
        (DType::F32, FLOAT),
        (DType::F64, DOUBLE),
        (DType::F16, 2),
        (DType::BF16, 9),
    ];
    let mut all = all.into_iter();
    all.find(|(of, _)| *of == dtype).map(|(_, number)| number)
}

/// The type of sums over values of this type.
pub(super) fn sum_type(dtype: DType) -> c_int {
    if dtype == DType::F64 { DOUBLE } else { FLOAT }
}

pub(super) fn math_type(dtype: DType, allows_tf32: bool) -> c_int {
    if matches!(dtype, DType::F16 | DType::BF16) {
        TENSOR_OP_MATH
    } else if allows_tf32 {
        DEFAULT_MATH
    } else {
        FMA_MATH
    }
}

/// Sizes as cuDNN takes them.
pub(super) fn numbers(sizes: &[usize]) -> Result<Vec<c_int>, Failure> {
    let numbers = sizes.iter().map(|it| c_int::try_from(*it));
    let numbers: Result<Vec<c_int>, _> = numbers.collect();
    numbers.map_err(|error| Failure::Failed(Error::wrap(error)))
}

macro_rules! new {
    ($library:expr, $create:ident, $destroy:ident) => {{
        let library = $library;
        let mut raw = ptr::null_mut();
        call!(library, $create(&raw mut raw)).map(|()| Descriptor {
            raw,
            library,
            destroy: library.$destroy,
        })
    }};
}

impl Descriptor {
    /// A tensor in row-major order.
    pub(super) fn tensor(
        library: &'static Library,
        dtype: c_int,
        sizes: &[usize],
    ) -> Result<Self, Failure> {
        let it = Self::any_tensor(library)?;
        let sizes = numbers(sizes)?;
        let mut strides = vec![1; sizes.len()];
        let mut apart: c_int = 1;
        for (stride, size) in strides.iter_mut().zip(&sizes).rev() {
            *stride = apart;
            apart = apart.checked_mul(*size).ok_or(Failure::NotSupported)?;
        }
        let rank = sizes.len() as c_int;
        call!(
            it.library,
            cudnnSetTensorNdDescriptor(it.raw, dtype, rank, sizes.as_ptr(), strides.as_ptr())
        )?;
        Ok(it)
    }

    /// A tensor that cuDNN describes itself.
    pub(super) fn any_tensor(library: &'static Library) -> Result<Self, Failure> {
        new!(
            library,
            cudnnCreateTensorDescriptor,
            cudnnDestroyTensorDescriptor
        )
    }

    /// The weight of a convolution in row-major order.
    pub(super) fn filter(
        library: &'static Library,
        dtype: c_int,
        sizes: &[usize],
    ) -> Result<Self, Failure> {
        /// `CUDNN_TENSOR_NCHW`.
        const ROW_MAJOR: c_int = 0;
        let it = new!(
            library,
            cudnnCreateFilterDescriptor,
            cudnnDestroyFilterDescriptor
        )?;
        let sizes = numbers(sizes)?;
        let rank = sizes.len() as c_int;
        call!(
            library,
            cudnnSetFilterNdDescriptor(it.raw, dtype, ROW_MAJOR, rank, sizes.as_ptr())
        )?;
        Ok(it)
    }

    /// How a convolution goes over its input.
    pub(super) fn convolution(
        library: &'static Library,
        steps: &Steps,
        sums: c_int,
        math: c_int,
    ) -> Result<Self, Failure> {
        let it = new!(
            library,
            cudnnCreateConvolutionDescriptor,
            cudnnDestroyConvolutionDescriptor
        )?;
        let (padding, stride) = (numbers(&steps.padding)?, numbers(&steps.stride)?);
        let dilation = numbers(&steps.dilation)?;
        let rank = stride.len() as c_int;
        let [padding, stride, dilation] = [&padding, &stride, &dilation].map(Vec::as_ptr);
        call!(
            library,
            cudnnSetConvolutionNdDescriptor(
                it.raw,
                rank,
                padding,
                stride,
                dilation,
                CROSS_CORRELATION,
                sums
            )
        )?;
        let groups = numbers(&[steps.groups])?.into_iter().sum();
        call!(library, cudnnSetConvolutionGroupCount(it.raw, groups))?;
        call!(library, cudnnSetConvolutionMathType(it.raw, math))?;
        Ok(it)
    }

    /// The layers of a recurrent network: one, in one direction.
    pub(super) fn recurrent(library: &'static Library) -> Result<Self, Failure> {
        new!(library, cudnnCreateRNNDescriptor, cudnnDestroyRNNDescriptor)
    }

    /// Sequences of a recurrent network.
    pub(super) fn sequences(library: &'static Library) -> Result<Self, Failure> {
        new!(
            library,
            cudnnCreateRNNDataDescriptor,
            cudnnDestroyRNNDataDescriptor
        )
    }

    /// Dropout between layers.
    pub(super) fn dropout(library: &'static Library) -> Result<Self, Failure> {
        new!(
            library,
            cudnnCreateDropoutDescriptor,
            cudnnDestroyDropoutDescriptor
        )
    }
}
