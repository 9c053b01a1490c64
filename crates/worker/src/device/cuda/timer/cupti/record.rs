//! CUPTI's activity records, as bytes. Pure.
//!
//! The layout of a record changes from version to version; the fields that are read here are where they are in all
//! versions that [`is_known`] names, by the headers of CUDA 12.2 to 13.1. From 13.2 on, the layout is another.

use crate::device::timing::Interval;

/// The kinds of records that are read or asked for (`CUpti_ActivityKind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum ActivityKind {
    Memcpy = 1,
    Memset = 2,
    Driver = 4,
    Runtime = 5,
    ConcurrentKernel = 10,
    ExternalCorrelation = 39,
}

/// The bytes of a record up to the last field that is read, of the longest kind.
pub(super) const READ: usize = 96;

/// What a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActivityRecord {
    /// A call of the driver was made under a number.
    Numbered { call: u32, number: u64 },
    /// The card did what a call asked for.
    Activity {
        call: u32,
        when: Interval,
        copy: Option<HostCopy>,
    },
}

/// A copy between host and card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostCopy {
    ToDevice(u64),
    ToHost(u64),
}

/// Whether the layout of this version (`CUPTI_API_VERSION`) is known: CUDA 12 and 13.0 to 13.1.
pub(super) fn is_known(version: u32) -> bool {
    matches!(version, 18..=28 | 130_000..=130_199)
}

/// The length of a record of this kind up to the last field that is read; `None` for kinds of no interest.
pub(super) fn length(kind: u32) -> Option<usize> {
    match kind {
        1 | 2 => Some(48),
        10 => Some(READ),
        39 => Some(24),
        _ => None,
    }
}

/// What a record says, if it is of interest.
pub(super) fn read(bytes: &[u8]) -> Option<ActivityRecord> {
    let kind = word(bytes, 0)?;
    let when = || {
        Some(Interval {
            start_ns: long(bytes, 16)?,
            end_ns: long(bytes, 24)?,
        })
    };
    match kind {
        1 => Some(ActivityRecord::Activity {
            call: word(bytes, 44)?,
            when: when()?,
            copy: copied(*bytes.get(4)?, long(bytes, 8)?),
        }),
        2 => Some(ActivityRecord::Activity {
            call: word(bytes, 44)?,
            when: when()?,
            copy: None,
        }),
        10 => Some(ActivityRecord::Activity {
            call: word(bytes, 92)?,
            when: when()?,
            copy: None,
        }),
        39 => Some(ActivityRecord::Numbered {
            call: word(bytes, 16)?,
            number: long(bytes, 8)?,
        }),
        _ => None,
    }
}

/// A copy by CUPTI's number of its direction (`CUpti_ActivityMemcpyKind`).
fn copied(direction: u8, bytes: u64) -> Option<HostCopy> {
    match direction {
        1 => Some(HostCopy::ToDevice(bytes)),
        2 => Some(HostCopy::ToHost(bytes)),
        _ => None,
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at + 4)?;
    Some(u32::from_ne_bytes(field.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at + 8)?;
    Some(u64::from_ne_bytes(field.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with these fields, by their place.
    fn record(words: &[(usize, u32)], longs: &[(usize, u64)]) -> [u8; READ] {
        let mut bytes = [0xb5; READ];
        for (at, value) in words {
            bytes[*at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        for (at, value) in longs {
            bytes[*at..at + 8].copy_from_slice(&value.to_ne_bytes());
        }
        bytes
    }

    #[test]
    fn a_kernel_a_copy_and_a_fill_have_a_call_and_an_interval() {
        let when = Interval {
            start_ns: 100,
            end_ns: 175,
        };
        let times = [(16, 100), (24, 175)];
        let activity = |copy| {
            Some(ActivityRecord::Activity {
                call: 7,
                when,
                copy,
            })
        };
        assert_eq!(read(&record(&[(0, 10), (92, 7)], &times)), activity(None));
        assert_eq!(read(&record(&[(0, 2), (44, 7)], &times)), activity(None));
        let copy = record(
            &[(0, 1), (4, 1), (44, 7)],
            &[(8, 4096), (16, 100), (24, 175)],
        );
        assert_eq!(read(&copy), activity(Some(HostCopy::ToDevice(4096))));
        let copy = record(&[(0, 1), (4, 2), (44, 7)], &[(8, 4), (16, 100), (24, 175)]);
        assert_eq!(read(&copy), activity(Some(HostCopy::ToHost(4))));
    }

    #[test]
    fn a_call_has_the_number_it_was_made_under() {
        let numbered = record(&[(0, 39), (4, 3), (16, 7)], &[(8, 1 << 40)]);
        let expected = ActivityRecord::Numbered {
            call: 7,
            number: 1 << 40,
        };
        assert_eq!(read(&numbered), Some(expected));
    }

    #[test]
    fn other_kinds_short_records_and_unknown_layouts_say_nothing() {
        assert_eq!(read(&record(&[(0, 4)], &[])), None);
        assert_eq!((length(4), length(39)), (None, Some(24)));
        let kernel = record(&[(0, 10), (92, 7)], &[]);
        for short in 0..READ {
            assert_eq!(read(&kernel[..short]), None);
        }
        let known = [17, 18, 28, 29, 130_000, 130_101, 130_202].map(is_known);
        assert_eq!(known, [false, true, true, false, true, true, false]);
    }
}
