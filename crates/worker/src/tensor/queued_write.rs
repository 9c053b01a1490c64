//! When memory of a modelled card gets its values, and what it holds until then.

use super::value::Value;

/// The most writes to one memory that are remembered.
const MOST: usize = 32;

/// Work that a stream of a modelled card was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueuedWork {
    pub(crate) stream: u32,
    /// When it is done, on the host's clock.
    pub(crate) until_ns: u64,
    /// The line that queued it.
    pub(crate) line: u32,
}

/// What memory held before a write.
#[derive(Clone, Debug)]
pub(crate) enum Before {
    /// Nobody had written to it: zeros, as `torch.empty` gives.
    Zeros,
    /// These values of all of it, if they are kept.
    Held(Value),
    /// Nobody knows any more.
    Forgotten,
}

/// A write to memory that is queued.
#[derive(Clone, Debug)]
pub(super) struct QueuedWrite {
    work: QueuedWork,
    before: Before,
}

/// The last writes to one memory, in order.
#[derive(Debug, Default)]
pub(super) struct QueuedWrites(Vec<QueuedWrite>);

impl QueuedWrites {
    /// Adds a write at this time of the host.
    pub(super) fn add(&mut self, work: QueuedWork, before: Before, now: u64) {
        self.0.retain(|it| it.work.until_ns > now);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(QueuedWrite { work, before });
    }

    /// The first write of another stream that is not done when this stream reads at this time, and what was there before.
    pub(super) fn missing(&self, stream: u32, at_ns: u64) -> Option<(QueuedWork, &Before)> {
        let is_late = |it: &&QueuedWrite| it.work.stream != stream && it.work.until_ns > at_ns;
        let late = self.0.iter().find(is_late)?;
        Some((late.work, &late.before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queued(stream: u32, until_ns: u64, line: u32) -> QueuedWork {
        QueuedWork {
            stream,
            until_ns,
            line,
        }
    }

    #[test]
    fn only_a_stream_that_starts_before_the_end_of_anothers_write_misses_it() {
        let mut writes = QueuedWrites::default();
        writes.add(queued(0, 100, 3), Before::Zeros, 0);
        writes.add(queued(0, 200, 4), Before::Held(Value::Missing), 0);
        let line = |stream, at_ns| writes.missing(stream, at_ns).map(|it| it.0.line);
        assert_eq!(line(0, 50), None);
        assert_eq!([line(1, 99), line(1, 100)], [Some(3), Some(4)]);
        assert_eq!(line(1, 200), None);
    }

    #[test]
    fn writes_that_are_done_and_writes_beyond_a_number_are_forgotten() {
        let mut writes = QueuedWrites::default();
        writes.add(queued(0, 10, 1), Before::Zeros, 0);
        for line in 2..100 {
            writes.add(queued(0, 1_000 + u64::from(line), line), Before::Zeros, 20);
        }
        let (first, _) = writes.missing(1, 0).unwrap();
        assert_eq!((writes.0.len(), first.line), (MOST, 68));
    }
}
