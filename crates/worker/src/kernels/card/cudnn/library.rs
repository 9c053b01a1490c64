//! The functions of cuDNN that are used, found in the library when the worker starts.

use candle_core::Error;
use libloading::Library as Loaded;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// The major version whose functions these are.
const FILE: &str = "libcudnn.so.9";

static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();

/// A descriptor or a handle, which only cuDNN looks into.
pub(super) type Object = *mut c_void;

/// Why a call did nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// cuDNN has no kernel for this.
    NotSupported,
    Failed(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The result of a call, or nothing where another kernel has to do it.
pub(super) fn supported<T>(result: Result<T, Failure>) -> Option<Result<T, Error>> {
    match result {
        Ok(it) => Some(Ok(it)),
        Err(Failure::NotSupported) => None,
        Err(Failure::Failed(error)) => Some(Err(error)),
    }
}

/// What cuDNN expects of an algorithm.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct AlgorithmPerformance {
    pub(super) algorithm: c_int,
    pub(super) status: c_int,
    pub(super) time: f32,
    pub(super) memory: usize,
    pub(super) determinism: c_int,
    pub(super) math_type: c_int,
    pub(super) reserved: [c_int; 3],
}

macro_rules! functions {
    ($($name:ident($($argument:ty),*);)*) => {
        /// The functions by their names.
        #[expect(non_snake_case, reason = "the names of cuDNN")]
        pub(super) struct Library {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) -> c_int,)*
            cudnnGetErrorString: unsafe extern "C" fn(c_int) -> *const c_char,
            cudnnGetVersion: unsafe extern "C" fn() -> usize,
            _loaded: Loaded,
        }

        impl Library {
            #[expect(unsafe_code, reason = "code that is found at run time")]
            fn load() -> Result<Self, libloading::Error> {
                // SAFETY: NVIDIA's library; the signatures are those of its headers.
                unsafe {
                    let loaded = Loaded::new(FILE)?;
                    Ok(Self {
                        $($name: *loaded.get(stringify!($name).as_bytes())?,)*
                        cudnnGetErrorString: *loaded.get(b"cudnnGetErrorString")?,
                        cudnnGetVersion: *loaded.get(b"cudnnGetVersion")?,
                        _loaded: loaded,
                    })
                }
            }
        }
    };
}

functions! {
    cudnnCreate(*mut Object);
    cudnnSetStream(Object, *mut c_void);
    cudnnCreateTensorDescriptor(*mut Object);
    cudnnSetTensorNdDescriptor(Object, c_int, c_int, *const c_int, *const c_int);
    cudnnDestroyTensorDescriptor(Object);
    cudnnCreateFilterDescriptor(*mut Object);
    cudnnSetFilterNdDescriptor(Object, c_int, c_int, c_int, *const c_int);
    cudnnDestroyFilterDescriptor(Object);
    cudnnCreateConvolutionDescriptor(*mut Object);
    cudnnSetConvolutionNdDescriptor(Object, c_int, *const c_int, *const c_int, *const c_int, c_int, c_int);
    cudnnSetConvolutionGroupCount(Object, c_int);
    cudnnSetConvolutionMathType(Object, c_int);
    cudnnDestroyConvolutionDescriptor(Object);
    cudnnGetConvolutionForwardAlgorithm_v7(Object, Object, Object, Object, Object, c_int, *mut c_int, *mut AlgorithmPerformance);
    cudnnGetConvolutionBackwardDataAlgorithm_v7(Object, Object, Object, Object, Object, c_int, *mut c_int, *mut AlgorithmPerformance);
    cudnnGetConvolutionBackwardFilterAlgorithm_v7(Object, Object, Object, Object, Object, c_int, *mut c_int, *mut AlgorithmPerformance);
    cudnnGetConvolutionForwardWorkspaceSize(Object, Object, Object, Object, Object, c_int, *mut usize);
    cudnnGetConvolutionBackwardDataWorkspaceSize(Object, Object, Object, Object, Object, c_int, *mut usize);
    cudnnGetConvolutionBackwardFilterWorkspaceSize(Object, Object, Object, Object, Object, c_int, *mut usize);
    cudnnConvolutionForward(Object, *const c_void, Object, u64, Object, u64, Object, c_int, u64, usize, *const c_void, Object, u64);
    cudnnConvolutionBackwardData(Object, *const c_void, Object, u64, Object, u64, Object, c_int, u64, usize, *const c_void, Object, u64);
    cudnnConvolutionBackwardFilter(Object, *const c_void, Object, u64, Object, u64, Object, c_int, u64, usize, *const c_void, Object, u64);
    cudnnCreateDropoutDescriptor(*mut Object);
    cudnnSetDropoutDescriptor(Object, Object, f32, u64, usize, u64);
    cudnnDestroyDropoutDescriptor(Object);
    cudnnCreateRNNDescriptor(*mut Object);
    cudnnSetRNNDescriptor_v8(Object, c_int, c_int, c_int, c_int, c_int, c_int, c_int, c_int, i32, i32, i32, i32, Object, u32);
    cudnnDestroyRNNDescriptor(Object);
    cudnnCreateRNNDataDescriptor(*mut Object);
    cudnnSetRNNDataDescriptor(Object, c_int, c_int, c_int, c_int, c_int, *const c_int, *const c_void);
    cudnnDestroyRNNDataDescriptor(Object);
    cudnnGetRNNTempSpaceSizes(Object, Object, c_int, Object, *mut usize, *mut usize);
    cudnnGetRNNWeightSpaceSize(Object, Object, *mut usize);
    cudnnGetRNNWeightParams(Object, Object, i32, usize, u64, i32, Object, *mut u64, Object, *mut u64);
    cudnnRNNForward(Object, Object, c_int, u64, Object, u64, Object, u64, Object, u64, u64, Object, u64, u64, usize, u64, usize, u64, usize, u64);
    cudnnRNNBackwardData_v8(Object, Object, u64, Object, u64, u64, Object, u64, Object, u64, u64, u64, Object, u64, u64, u64, usize, u64, usize, u64, usize, u64);
    cudnnRNNBackwardWeights_v8(Object, Object, c_int, u64, Object, u64, Object, u64, Object, u64, usize, u64, usize, u64, usize, u64);
}

/// Calls a function of cuDNN, and makes of its status what it says.
macro_rules! call {
    ($library:expr, $name:ident($($argument:expr),* $(,)?)) => {{
        #[expect(unsafe_code, reason = "cuDNN has an interface in C")]
        // SAFETY: descriptors and handles are alive, addresses are of memory on the card as large as the descriptors say.
        let status = unsafe { ($library.$name)($($argument),*) };
        $library.check(stringify!($name), status)
    }};
}
pub(super) use call;

impl Library {
    /// What a status says.
    pub(super) fn check(&self, name: &str, status: c_int) -> Result<(), Failure> {
        match status {
            0 => Ok(()),
            // CUDNN_STATUS_NOT_SUPPORTED and its reasons.
            3000..4000 => Err(Failure::NotSupported),
            _ => {
                #[expect(unsafe_code, reason = "cuDNN has an interface in C")]
                // SAFETY: it gives a text of its own for any number.
                let text = unsafe { CStr::from_ptr((self.cudnnGetErrorString)(status)) };
                let text = text.to_string_lossy();
                Err(Failure::Failed(Error::msg(format!("{name}: {text}"))))
            }
        }
    }

    /// Such as `9.10.2`.
    pub(super) fn version(&self) -> String {
        #[expect(unsafe_code, reason = "cuDNN has an interface in C")]
        // SAFETY: it takes nothing.
        let version = unsafe { (self.cudnnGetVersion)() };
        format!(
            "{}.{}.{}",
            version / 10_000,
            version / 100 % 100,
            version % 100
        )
    }
}

/// The library, or the loader's error.
pub(super) fn loaded() -> Result<&'static Library, &'static str> {
    let loaded = LIBRARY.get_or_init(|| Library::load().map_err(|error| error.to_string()));
    loaded.as_ref().map_err(String::as_str)
}
