//! The streams of a modelled card, and the engines that do their work.
//!
//! Work of one stream is done in its order. Work of two streams goes on at the same time if two engines do
//! it: kernels take one, copies to the card and from it one each. Two kernels never run side by side, as if
//! each of them filled the card.

use super::model::Interval;

/// What works on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// The multiprocessors.
    Kernels,
    /// Copies to the card.
    CopyIn,
    /// Copies from the card.
    CopyOut,
}

/// When each stream and each engine will have done what it was given.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    /// By number; the first is the default stream.
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

    /// One more stream.
    pub(super) fn open(&mut self) -> u32 {
        self.done_ns.push(0);
        u32::try_from(self.done_ns.len() - 1).unwrap_or(0)
    }

    /// Work goes to this stream from now on; says to which it went.
    pub(super) fn choose(&mut self, stream: u32) -> u32 {
        let before = self.current;
        let wanted = stream as usize;
        if wanted < self.done_ns.len() {
            self.current = wanted;
        }
        u32::try_from(before).unwrap_or(0)
    }

    /// When the current stream will have done all it was given.
    pub(super) fn current_ns(&self) -> u64 {
        self.done_ns.get(self.current).copied().unwrap_or(0)
    }

    /// When all of them will.
    pub(super) fn all_ns(&self) -> u64 {
        self.done_ns.iter().copied().max().unwrap_or(0)
    }

    /// The current stream does nothing before this moment.
    pub(super) fn wait(&mut self, ns: u64) {
        if let Some(stream) = self.done_ns.get_mut(self.current) {
            *stream = ns.max(*stream);
        }
    }

    /// Gives the current stream work that was queued at a moment and takes an engine so long.
    pub(super) fn give(&mut self, engine: Engine, queued_ns: u64, ns: u64) -> Interval {
        let stream_ns = self.current_ns();
        let engine_ns = match engine {
            Engine::Kernels => &mut self.kernels_ns,
            Engine::CopyIn => &mut self.copy_in_ns,
            Engine::CopyOut => &mut self.copy_out_ns,
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

    fn told(it: Interval) -> (u64, u64) {
        (it.start_ns, it.end_ns)
    }

    #[test]
    fn a_copy_on_a_stream_of_its_own_goes_on_beside_kernels() {
        let mut streams = Streams::new();
        let side = streams.open();
        assert_eq!(told(streams.give(Engine::Kernels, 5, 100)), (5, 105));
        assert_eq!(streams.choose(side), 0);
        assert_eq!(told(streams.give(Engine::CopyIn, 10, 50)), (10, 60));
        // One engine for all kernels.
        assert_eq!(told(streams.give(Engine::Kernels, 15, 20)), (105, 125));
        assert_eq!((streams.current_ns(), streams.all_ns()), (125, 125));
    }

    #[test]
    fn a_stream_that_waits_starts_no_sooner() {
        let mut streams = Streams::new();
        let side = streams.open();
        streams.choose(side);
        let copied = streams.give(Engine::CopyIn, 0, 80);
        streams.choose(0);
        streams.wait(copied.end_ns);
        assert_eq!(told(streams.give(Engine::Kernels, 10, 5)), (80, 85));
        assert_eq!(told(streams.give(Engine::CopyOut, 20, 5)), (85, 90));
    }
}
