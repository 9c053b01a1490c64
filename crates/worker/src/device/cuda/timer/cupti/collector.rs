//! Buffers that CUPTI fills, and what was in them, by operation.
//!
//! CUPTI calls back on threads of its own and has no room for a pointer of ours, so all of it is one for the process.

use super::library::{self, NextRecord};
use super::record::{self, ActivityRecord, HostCopy};
use crate::device::timing::{CopyCount, CopyCounts, Interval};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The size of a buffer in bytes, as CUPTI's documentation has it: 1 to 10 MiB.
const BUFFER: usize = 1 << 20;

/// Buffers that exist at most; beyond that CUPTI drops records, rather than the worker its memory.
const BUFFERS: usize = 256;

/// What the card did for one operation, in CUPTI's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WorkRecord {
    /// From the start of the first to the end of the last.
    pub(super) when: Option<Interval>,
    pub(super) copies: CopyCounts,
}

impl WorkRecord {
    pub(super) fn add(&mut self, other: Self) {
        self.when = match (self.when, other.when) {
            (Some(a), Some(b)) => Some(Interval {
                start_ns: a.start_ns.min(b.start_ns),
                end_ns: a.end_ns.max(b.end_ns),
            }),
            (known, None) | (None, known) => known,
        };
        let add = |sum: &mut CopyCount, more: CopyCount| {
            sum.times += more.times;
            sum.bytes += more.bytes;
        };
        add(&mut self.copies.to_device, other.copies.to_device);
        add(&mut self.copies.to_host, other.copies.to_host);
    }
}

/// What has come since the last time.
#[derive(Debug, Default)]
pub(super) struct Delivery {
    pub(super) records: VecDeque<(u64, WorkRecord)>,
    pub(super) dropped: bool,
}

/// What has come, as it comes: a call's number and its activities are in any order, and in different buffers.
#[derive(Debug, Default)]
struct RecordInbox {
    /// Calls, and the number that each was made under.
    numbers: Vec<(u32, u64)>,
    /// Calls, and what the card did for each.
    activities: Vec<(u32, WorkRecord)>,
    dropped: bool,
    /// Buffers that CUPTI does not have.
    spare: Vec<RecordBuffer>,
    /// All buffers.
    buffers: usize,
}

/// Memory for records, which begin at multiples of eight.
#[derive(Debug)]
struct RecordBuffer(Box<[u64]>);

static INBOX: Mutex<Option<RecordInbox>> = Mutex::new(None);

/// The number of the next operation, in all runs.
static NEXT: AtomicU64 = AtomicU64::new(1);

pub(super) fn next_number() -> u64 {
    NEXT.load(Ordering::Relaxed)
}

pub(super) fn set_next_number(next: u64) {
    NEXT.store(next, Ordering::Relaxed);
}

fn with_inbox<T>(work: impl FnOnce(&mut RecordInbox) -> T) -> T {
    let mut inbox: MutexGuard<'_, _> = INBOX.lock().unwrap_or_else(PoisonError::into_inner);
    work(inbox.get_or_insert_default())
}

/// Takes what has come, by number; all records of the work before are here.
pub(super) fn take() -> Delivery {
    let (numbers, activities, dropped) = with_inbox(|inbox| {
        (
            std::mem::take(&mut inbox.numbers),
            std::mem::take(&mut inbox.activities),
            std::mem::take(&mut inbox.dropped),
        )
    });
    Delivery {
        records: joined(numbers, activities),
        dropped,
    }
}

/// What was done under each number. Both come nearly in order, which makes sorting cheap.
fn joined(
    mut numbers: Vec<(u32, u64)>,
    mut activities: Vec<(u32, WorkRecord)>,
) -> VecDeque<(u64, WorkRecord)> {
    numbers.sort_by_key(|it| it.0);
    activities.sort_by_key(|it| it.0);
    let mut numbers = numbers.into_iter().peekable();
    let mut records: VecDeque<(u64, WorkRecord)> = VecDeque::with_capacity(activities.len());
    for (call, record) in activities {
        while numbers.next_if(|it| it.0 < call).is_some() {}
        // A call without a number is no operation's.
        let Some((_, number)) = numbers.peek().copied().filter(|it| it.0 == call) else {
            continue;
        };
        match records.back_mut().filter(|it| it.0 == number) {
            Some((_, before)) => before.add(record),
            None => records.push_back((number, record)),
        }
    }
    if !records.iter().is_sorted_by_key(|it| it.0) {
        // CUPTI's numbers of calls have begun at zero again.
        records.make_contiguous().sort_by_key(|it| it.0);
    }
    records
}

/// Records were dropped by CUPTI itself.
pub(super) fn note_dropped() {
    with_inbox(|inbox| inbox.dropped = true);
}

impl RecordInbox {
    fn add(&mut self, record: ActivityRecord) {
        match record {
            ActivityRecord::Numbered { call, number } => self.numbers.push((call, number)),
            ActivityRecord::Activity { call, when, copy } => {
                let one = |bytes| CopyCount { times: 1, bytes };
                let mut copies = CopyCounts::default();
                match copy {
                    Some(HostCopy::ToDevice(bytes)) => copies.to_device = one(bytes),
                    Some(HostCopy::ToHost(bytes)) => copies.to_host = one(bytes),
                    None => {}
                }
                let done = WorkRecord {
                    when: Some(when),
                    copies,
                };
                self.activities.push((call, done));
            }
        }
    }

    fn buffer(&mut self) -> Option<RecordBuffer> {
        if let Some(spare) = self.spare.pop() {
            return Some(spare);
        }
        if self.buffers == BUFFERS {
            self.dropped = true;
            return None;
        }
        self.buffers += 1;
        Some(RecordBuffer(vec![0; BUFFER / 8].into_boxed_slice()))
    }
}

/// CUPTI asks for a buffer; without one it drops records.
pub(super) extern "C" fn give_buffer(buffer: *mut *mut u8, size: *mut usize, most: *mut usize) {
    let memory = with_inbox(RecordInbox::buffer);
    let (start, bytes) = match memory {
        Some(RecordBuffer(words)) => (Box::into_raw(words).cast::<u8>(), BUFFER),
        None => (std::ptr::null_mut(), 0),
    };
    #[expect(unsafe_code, reason = "CUPTI calls it with places for three answers")]
    // SAFETY: the places are CUPTI's, for this call.
    unsafe {
        buffer.write(start);
        size.write(bytes);
        // As many records as there is room for.
        most.write(0);
    }
}

/// CUPTI gives a buffer back, with so many bytes of records in it.
pub(super) extern "C" fn take_buffer(
    _context: *mut c_void,
    _stream: u32,
    buffer: *mut u8,
    _size: usize,
    valid: usize,
) {
    if buffer.is_null() {
        return;
    }
    if let Some(next) = library::next_record() {
        read_all(next, buffer, valid);
    }
    #[expect(clippy::cast_ptr_alignment, reason = "a buffer was made of such words")]
    let words = std::ptr::slice_from_raw_parts_mut(buffer.cast::<u64>(), BUFFER / 8);
    #[expect(unsafe_code, reason = "the buffer comes back as a pointer")]
    // SAFETY: it is one that `give_buffer` gave away, and CUPTI is done with it.
    let buffer = RecordBuffer(unsafe { Box::from_raw(words) });
    with_inbox(|inbox| inbox.spare.push(buffer));
}

fn read_all(next: NextRecord, buffer: *mut u8, valid: usize) {
    let mut at: *mut u8 = std::ptr::null_mut();
    with_inbox(|inbox| {
        #[expect(unsafe_code, reason = "CUPTI knows how long its records are")]
        // SAFETY: the buffer is one that CUPTI has filled, and `next` CUPTI's walk through it.
        while unsafe { next(buffer, valid, &raw mut at) } == 0 {
            // SAFETY: each record begins with its kind.
            let kind = unsafe { at.cast::<u32>().read_unaligned() };
            let Some(length) = record::length(kind) else {
                continue;
            };
            // SAFETY: records of this kind are at least so long, in each version whose layout is known.
            let bytes = unsafe { std::slice::from_raw_parts(at, length) };
            if let Some(record) = record::read(bytes) {
                inbox.add(record);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn activity(call: u32, start_ns: u64, end_ns: u64, copy: Option<HostCopy>) -> ActivityRecord {
        let when = Interval { start_ns, end_ns };
        ActivityRecord::Activity { call, when, copy }
    }

    #[test]
    fn activities_come_before_and_after_the_number_of_their_call() {
        let mut inbox = RecordInbox::default();
        inbox.add(activity(1, 10, 20, None));
        inbox.add(ActivityRecord::Numbered { call: 1, number: 5 });
        inbox.add(ActivityRecord::Numbered { call: 2, number: 5 });
        inbox.add(activity(2, 30, 45, Some(HostCopy::ToDevice(8))));
        inbox.add(activity(9, 50, 60, None));
        let records = joined(inbox.numbers, inbox.activities);
        let expected = WorkRecord {
            when: Some(Interval {
                start_ns: 10,
                end_ns: 45,
            }),
            copies: CopyCounts {
                to_device: CopyCount { times: 1, bytes: 8 },
                ..CopyCounts::default()
            },
        };
        assert_eq!(records, [(5, expected)]);
    }

    #[test]
    fn without_a_buffer_records_are_dropped() {
        let mut inbox = RecordInbox {
            buffers: BUFFERS,
            ..RecordInbox::default()
        };
        assert!(inbox.buffer().is_none());
        assert!(inbox.dropped);
    }
}
