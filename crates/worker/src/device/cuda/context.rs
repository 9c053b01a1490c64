//! The CUDA context of a card: created at the first run on it, and kept for later runs of the same worker.
//!
//! All calls come from one thread: candle's stream belongs to that thread.

use super::driver_pool::DriverPool;
use super::failure::in_candle;
use super::memory::CardMemory;
use super::properties::DeviceProperties;
use super::run_state::MEMORY;
use crate::device::cpu::ns_since;
use crate::device::timing::Preparation;
use candle_core::backend::BackendDevice;
use candle_core::cuda::cudarc::driver::CudaStream;
use candle_core::cuda::{CudaDevice, kernels};
use candle_core::{Device as Candle, Tensor as Values};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

thread_local! {
    static OPEN: RefCell<Vec<Rc<CardContext>>> = const { RefCell::new(Vec::new()) };
}

/// A card with a context, cuBLAS, a stream and a memory pool.
pub(super) struct CardContext {
    pub(super) properties: DeviceProperties,
    pub(super) candle: Candle,
    pub(super) memory: CardMemory,
    pub(super) stream: Arc<CudaStream>,
}

/// A kernel of each module that labs need. All modules are read before the program starts: with the driver's
/// `CUDA_MODULE_LOADING=LAZY`, its default from CUDA 12.2 on, that brings no code to the card yet, and each kernel comes at its first launch, as
/// PyTorch's do. To read a module at its first kernel instead would save little here, and make the first training step pay
/// for it in the middle of its lines; where the driver has to compile, by seconds.
const MODULES: &[(&str, &kernels::Module)] = &[
    ("affine_f32", &kernels::AFFINE),
    ("badd_f32", &kernels::BINARY),
    ("cast_f32_f64", &kernels::CAST),
    ("fill_f32", &kernels::FILL),
    ("is_i64_f32", &kernels::INDEXING),
    ("fast_sum_f32", &kernels::REDUCE),
    ("asort_asc_f32", &kernels::SORT),
    ("where_u8_f32", &kernels::TERNARY),
    ("uneg_f32", &kernels::UNARY),
    ("nll_f32", &kernels::AT_INDEX),
    ("attention_64_f32", &kernels::ATTENTION),
    ("attention_delta_f32", &kernels::ATTENTION_BACKWARD),
    ("channel_sums_f32", &kernels::CHANNELS),
    ("eq_f32", &kernels::CHOICES),
    ("full_f32", &kernels::CREATION),
    ("add_f32", &kernels::ELEMENTWISE),
    ("times_many_f32", &kernels::MANY_TENSORS),
    ("adam_f32", &kernels::OPTIMIZERS),
    ("first_places_f32", &kernels::RANKING),
    ("permutation_ties", &kernels::PERMUTATION),
    ("pool_largest_f32", &kernels::POOL),
    ("read_at_4", &kernels::POSITIONS),
    ("reduce_sum_f32", &kernels::REDUCTION),
    ("resample_f32", &kernels::RESAMPLE),
    ("uniform_f32", &kernels::RANDOM),
    ("softmax_f32", &kernels::ROWS),
    ("scan_sum_f32", &kernels::SCAN),
    ("strided_copy_4", &kernels::STRIDED_COPY),
];

impl CardContext {
    /// The context on this card, new or from an earlier run, for the run that begins; what it took, if it is new.
    pub(super) fn get(
        properties: &DeviceProperties,
    ) -> candle_core::Result<(Rc<Self>, Option<Preparation>)> {
        let (context, preparation) = match Self::find(properties) {
            Some(context) => (context, None),
            None => {
                let began = Instant::now();
                let context = Rc::new(Self::create(properties)?);
                let context_ns = ns_since(began);
                let began = Instant::now();
                context.load_kernels()?;
                let kernels_ns = ns_since(began);
                let began = Instant::now();
                context.multiply_once()?;
                let cublas_ns = ns_since(began);
                OPEN.with_borrow_mut(|open| open.push(Rc::clone(&context)));
                let preparation = Preparation {
                    context: context_ns,
                    kernels: kernels_ns,
                    cublas: cublas_ns,
                };
                (context, Some(preparation))
            }
        };
        MEMORY.set(Some(context.memory.clone()));
        Ok((context, preparation))
    }

    /// cuBLAS reads its kernels at the first product, which takes longer than most programs: no line of theirs pays for it.
    fn multiply_once(&self) -> candle_core::Result<()> {
        // Zeros are filled by the driver: no kernel of ours runs yet, whose failure is the program's to see.
        let zeros = Values::zeros((16, 16), candle_core::DType::F32, &self.candle)?;
        drop(zeros.matmul(&zeros)?);
        self.candle.synchronize()
    }

    /// The context of an earlier run.
    pub(super) fn find(properties: &DeviceProperties) -> Option<Rc<Self>> {
        OPEN.with_borrow(|open| {
            let mut open = open.iter();
            open.find(|it| it.properties.ordinal == properties.ordinal)
                .cloned()
        })
    }

    /// The cards with a context.
    pub(super) fn open() -> Vec<DeviceProperties> {
        OPEN.with_borrow(|open| open.iter().map(|it| it.properties.clone()).collect())
    }

    /// A new context, without kernels.
    pub(super) fn create(properties: &DeviceProperties) -> candle_core::Result<Self> {
        let device = CudaDevice::new(properties.ordinal as usize)?;
        disable_event_tracking(&device);
        let stream = device.cuda_stream();
        let context = Arc::clone(stream.context());
        let pool = DriverPool::of(&context).map_err(in_candle)?;
        Ok(Self {
            properties: properties.clone(),
            candle: Candle::Cuda(device),
            memory: CardMemory { context, pool },
            stream,
        })
    }

    /// Loads the kernels, so that no line of a program pays for it.
    pub(super) fn load_kernels(&self) -> candle_core::Result<()> {
        let device = self.candle.as_cuda_device()?;
        for (name, module) in MODULES {
            device.get_or_load_func(name, module)?;
        }
        Ok(())
    }
}

/// Kernels of one stream run in order anyhow; an event for each tensor would only cost time.
#[expect(
    unsafe_code,
    reason = "cudarc asks for it: all tensors of a worker are used on its one stream"
)]
fn disable_event_tracking(device: &CudaDevice) {
    // SAFETY: there is one stream, and all calls come from one thread.
    unsafe { device.disable_event_tracking() }
}
