//! Launches through candle's device and stream.

use super::{Argument, CardLimits, Grid, Module};
use crate::kernels::card::many_tensors::flush;
use crate::kernels::card::walk::Walk;
use candle_core::cuda::cudarc::driver::result::{memcpy_dtod_async, memset_d8_async};
use candle_core::cuda::cudarc::driver::sys::{CUdevice_attribute, CUfunction_attribute_enum};
use candle_core::cuda::cudarc::driver::{DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg};
use candle_core::cuda::{CudaDevice, CudaStorage, CudaStorageSlice, WrapErr, kernels};
use candle_core::cuda_backend::CudaDType;
use candle_core::op::BackpropOp;
use candle_core::{DType, Device, Error, Result, Shape, Storage, Tensor};
use half::{bf16, f16};
use smallvec::SmallVec;

/// As many bytes as the threads of a block may share without asking for more.
const SHARED_WITHOUT_ASKING: usize = 48 << 10;

// SAFETY: plain numbers in C's layout, as the kernels declare them.
#[expect(unsafe_code, reason = "a kernel takes it by value")]
unsafe impl DeviceRepr for Walk {}

impl Module {
    fn image(self) -> &'static kernels::Module {
        match self {
            Self::AtIndex => &kernels::AT_INDEX,
            Self::Attention => &kernels::ATTENTION,
            Self::AttentionBackward => &kernels::ATTENTION_BACKWARD,
            Self::Channels => &kernels::CHANNELS,
            Self::Choices => &kernels::CHOICES,
            Self::Creation => &kernels::CREATION,
            Self::ManyTensors => &kernels::MANY_TENSORS,
            Self::Optimizers => &kernels::OPTIMIZERS,
            Self::Positions => &kernels::POSITIONS,
            Self::Elementwise => &kernels::ELEMENTWISE,
            Self::Permutation => &kernels::PERMUTATION,
            Self::Pool => &kernels::POOL,
            Self::Random => &kernels::RANDOM,
            Self::Ranking => &kernels::RANKING,
            Self::Reduction => &kernels::REDUCTION,
            Self::Resample => &kernels::RESAMPLE,
            Self::Scan => &kernels::SCAN,
            Self::Rows => &kernels::ROWS,
            Self::StridedCopy => &kernels::STRIDED_COPY,
        }
    }
}

/// Runs a kernel behind all that the stream has been given.
///
/// The caller answers for the kernel's reach: it writes only memory that is its own, inside of it.
pub(in super::super) fn launch_now(
    on: &Device,
    kernel: (Module, &str),
    grid: Grid,
    arguments: &[Argument<'_>],
) -> Result<()> {
    launch_with(on, kernel, (grid, 0), arguments)
}

/// The same for a kernel whose threads of a block share so many bytes; behind what waits for its launch.
pub(in super::super) fn launch_sharing(
    on: &Device,
    kernel: (Module, &str),
    grid: (Grid, usize),
    arguments: &[Argument<'_>],
) -> Result<()> {
    flush()?;
    launch_with(on, kernel, grid, arguments)
}

fn launch_with(
    on: &Device,
    (module, name): (Module, &str),
    (grid, shared): (Grid, usize),
    arguments: &[Argument<'_>],
) -> Result<()> {
    let device = on.as_cuda_device()?;
    let function = device.get_or_load_func(name, module.image())?;
    if shared > SHARED_WITHOUT_ASKING {
        let most = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(shared).map_err(Error::wrap)?;
        function.set_attribute(most, bytes).w()?;
    }
    let addresses = arguments.iter().map(|it| match it {
        Argument::Data(tensor) => address(device, tensor),
        Argument::InMemoryOf(tensor, element) => element_address(device, tensor, *element),
        Argument::Absent
        | Argument::U32(_)
        | Argument::U64(_)
        | Argument::I64(_)
        | Argument::F64(_)
        | Argument::Walk(_)
        | Argument::Sizes(_)
        | Argument::Words(_) => Ok(0),
    });
    let addresses: SmallVec<[u64; 12]> = addresses.collect::<Result<_>>()?;
    let mut builder = function.builder();
    for (argument, address) in arguments.iter().zip(&addresses) {
        match argument {
            Argument::Data(_) | Argument::InMemoryOf(..) | Argument::Absent => builder.arg(address),
            Argument::U32(it) => builder.arg(it),
            Argument::U64(it) => builder.arg(it),
            Argument::I64(it) => builder.arg(it),
            Argument::F64(it) => builder.arg(it),
            Argument::Walk(it) => builder.arg(*it),
            Argument::Sizes(it) => builder.arg(*it),
            // The driver copies as many bytes as the kernel declares.
            Argument::Words(it) => match it.first() {
                Some(first) => builder.arg(first),
                None => &mut builder,
            },
        };
    }
    let config = LaunchConfig {
        grid_dim: (grid.blocks, grid.rows, 1),
        block_dim: (grid.threads, 1, 1),
        shared_mem_bytes: u32::try_from(shared).map_err(Error::wrap)?,
    };
    #[expect(unsafe_code, reason = "the kernel's signature is not known to Rust")]
    // SAFETY: the arguments are those that the kernel declares, and their memory is large enough, as its caller checks.
    unsafe { builder.launch(config) }.w()?;
    Ok(())
}

/// What this card allows a kernel.
pub(in super::super) fn limits(on: &Device) -> Result<CardLimits> {
    let stream = on.as_cuda_device()?.cuda_stream();
    let about = |what| stream.context().attribute(what).w();
    let shared = about(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
    Ok(CardLimits {
        capability: about(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        shared: usize::try_from(shared).unwrap_or(SHARED_WITHOUT_ASKING),
    })
}

/// Whether a tensor is at the start of memory for so many elements.
pub(in super::super) fn has_length(tensor: &Tensor, length: usize) -> bool {
    let (storage, layout) = tensor.storage_and_layout();
    let Storage::Cuda(storage) = &*storage else {
        return false;
    };
    let own = match &storage.slice {
        CudaStorageSlice::F16(it) => it.len(),
        CudaStorageSlice::BF16(it) => it.len(),
        CudaStorageSlice::F32(it) => it.len(),
        CudaStorageSlice::U8(_)
        | CudaStorageSlice::I64(_)
        | CudaStorageSlice::F64(_)
        | CudaStorageSlice::U32(_)
        | CudaStorageSlice::I16(_)
        | CudaStorageSlice::I32(_)
        | CudaStorageSlice::F8E4M3(_)
        | CudaStorageSlice::F6E2M3(_)
        | CudaStorageSlice::F6E3M2(_)
        | CudaStorageSlice::F4(_)
        | CudaStorageSlice::F8E8M0(_) => return false,
    };
    layout.start_offset() == 0 && own == length
}

/// Memory that nothing has written yet.
pub(in super::super) fn memory(
    shape: impl Into<Shape>,
    dtype: DType,
    on: &Device,
) -> Result<Tensor> {
    let device = on.as_cuda_device()?;
    let shape = shape.into();
    let count = shape.elem_count();
    let storage = match dtype {
        DType::U8 => unwritten::<u8>(device, count),
        DType::I64 => unwritten::<i64>(device, count),
        DType::F16 => unwritten::<f16>(device, count),
        DType::BF16 => unwritten::<bf16>(device, count),
        DType::F32 => unwritten::<f32>(device, count),
        DType::F64 => unwritten::<f64>(device, count),
        DType::U32
        | DType::I16
        | DType::I32
        | DType::F8E4M3
        | DType::F6E2M3
        | DType::F6E3M2
        | DType::F4
        | DType::F8E8M0
        | _ => Err(no_kernel(dtype)),
    }?;
    let storage = Storage::Cuda(storage);
    Ok(Tensor::from_storage(
        storage,
        shape,
        BackpropOp::none(),
        false,
    ))
}

fn unwritten<T: DeviceRepr + CudaDType>(device: &CudaDevice, count: usize) -> Result<CudaStorage> {
    #[expect(unsafe_code, reason = "a kernel writes all of it before it is read")]
    // SAFETY: as above.
    let slice = unsafe { device.alloc::<T>(count) }?;
    Ok(CudaStorage::wrap_cuda_slice(slice, device.clone()))
}

/// The address of a tensor's first element.
pub(in super::super) fn address_of(tensor: &Tensor) -> Result<u64> {
    address(tensor.device().as_cuda_device()?, tensor)
}

/// Copies bytes behind all that the stream has been given. The caller answers for both addresses.
pub(in super::super) fn copy_bytes(on: &Device, to: u64, from: u64, bytes: usize) -> Result<()> {
    let stream = on.as_cuda_device()?.cuda_stream();
    #[expect(unsafe_code, reason = "addresses are not known to Rust")]
    // SAFETY: as its caller says.
    unsafe { memcpy_dtod_async(to, from, bytes, stream.cu_stream()) }.w()
}

/// Fills a tensor's memory with zeros.
pub(in super::super) fn fill_with_zeros(tensor: &Tensor) -> Result<()> {
    let stream = tensor.device().as_cuda_device()?.cuda_stream();
    let bytes = tensor.elem_count() * tensor.dtype().size_in_bytes();
    #[expect(unsafe_code, reason = "addresses are not known to Rust")]
    // SAFETY: the tensor is as large, and its memory is in use by nothing else yet.
    unsafe { memset_d8_async(address_of(tensor)?, 0, bytes, stream.cu_stream()) }.w()
}

fn address(device: &CudaDevice, tensor: &Tensor) -> Result<u64> {
    let start = tensor.storage_and_layout().1.start_offset();
    element_address(device, tensor, start)
}

/// The address of an element, counted from the start of the memory in which a tensor lies.
fn element_address(device: &CudaDevice, tensor: &Tensor, element: usize) -> Result<u64> {
    let (storage, _) = tensor.storage_and_layout();
    let Storage::Cuda(storage) = &*storage else {
        return Err(Error::msg(
            "internal error in warpup: a kernel reads the host",
        ));
    };
    let stream = device.cuda_stream();
    let start = match &storage.slice {
        CudaStorageSlice::U8(it) => it.device_ptr(&stream).0,
        CudaStorageSlice::I64(it) => it.device_ptr(&stream).0,
        CudaStorageSlice::F16(it) => it.device_ptr(&stream).0,
        CudaStorageSlice::BF16(it) => it.device_ptr(&stream).0,
        CudaStorageSlice::F32(it) => it.device_ptr(&stream).0,
        CudaStorageSlice::F64(it) => it.device_ptr(&stream).0,
        CudaStorageSlice::U32(_)
        | CudaStorageSlice::I16(_)
        | CudaStorageSlice::I32(_)
        | CudaStorageSlice::F8E4M3(_)
        | CudaStorageSlice::F6E2M3(_)
        | CudaStorageSlice::F6E3M2(_)
        | CudaStorageSlice::F4(_)
        | CudaStorageSlice::F8E8M0(_) => return Err(no_kernel(tensor.dtype())),
    };
    let size = tensor.dtype().size_in_bytes();
    Ok(start + (element * size) as u64)
}

fn no_kernel(dtype: DType) -> Error {
    Error::msg(format!(
        "internal error in warpup: no kernel is for {dtype:?}"
    ))
}
