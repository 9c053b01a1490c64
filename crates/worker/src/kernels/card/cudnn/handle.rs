//! A handle of cuDNN for each card, on candle's stream.

use super::convolution::Plans;
use super::library::{Failure, Library, Object, call, loaded};
use candle_core::cuda::CudaDevice;
use candle_core::cuda::cudarc::driver::CudaStream;
use std::cell::RefCell;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

thread_local! {
    /// They live as long as the worker, as the contexts of the cards do. Nothing for a card that cuDNN refused.
    static HANDLES: RefCell<Vec<OfStream>> = const { RefCell::new(Vec::new()) };
}

/// The stream of a card, and its handle.
type OfStream = (Arc<CudaStream>, Option<Rc<Handle>>);

pub(super) struct Handle {
    pub(super) library: &'static Library,
    pub(super) raw: Object,
    pub(super) plans: RefCell<Plans>,
}

impl Handle {
    /// The handle of this card; nothing without cuDNN, and where it cannot use the card.
    pub(super) fn of(device: &CudaDevice) -> Option<Rc<Self>> {
        let library = loaded().ok()?;
        let stream = device.cuda_stream();
        let known = HANDLES.with_borrow(|all| {
            let mut all = all.iter();
            all.find(|(of, _)| Arc::ptr_eq(of, &stream))
                .map(|(_, it)| it.clone())
        });
        known.unwrap_or_else(|| {
            let handle = Self::create(library, &stream).ok().map(Rc::new);
            HANDLES.with_borrow_mut(|all| all.push((stream, handle.clone())));
            handle
        })
    }

    fn create(library: &'static Library, stream: &Arc<CudaStream>) -> Result<Self, Failure> {
        let mut raw = ptr::null_mut();
        call!(library, cudnnCreate(&raw mut raw))?;
        call!(library, cudnnSetStream(raw, stream.cu_stream().cast()))?;
        Ok(Self {
            library,
            raw,
            plans: RefCell::default(),
        })
    }
}
