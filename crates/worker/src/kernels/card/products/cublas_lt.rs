//! cuBLASLt: its descriptors, and an algorithm for each size that is asked for once.

use crate::kernels::card::launch::{address_of, memory};
use crate::kernels::card::on_one_card;
use crate::kernels::fast::contiguous;
use candle_core::cuda::cudarc::cublaslt::result::{self, CublasError};
use candle_core::cuda::cudarc::cublaslt::sys;
use candle_core::cuda::cudarc::cublaslt::sys::cublasLtMatmulDescAttributes_t as Attribute;
use candle_core::cuda::gemm_reduced_precision_f32;
use candle_core::{D, DType, Error, Result, Tensor};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;

/// So many products are kept; a program with more of them asks again.
const MOST_PLANS: usize = 1024;

/// Room that an algorithm may take beside the matrices: what PyTorch gives it.
const WORKSPACE: usize = 1 << 20;

/// `CUBLAS_OP_T`.
const TRANSPOSED: i32 = 1;

/// What algorithms may assume of all addresses.
const ALIGNMENT: u64 = 16;

thread_local! {
    static PRODUCTS: RefCell<Products> = RefCell::default();
}

/// What an algorithm depends on; all matrices are row-major and without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Question {
    dtype: DType,
    allows_tf32: bool,
    rows: u64,
    features: u64,
    inner: u64,
}

/// Descriptors and an algorithm. cuBLASLt sees columns where we see rows, so that the weight comes first.
struct ProductPlan {
    product: sys::cublasLtMatmulDesc_t,
    weight: sys::cublasLtMatrixLayout_t,
    input: sys::cublasLtMatrixLayout_t,
    out: sys::cublasLtMatrixLayout_t,
    algorithm: sys::cublasLtMatmulAlgo_t,
    workspace: usize,
}

#[derive(Default)]
struct Products {
    handle: Option<sys::cublasLtHandle_t>,
    /// Nothing where cuBLASLt has no algorithm.
    plans: HashMap<Question, Option<Rc<ProductPlan>>>,
}

/// See [`super::linear`].
pub(super) fn linear(input: &Tensor, weight: &Tensor, bias: &Tensor) -> Option<Result<Tensor>> {
    let dtype = input.dtype();
    let is_one_type = weight.dtype() == dtype && bias.dtype() == dtype;
    let is_linear = weight.rank() == 2 && bias.rank() == 1 && input.rank() > 0;
    if !is_one_type || !is_linear || !on_one_card(&[input, weight, bias]) || stored(dtype).is_none()
    {
        return None;
    }
    let inner = input.dim(D::Minus1).ok()?;
    let features = weight.dim(0).ok()?;
    if weight.dim(1).ok()? != inner || bias.dim(0).ok()? != features {
        return None;
    }
    let question = Question {
        dtype,
        allows_tf32: gemm_reduced_precision_f32(),
        rows: (input.elem_count() / inner) as u64,
        features: features as u64,
        inner: inner as u64,
    };
    let plan = PRODUCTS.with_borrow_mut(|all| all.plan(question))?;
    let run = || {
        let mut shape = input.dims().to_vec();
        if let Some(last) = shape.last_mut() {
            *last = features;
        }
        let (input, weight, bias) = (contiguous(input)?, contiguous(weight)?, contiguous(bias)?);
        let out = memory(shape, dtype, input.device())?;
        plan.run([&input, &weight, &bias], &out)
            .map(|is_done| is_done.then_some(out))
    };
    run().transpose()
}

fn stored(dtype: DType) -> Option<sys::cudaDataType> {
    let all = [
        (DType::F32, sys::cudaDataType_t::CUDA_R_32F),
        (DType::F16, sys::cudaDataType_t::CUDA_R_16F),
        (DType::BF16, sys::cudaDataType_t::CUDA_R_16BF),
    ];
    all.into_iter()
        .find(|(of, _)| *of == dtype)
        .map(|(_, it)| it)
}

impl Products {
    fn plan(&mut self, question: Question) -> Option<Rc<ProductPlan>> {
        if let Some(known) = self.plans.get(&question) {
            return known.clone();
        }
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        let handle = match self.handle {
            Some(handle) => Ok(handle),
            None => result::create_handle(),
        };
        let plan = handle.and_then(|handle| {
            self.handle = Some(handle);
            ProductPlan::of(handle, question)
        });
        // Without an algorithm, the product and the sum are two kernels.
        let plan = plan.ok().map(Rc::new);
        self.plans.insert(question, plan.clone());
        plan
    }
}

impl ProductPlan {
    fn of(
        handle: sys::cublasLtHandle_t,
        question: Question,
    ) -> std::result::Result<Self, CublasError> {
        let Question {
            dtype,
            allows_tf32,
            rows,
            features,
            inner,
        } = question;
        let unsupported = CublasError(sys::cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED);
        let stored = stored(dtype).ok_or(unsupported)?;
        let compute = if allows_tf32 && dtype == DType::F32 {
            sys::cublasComputeType_t::CUBLAS_COMPUTE_32F_FAST_TF32
        } else {
            sys::cublasComputeType_t::CUBLAS_COMPUTE_32F
        };
        let product = result::create_matmul_desc(compute, sys::cudaDataType_t::CUDA_R_32F)?;
        let epilogue = sys::cublasLtEpilogue_t::CUBLASLT_EPILOGUE_BIAS;
        set(product, Attribute::CUBLASLT_MATMUL_DESC_TRANSA, &TRANSPOSED)?;
        set(product, Attribute::CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue)?;
        let mut plan = Self {
            product,
            weight: result::create_matrix_layout(stored, inner, features, inner as i64)?,
            input: result::create_matrix_layout(stored, inner, rows, inner as i64)?,
            out: result::create_matrix_layout(stored, features, rows, features as i64)?,
            algorithm: sys::cublasLtMatmulAlgo_t { data: [0; 8] },
            workspace: 0,
        };
        let preference = result::create_matmul_pref()?;
        let most =
            sys::cublasLtMatmulPreferenceAttributes_t::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
        let size: *const usize = &WORKSPACE;
        #[expect(unsafe_code, reason = "cuBLASLt has an interface in C")]
        // SAFETY: all descriptors are alive, and the attribute is a size.
        let found = unsafe {
            result::set_matmul_pref_attribute(preference, most, size.cast(), size_of::<usize>())?;
            let found = result::get_matmul_algo_heuristic(
                handle,
                plan.product,
                plan.weight,
                plan.input,
                plan.out,
                plan.out,
                preference,
            );
            result::destroy_matmul_pref(preference)?;
            found?
        };
        plan.algorithm = found.algo;
        plan.workspace = found.workspaceSize;
        Ok(plan)
    }

    /// Launches it; gives whether it could.
    fn run(&self, [input, weight, bias]: [&Tensor; 3], out: &Tensor) -> Result<bool> {
        let Some(handle) = PRODUCTS.with_borrow(|all| all.handle) else {
            return Ok(false);
        };
        let [a, b, c, d] = [weight, input, bias, out].map(address_of);
        let (a, b, bias, d) = (a?, b?, c?, d?);
        if [a, b, bias, d]
            .iter()
            .any(|it| !it.is_multiple_of(ALIGNMENT))
        {
            return Ok(false);
        }
        set(
            self.product,
            Attribute::CUBLASLT_MATMUL_DESC_BIAS_POINTER,
            &bias,
        )
        .map_err(Error::wrap)?;
        let stream = out.device().as_cuda_device()?.cuda_stream();
        let work = (self.workspace > 0)
            .then(|| memory(self.workspace, DType::U8, out.device()))
            .transpose()?;
        let work = work.as_ref().map_or(Ok(0), address_of)?;
        let (one, zero) = (1.0_f32, 0.0_f32);
        let pointer = |address: u64| address as *mut c_void;
        #[expect(unsafe_code, reason = "cuBLASLt has an interface in C")]
        // SAFETY: descriptors and handle are alive, and the matrices are as large as the descriptors say.
        let done = unsafe {
            result::matmul(
                handle,
                self.product,
                ptr::from_ref(&one).cast(),
                ptr::from_ref(&zero).cast(),
                pointer(a),
                self.weight,
                pointer(b),
                self.input,
                pointer(d),
                self.out,
                pointer(d),
                self.out,
                &raw const self.algorithm,
                pointer(work),
                self.workspace,
                stream.cu_stream().cast(),
            )
        };
        done.map_err(Error::wrap)?;
        Ok(true)
    }
}

impl Drop for ProductPlan {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "cuBLASLt has an interface in C")]
        // SAFETY: they are this plan's, and nothing else ends them. A status of a failed end has no reader.
        unsafe {
            let _status = result::destroy_matmul_desc(self.product);
            for layout in [self.weight, self.input, self.out] {
                let _status = result::destroy_matrix_layout(layout);
            }
        }
    }
}

/// Sets an attribute of a product.
fn set<T>(
    product: sys::cublasLtMatmulDesc_t,
    attribute: Attribute,
    value: &T,
) -> std::result::Result<(), CublasError> {
    #[expect(unsafe_code, reason = "cuBLASLt has an interface in C")]
    // SAFETY: the descriptor is alive, and the value is of the attribute's type.
    unsafe {
        result::set_matmul_desc_attribute(
            product,
            attribute,
            ptr::from_ref(value).cast(),
            size_of::<T>(),
        )
    }
}
