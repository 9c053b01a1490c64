//! The card of this process: its context, made at first use and kept for later runs of the same worker.
//!
//! All calls come from one thread: candle's stream is that thread's own.

use super::facts::Facts;
use super::pool::DriverPool;
use super::trouble::{Trouble, within};
use crate::protocol::Reason;
use crate::worker::device::pool::Counts;
use crate::worker::device::words::{out_of_memory as told, size};
use crate::worker::device::{DeviceUnavailable, OpenError};
use crate::worker::error::TorchError;
use candle_core::Device as Candle;
use candle_core::backend::BackendDevice;
use candle_core::cuda::cudarc::driver::sys::CUresult;
use candle_core::cuda::cudarc::driver::{CudaContext, CudaStream, DriverError};
use candle_core::cuda::{CudaDevice, kernels};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

thread_local! {
    static OPEN: RefCell<Vec<Rc<Card>>> = const { RefCell::new(Vec::new()) };
    static STATE: State = const { State::new() };
}

/// What is known of the card beside its context.
struct State {
    /// Bytes that the tensors of the run hold, rounded as blocks are.
    live: Cell<u64>,
    /// What was asked for last.
    asked: Cell<u64>,
    /// Bytes that a run may hold.
    cap: Cell<Option<u64>>,
    broken: Cell<bool>,
    unavailable: RefCell<Option<DeviceUnavailable>>,
}

impl State {
    const fn new() -> Self {
        Self {
            live: Cell::new(0),
            asked: Cell::new(0),
            cap: Cell::new(None),
            broken: Cell::new(false),
            unavailable: RefCell::new(None),
        }
    }
}

/// A card with a context.
pub(super) struct Card {
    pub(super) facts: Facts,
    pub(super) candle: Candle,
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    pub(super) pool: Option<DriverPool>,
}

/// A kernel of each module that labs need. A module is compiled by the driver when it is first asked for,
/// unless the driver has kept it from before.
const MODULES: [(&str, &kernels::Module); 9] = [
    ("affine_f32", &kernels::AFFINE),
    ("badd_f32", &kernels::BINARY),
    ("cast_f32_f64", &kernels::CAST),
    ("fill_f32", &kernels::FILL),
    ("is_i64_f32", &kernels::INDEXING),
    ("fast_sum_f32", &kernels::REDUCE),
    ("asort_asc_f32", &kernels::SORT),
    ("where_u8_f32", &kernels::TERNARY),
    ("uneg_f32", &kernels::UNARY),
];

impl Card {
    /// The card with this number: as it was left, or with a new context.
    pub(super) fn get(facts: &Facts) -> Result<Rc<Self>, TorchError> {
        let known = OPEN.with_borrow(|open| {
            let found = open.iter().find(|it| it.facts.ordinal == facts.ordinal);
            found.cloned()
        });
        if let Some(card) = known {
            return Ok(card);
        }
        let card = Rc::new(Self::with_context(facts)?);
        card.load_kernels().map_err(|error| at_start(&error))?;
        OPEN.with_borrow_mut(|open| open.push(Rc::clone(&card)));
        Ok(card)
    }

    /// Whether there is a context on it already.
    pub(super) fn is_open(facts: &Facts) -> bool {
        OPEN.with_borrow(|open| open.iter().any(|it| it.facts.ordinal == facts.ordinal))
    }

    /// A context, cuBLAS and a stream; no kernels yet.
    pub(super) fn with_context(facts: &Facts) -> Result<Self, TorchError> {
        let device = CudaDevice::new(facts.ordinal as usize).map_err(|error| at_start(&error))?;
        without_events(&device);
        let stream = device.cuda_stream();
        let context = Arc::clone(stream.context());
        let pool = DriverPool::of(&context).map_err(Trouble::from)?;
        Ok(Self {
            facts: facts.clone(),
            candle: Candle::Cuda(device),
            context,
            stream,
            pool,
        })
    }

    /// Loads the kernels, so that no line of a program pays for it later.
    pub(super) fn load_kernels(&self) -> Result<(), candle_core::Error> {
        let device = self.candle.as_cuda_device()?;
        for (name, module) in MODULES {
            device.get_or_load_func(name, module)?;
        }
        Ok(())
    }

    /// Bytes that are free on the card for anybody, and how many there are.
    pub(super) fn free_and_total(&self) -> Result<(u64, u64), TorchError> {
        let (free, total) = self.context.mem_get_info().map_err(Trouble::from)?;
        Ok((free as u64, total as u64))
    }

    /// What the run holds, and what the driver's pool holds for it.
    pub(super) fn counts(&self, peak_live: u64) -> Counts {
        let (reserved, peak_reserved) = match &self.pool {
            Some(pool) => (pool.reserved(), pool.peak_reserved()),
            None => (live(), peak_live),
        };
        Counts {
            live: live(),
            reserved,
            peak_live,
            peak_reserved,
        }
    }
}

/// Kernels of one stream wait for each other anyhow; events for each tensor would only cost time.
#[expect(
    unsafe_code,
    reason = "cudarc asks for it: all tensors of a worker are used on its one stream"
)]
fn without_events(device: &CudaDevice) {
    // SAFETY: there is one stream, and all calls come from one thread.
    unsafe { device.disable_event_tracking() }
}

fn at_start(error: &candle_core::Error) -> TorchError {
    match within(error) {
        Some(trouble) => {
            let unavailable = trouble.at_start();
            let error = TorchError::runtime(format!(
                "CUDA error: {}\n{}. To go on: {}",
                trouble.words,
                unavailable.reason().why,
                unavailable.reason().hint
            ));
            note_unavailable(unavailable);
            error
        }
        None => TorchError::from_text(&error.to_string()),
    }
}

/// There is no card with the number that was asked for.
pub(super) fn no_such_card() -> OpenError {
    open_error(&Trouble::from(DriverError(
        CUresult::CUDA_ERROR_INVALID_DEVICE,
    )))
}

/// Why a card could not be made ready.
pub(super) fn not_made(error: &TorchError) -> OpenError {
    OpenError::DeviceUnavailable(noted_unavailable().unwrap_or_else(|| {
        DeviceUnavailable::Unavailable(Reason {
            why: error.message.clone(),
            hint: "look with `warpup doctor`; cpu and modelled cards go on".to_owned(),
            evidence: String::new(),
        })
    }))
}

/// A program asks for more than a run may hold.
pub(super) fn beyond_cap(asked: u64, cap: u64) -> TorchError {
    let note = format!(
        " (a lab may hold {} of this card, so that others find room)",
        size(cap)
    );
    let (sizes, counts) = now();
    told(asked, sizes, counts, &note)
}

/// What bars the card at once, before a run begins.
pub(super) fn open_error(trouble: &Trouble) -> OpenError {
    OpenError::DeviceUnavailable(trouble.at_start())
}

/// Begins a run: nothing is held, and so much may be.
pub(super) fn begin_run(cap: Option<u64>) {
    STATE.with(|it| {
        it.live.set(0);
        it.cap.set(cap);
        it.unavailable.replace(None);
    });
}

/// Bytes that the tensors of the run hold.
pub(super) fn live() -> u64 {
    STATE.with(|it| it.live.get())
}

/// The tensors of the run hold so much from now on.
pub(super) fn set_live(bytes: u64) {
    STATE.with(|it| it.live.set(bytes));
}

/// So much is asked for.
pub(super) fn note_asked(bytes: u64) {
    STATE.with(|it| it.asked.set(bytes));
}

/// Bytes that a run may hold, where that is limited.
pub(super) fn cap() -> Option<u64> {
    STATE.with(|it| it.cap.get())
}

/// A run may hold so much.
pub(super) fn set_cap(bytes: u64) {
    STATE.with(|it| it.cap.set(Some(bytes)));
}

/// The context does nothing more.
pub(super) fn note_broken() {
    STATE.with(|it| it.broken.set(true));
}

/// Whether the context does nothing more.
pub(super) fn is_broken() -> bool {
    STATE.with(|it| it.broken.get())
}

/// Something keeps the card from the program that is not its fault.
pub(super) fn note_unavailable(unavailable: DeviceUnavailable) {
    STATE.with(|it| it.unavailable.replace(Some(unavailable)));
}

/// What keeps the card from the program, if anything does.
pub(super) fn noted_unavailable() -> Option<DeviceUnavailable> {
    STATE.with(|it| it.unavailable.borrow().clone())
}

/// What is free on the card of all there is, and what the run holds.
fn now() -> ((u64, u64), Counts) {
    let card = OPEN.with_borrow(|open| open.first().cloned());
    match &card {
        Some(card) => {
            let (free, total) = card.context.mem_get_info().unwrap_or_default();
            ((free as u64, total as u64), card.counts(live()))
        }
        None => ((0, 0), Counts::default()),
    }
}

/// What a context with its libraries takes of a card at most; less is not blamed on others.
const CONTEXT: u64 = 1 << 30;

/// The card has not enough memory for so much, or for what was asked for last.
///
/// Where the run alone would have had room on the card, it is others who fill it.
pub(super) fn out_of_memory(asked: Option<u64>) -> TorchError {
    let asked = asked.unwrap_or_else(|| STATE.with(|it| it.asked.get()));
    let ((free, total), counts) = now();
    let ours = counts.reserved.saturating_add(CONTEXT);
    let others = total.saturating_sub(free).saturating_sub(ours);
    if others > 0 && ours.saturating_add(asked) <= total {
        note_unavailable(DeviceUnavailable::Busy(Reason {
            why: format!(
                "others hold {:.2} GiB of the card, and the program did not fit beside them",
                others as f64 / f64::from(1 << 30)
            ),
            hint: "try again when they are done, or make the program smaller".to_owned(),
            evidence: "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory".to_owned(),
        }));
    }
    told(asked, (free, total), counts, "")
}
