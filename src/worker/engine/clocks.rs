//! The clocks of a run: waiting, events, streams.

use super::Engine;
use crate::protocol::{Lane, Span};
use crate::worker::tensor::op::Cost;

impl Engine {
    /// Waits for everything that was queued.
    pub fn synchronize(&self) {
        let waited = self.device.borrow_mut().synchronize();
        if let Some(when) = waited {
            self.record_one(Span::WAIT, Lane::Host, when, Cost::default());
        }
    }

    /// Waits for a moment that [`Engine::event`] gave.
    pub fn wait_until(&self, moment: u64) {
        let waited = self.device.borrow_mut().wait_until(moment);
        if let Some(when) = waited.filter(|it| it.end_ns > it.start_ns) {
            self.record_one(Span::WAIT, Lane::Host, when, Cost::default());
        }
    }

    /// The moment at which everything queued so far will be done.
    pub fn event(&self) -> u64 {
        self.device.borrow().event()
    }

    /// One more stream of the card.
    pub fn open_stream(&self) -> u32 {
        self.device.borrow_mut().open_stream()
    }

    /// Work goes to this stream from now on; says to which it went.
    pub fn choose_stream(&self, stream: u32) -> u32 {
        self.device.borrow_mut().choose_stream(stream)
    }

    /// What the current stream gets from now on starts no sooner than at a moment that [`Engine::event`] gave.
    pub fn stream_waits(&self, moment: u64) {
        self.device.borrow_mut().stream_waits(moment);
    }

    /// Host time passes: the program sleeps.
    pub fn sleep(&self, ns: u64) {
        self.device.borrow_mut().sleep(ns);
    }

    /// The host's clock.
    pub fn now(&self) -> u64 {
        self.device.borrow().now()
    }
}
