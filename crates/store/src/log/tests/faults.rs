//! A disk in memory that fails at every operation in every way, and logs in which anything was changed.

use super::*;
use std::collections::BTreeMap;
use std::io::ErrorKind;

/// What an operation may fail with.
const KINDS: [ErrorKind; 6] = [
    ErrorKind::StorageFull,
    ErrorKind::QuotaExceeded,
    ErrorKind::ReadOnlyFilesystem,
    ErrorKind::StaleNetworkFileHandle,
    ErrorKind::PermissionDenied,
    ErrorKind::Other,
];

#[test]
fn whatever_fails_once_what_was_acknowledged_outlives_a_power_cut() {
    let mut faults = 0;
    for kind in KINDS {
        for fails in [1, 2, usize::MAX] {
            for at in 0..24 {
                let disk = FailingDisk::default();
                let mut log = disk.log();
                disk.fail_with(at, fails, kind);
                let mut acknowledged = Vec::new();
                for n in 0..8 {
                    let event = if n % 3 == 2 { page("p") } else { reset() };
                    let is_awaited = event.is_awaited();
                    if let Ok(record) = log.append(event, n)
                        && is_awaited
                    {
                        acknowledged.push(record);
                    }
                    // Power may go at any time: only what was synced is there then.
                    let there = disk.after_power_cut();
                    for record in &acknowledged {
                        assert!(there.records.contains(record), "{kind:?} at {at}");
                    }
                }
                faults += 1;
            }
        }
    }
    assert_eq!(faults, 432);
}

/// Small numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// Changes a log somewhere: bytes flipped, cut out, doubled, put in, or cut off.
fn mutate(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(bytes.len() + 1);
    let until = (at + numbers.below(300)).min(bytes.len());
    match numbers.below(7) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..until)),
        2 => {
            let again = bytes[at..until].to_vec();
            bytes.splice(at..at, again);
        }
        3 => drop(bytes.splice(at..at, vec![0; numbers.below(64)])),
        4 => bytes[at..until].fill(0),
        5 => drop(bytes.splice(at..at, b"\xff\x1b[31m\n\"}{".iter().copied())),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << numbers.below(8);
            }
        }
    }
}

#[test]
fn ten_thousand_mutated_logs_lose_only_the_lines_that_changed_and_are_never_silent() {
    let (original, records) = golden();
    let lines: Vec<_> = original
        .split_inclusive(|it| *it == b'\n')
        .skip(1)
        .collect();
    let by_line: BTreeMap<_, _> = lines.into_iter().zip(&records).collect();
    let mut numbers = Numbers(20_261_122);
    let (mut silent, mut lost) = (0, 0);
    for _ in 0..10_000 {
        let mut bytes = original.clone();
        for _ in 0..=numbers.below(4) {
            mutate(&mut bytes, &mut numbers);
        }
        let loaded = load(&bytes);
        let found = ids(&loaded.records);
        assert!(
            loaded.records.iter().all(|it| records.contains(it)),
            "a record was made up"
        );
        // Every line that is whole is read.
        for line in bytes.split_inclusive(|it| *it == b'\n') {
            if let Some(record) = by_line.get(line) {
                assert!(found.contains(&record.id.as_str()));
            }
        }
        let missing = records.len() - loaded.records.len();
        lost += missing;
        silent += usize::from(missing > 0 && loaded.problems.is_empty());
        // What a log alone cannot show, a later log's header does.
        if missing > 0 && loaded.problems.is_empty() {
            assert!(loaded.count() < records.len() as u64);
        }
    }
    println!(
        "10000 mutated logs: {lost} records lost, all in changed lines; {silent} logs were cut off at the end of a line"
    );
}
