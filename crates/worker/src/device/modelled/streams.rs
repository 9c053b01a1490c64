//! The streams of a modelled card, and the engines that do their work.
//!
//! One stream's work runs in order. Work of two streams overlaps if different engines do it: one runs kernels,
//! one copies to the card, one copies from it. Two kernels never overlap, as if each of them filled the card.

use crate::device::timing::Interval;

/// A part of the card that does one piece of work at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardEngine {
    Kernels,
    CopyIn,
    CopyOut,
}

/// When each stream and each engine will have done all its work.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    /// By the number of the stream; 0 is the default stream.
    done_ns: Vec<u64>,
    current: usize,
    kernels_ns: u64,
    copy_in_ns: u64,
    copy_out_ns: u64,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self {
            done_ns: vec![0],
            current: 0,
            kernels_ns: 0,
            copy_in_ns: 0,
            copy_out_ns: 0,
        }
    }

    pub(super) fn create(&mut self) -> u32 {
        self.done_ns.push(0);
        u32::try_from(self.done_ns.len() - 1).unwrap_or(0)
    }

    /// Makes a stream the current one and returns the previous one.
    pub(super) fn set_current(&mut self, stream: u32) -> u32 {
        let before = self.current;
        let wanted = stream as usize;
        if wanted < self.done_ns.len() {
            self.current = wanted;
        }
        u32::try_from(before).unwrap_or(0)
    }

    pub(super) fn current(&self) -> u32 {
        u32::try_from(self.current).unwrap_or(0)
    }

    /// When the current stream will have done all its work.
    pub(super) fn current_ns(&self) -> u64 {
        self.done_ns.get(self.current).copied().unwrap_or(0)
    }

    pub(super) fn all_ns(&self) -> u64 {
        self.done_ns.iter().copied().max().unwrap_or(0)
    }

    /// The current stream starts nothing before this time.
    pub(super) fn wait(&mut self, ns: u64) {
        if let Some(stream) = self.done_ns.get_mut(self.current) {
            *stream = ns.max(*stream);
        }
    }

    /// Queues work at `queued_ns` that takes `ns` of an engine, in the current stream.
    pub(super) fn queue(&mut self, engine: CardEngine, queued_ns: u64, ns: u64) -> Interval {
        let stream_ns = self.current_ns();
        let engine_ns = match engine {
            CardEngine::Kernels => &mut self.kernels_ns,
            CardEngine::CopyIn => &mut self.copy_in_ns,
            CardEngine::CopyOut => &mut self.copy_out_ns,
        };
        let start_ns = stream_ns.max(queued_ns).max(*engine_ns);
        let end_ns = start_ns + ns;
        *engine_ns = end_ns;
        self.wait(end_ns);
        Interval { start_ns, end_ns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(it: Interval) -> (u64, u64) {
        (it.start_ns, it.end_ns)
    }

    #[test]
    fn a_copy_on_a_stream_of_its_own_goes_on_beside_kernels() {
        let mut streams = Streams::new();
        let side = streams.create();
        assert_eq!(times(streams.queue(CardEngine::Kernels, 5, 100)), (5, 105));
        assert_eq!(streams.set_current(side), 0);
        assert_eq!(times(streams.queue(CardEngine::CopyIn, 10, 50)), (10, 60));
        // One engine for all kernels.
        assert_eq!(
            times(streams.queue(CardEngine::Kernels, 15, 20)),
            (105, 125)
        );
        assert_eq!((streams.current_ns(), streams.all_ns()), (125, 125));
    }

    #[test]
    fn a_stream_that_waits_starts_no_sooner() {
        let mut streams = Streams::new();
        let side = streams.create();
        streams.set_current(side);
        let copied = streams.queue(CardEngine::CopyIn, 0, 80);
        streams.set_current(0);
        streams.wait(copied.end_ns);
        assert_eq!(times(streams.queue(CardEngine::Kernels, 10, 5)), (80, 85));
        assert_eq!(times(streams.queue(CardEngine::CopyOut, 20, 5)), (85, 90));
    }
}
