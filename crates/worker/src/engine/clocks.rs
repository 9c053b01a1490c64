//! The clocks of a run: waiting, events, streams.

use super::assertions::AssertionCheck;
use super::state::Engine;
use crate::device::{EventId, Interval, TensorDevice};
use crate::error::TorchError;
use warpup_protocol::{Call, Span, WaitCause};

impl Engine {
    /// Waits for everything that was queued.
    pub(crate) fn synchronize(&self) -> Result<(), TorchError> {
        self.break_region("torch.cuda.synchronize()");
        self.refuse_in_capture()?;
        self.count_plain_call(Call::Synchronize);
        let waited = self.backend.borrow_mut().synchronize()?;
        self.waited(WaitCause::Synchronize, waited);
        self.ask(AssertionCheck::ToWait)
    }

    /// The host waits for each kernel from now on, or not (`CUDA_LAUNCH_BLOCKING`).
    pub(crate) fn set_launch_blocking(&self, waits: bool) {
        self.launch_blocking.set(waits);
        if let Some(card) = self.backend.borrow_mut().real_card() {
            card.set_launch_blocking(waits);
        }
    }

    /// A kernel was launched: the host waits for it, if it waits for each, and hears of its error.
    pub(super) fn after_launch(&self, device: TensorDevice) -> Result<(), TorchError> {
        if device == TensorDevice::Cpu || !self.launch_blocking.get() {
            return Ok(());
        }
        let waited = self.backend.borrow_mut().synchronize()?;
        self.waited(WaitCause::LaunchBlocking, waited);
        self.ask(AssertionCheck::ToWait)
    }

    pub(crate) fn wait_until(&self, mark: EventId, cause: WaitCause) -> Result<(), TorchError> {
        self.refuse_in_capture()?;
        self.count_plain_call(if cause == WaitCause::Stream {
            Call::SynchronizeStream
        } else {
            Call::SynchronizeEvent
        });
        let waited = self.backend.borrow_mut().synchronize_event(mark)?;
        self.waited(cause, waited);
        self.ask(AssertionCheck::Now)
    }

    /// The host has waited: what it waited for is done, and is recorded first.
    pub(super) fn waited(&self, cause: WaitCause, waited: Option<Interval>) {
        if let Some(when) = waited {
            self.recorder_waited(cause, when);
            self.exclude_since(when.end_ns);
        }
    }

    /// The same, where the caller takes the time of recording out of the line's.
    pub(super) fn recorder_waited(&self, cause: WaitCause, when: Interval) {
        self.settle();
        self.recorder.borrow_mut().record_wait(cause, when);
    }

    /// Returns cached memory to the card.
    pub(crate) fn empty_cache(&self) {
        let line = self.line();
        self.facts.borrow_mut().at(line, |it| it.emptied += 1);
        self.count_plain_call(Call::EmptyCache);
        self.note_kept_activations();
        let mut device = self.backend.borrow_mut();
        let Some(memory) = device.cached_memory() else {
            return;
        };
        let waited = memory.empty_cache();
        drop(device);
        self.waited(WaitCause::Allocator, waited);
    }

    /// Work that is done by now gets its times.
    pub(super) fn settle(&self) {
        let mut recorder = self.recorder.borrow_mut();
        if !recorder.has_pending() {
            return;
        }
        let mut device = self.backend.borrow_mut();
        let Some(card) = device.real_card() else {
            return;
        };
        recorder.resolve_pending(|ticket| card.completion(ticket));
    }

    /// The program is over: waits for what is still queued, so that it has its times.
    pub(super) fn settle_all(&self) {
        let has_more = self.recorder.borrow().has_pending();
        // An error of the card was reported before, or will be in the next run.
        if has_more && self.backend.borrow_mut().synchronize().is_ok() {
            self.settle();
        }
    }

    /// A mark behind everything queued so far.
    pub(crate) fn event(&self) -> Result<EventId, TorchError> {
        self.first_use()?;
        let event = self.backend.borrow_mut().record_event()?;
        self.count_event(event);
        Ok(event)
    }

    /// Whether everything before a mark is done.
    pub(crate) fn reached(&self, mark: EventId) -> Result<bool, TorchError> {
        self.ask(AssertionCheck::Now)?;
        self.backend.borrow_mut().query_event(mark)
    }

    /// Makes the card ready, if it is not.
    pub(crate) fn first_use(&self) -> Result<(), TorchError> {
        if self.has_card() {
            self.begin(TensorDevice::Card(0))?;
        }
        Ok(())
    }

    /// `torch.profiler` sees what happens from now on. Says whether times were asked for before.
    pub(crate) fn begin_profile(&self) -> bool {
        let now = self.now();
        let mut recorder = self.recorder.borrow_mut();
        self.note_interruption(&mut recorder, now);
        recorder.begin_profile(now);
        drop(recorder);
        self.tells_times.replace(true)
    }

    /// What it saw in so many steps; times are asked for again or not, as before.
    pub(crate) fn end_profile(&self, told_times: bool, steps: u64) -> Vec<Span> {
        self.settle_all();
        self.tells_times.set(told_times);
        let now = self.now();
        // A real card is done by now.
        let done_ns = self.backend.borrow().busy().map_or(now, |it| it.done_ns);
        let mut recorder = self.recorder.borrow_mut();
        self.note_interruption(&mut recorder, now);
        recorder.end_profile(steps, (now, done_ns))
    }

    pub(crate) fn now(&self) -> u64 {
        self.backend.borrow().now()
    }
}
