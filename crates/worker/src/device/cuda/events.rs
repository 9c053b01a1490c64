//! The program's CUDA events (`torch.cuda.Event`).

use super::failure::CudaFailure;
use crate::device::interface::EventId;
use crate::error::TorchError;
use candle_core::cuda::cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use candle_core::cuda::cudarc::driver::{CudaEvent, CudaStream, DriverError};
use std::sync::Arc;

/// The events of one run.
pub(super) struct Events {
    stream: Arc<CudaStream>,
    /// By [`EventId`], with how much timed work was queued before.
    recorded: Vec<(CudaEvent, u64)>,
}

impl Events {
    pub(super) fn new(stream: &Arc<CudaStream>) -> Self {
        Self {
            stream: Arc::clone(stream),
            recorded: Vec::new(),
        }
    }

    /// Records an event behind all queued work, of which so much is timed.
    pub(super) fn record(&mut self, queued: u64) -> Result<EventId, TorchError> {
        let event = new_event(&self.stream).map_err(CudaFailure::from)?;
        event.record(&self.stream).map_err(CudaFailure::from)?;
        self.recorded.push((event, queued));
        Ok(EventId(self.recorded.len() as u64 - 1))
    }

    /// A recorded event.
    pub(super) fn get(&self, event: EventId) -> Result<&CudaEvent, TorchError> {
        self.at(event)
            .map(|(event, _)| event)
            .ok_or_else(|| TorchError::runtime("internal error in warpup: an event of another run"))
    }

    /// How much timed work was queued before an event.
    pub(super) fn queued_before(&self, event: EventId) -> u64 {
        self.at(event).map_or(0, |(_, queued)| *queued)
    }

    fn at(&self, event: EventId) -> Option<&(CudaEvent, u64)> {
        self.recorded.get(usize::try_from(event.0).ok()?)
    }

    /// Nanoseconds on the card from one event to another.
    pub(super) fn elapsed_ns(&self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        let (from, to) = (self.get(from)?, self.get(to)?);
        let ms = from.elapsed_ms(to).map_err(CudaFailure::from)?;
        Ok(f64::from(ms) * 1e6)
    }
}

/// An event that keeps the time.
pub(super) fn new_event(stream: &CudaStream) -> Result<CudaEvent, DriverError> {
    stream.context().new_event(Some(CU_EVENT_DEFAULT))
}
