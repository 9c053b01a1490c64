//! The allocator as PyTorch's: what it reserves, splits, keeps and gives back.

use super::*;
use proptest::prelude::*;

const MIB: u64 = 1 << 20;

#[test]
fn a_small_tensor_is_rounded_up_and_takes_a_whole_segment() {
    let mut allocator = CachingAllocator::new(100 * MIB);
    allocator.alloc(24).unwrap();
    assert_eq!(
        (allocator.stats().live, allocator.stats().reserved),
        (512, 2 * MIB)
    );
}

#[test]
fn freed_memory_stays_reserved_until_the_cache_is_emptied() {
    let mut allocator = CachingAllocator::new(100 * MIB);
    let block = allocator.alloc(30 * MIB).unwrap();
    allocator.free(block);
    assert_eq!(
        (allocator.stats().live, allocator.stats().reserved),
        (0, 30 * MIB)
    );
    assert_eq!(allocator.alloc(30 * MIB).unwrap(), block);
    allocator.free(block);
    allocator.empty_cache();
    assert_eq!(allocator.stats().reserved, 0);
}

#[test]
fn too_much_says_what_was_asked_for_and_what_is_left() {
    let mut allocator = CachingAllocator::new(40 * MIB);
    allocator.alloc(30 * MIB).unwrap();
    let refusal = allocator.alloc(20 * MIB).unwrap_err();
    assert_eq!((refusal.asked, refusal.free), (20 * MIB, 10 * MIB));
    assert_eq!(refusal.stats.live, 30 * MIB);
}

#[test]
fn there_is_room_in_free_parts_and_in_what_can_be_returned() {
    let mut allocator = CachingAllocator::new(40 * MIB);
    let kept = allocator.alloc(12 * MIB).unwrap();
    let freed = allocator.alloc(20 * MIB).unwrap();
    allocator.free(freed);
    assert!(allocator.has_room(28 * MIB) && !allocator.has_room(29 * MIB));
    assert!(allocator.alloc(28 * MIB).is_ok());
    assert!(!allocator.has_room(1));
    allocator.free(kept);
    assert!(allocator.has_room(12 * MIB));
}

#[test]
fn cached_segments_are_given_back_before_giving_up() {
    let mut allocator = CachingAllocator::new(40 * MIB);
    let block = allocator.alloc(30 * MIB).unwrap();
    allocator.free(block);
    assert!(allocator.alloc(36 * MIB).is_ok());
}

#[test]
fn a_pool_that_overcommits_gives_its_cache_back_first_and_then_more_than_there_is() {
    let mut allocator = CachingAllocator::new(40 * MIB);
    allocator.overcommit();
    let block = allocator.alloc(30 * MIB).unwrap();
    allocator.free(block);
    let _held = allocator.alloc(36 * MIB).unwrap();
    assert_eq!(allocator.stats().reserved, 36 * MIB);
    let _more = allocator.alloc(30 * MIB).unwrap();
    assert_eq!(
        (allocator.stats().reserved, allocator.free_on_card()),
        (66 * MIB, 0)
    );
}

fn configured(capacity: u64, options: &str) -> CachingAllocator {
    let mut allocator = CachingAllocator::new(capacity);
    allocator.configure(AllocatorOptions::parse(options).unwrap());
    allocator
}

/// Three blocks of 40 MiB, each in what was a block of 100.
fn in_pieces(allocator: &mut CachingAllocator) -> Vec<Block> {
    let blocks = |allocator: &mut CachingAllocator, count, size| -> Vec<Block> {
        let all = (0..count).map(|_| allocator.alloc(size * MIB).unwrap());
        all.collect()
    };
    for block in blocks(allocator, 3, 100) {
        allocator.free(block);
    }
    let small = blocks(allocator, 6, 40);
    for block in small.iter().skip(1).step_by(2) {
        allocator.free(*block);
    }
    small.into_iter().step_by(2).collect()
}

#[test]
fn segments_that_expand_have_no_memory_in_pieces() {
    let mut usual = CachingAllocator::new(320 * MIB);
    let _kept = in_pieces(&mut usual);
    assert!(usual.alloc(150 * MIB).is_err());
    assert_eq!(usual.stats().reserved, 300 * MIB);
    let mut expands = configured(320 * MIB, "expandable_segments:True");
    let kept = in_pieces(&mut expands);
    let large = expands.alloc(150 * MIB).unwrap();
    assert_eq!(expands.stats().live, 270 * MIB);
    assert_eq!(expands.stats().reserved, 280 * MIB);
    for block in kept.into_iter().chain([large]) {
        expands.free(block);
    }
    expands.empty_cache();
    assert_eq!((expands.stats().live, expands.stats().reserved), (0, 0));
}

#[test]
fn a_segment_that_expands_grows_by_20_mib_and_splits_to_512_bytes() {
    let mut allocator = configured(1000 * MIB, "expandable_segments:True");
    let _first = allocator.alloc(3 * MIB).unwrap();
    assert_eq!(allocator.stats().reserved, 20 * MIB);
    let second = allocator.alloc(30 * MIB).unwrap();
    assert_eq!(allocator.stats().reserved, 40 * MIB);
    let _small = allocator.alloc(5).unwrap();
    assert_eq!(allocator.stats().reserved, 42 * MIB);
    allocator.free(second);
    allocator.empty_cache();
    assert_eq!(allocator.stats().reserved, 22 * MIB);
}

#[test]
fn a_block_above_the_split_size_is_taken_whole_or_not_at_all() {
    let mut allocator = configured(1000 * MIB, "max_split_size_mb:100");
    let block = allocator.alloc(200 * MIB).unwrap();
    allocator.free(block);
    // Too small for it: it gets a segment of its own.
    let _small = allocator.alloc(50 * MIB).unwrap();
    assert_eq!(allocator.stats().reserved, 250 * MIB);
    // Nearly as large: it takes all of it.
    let near = allocator.alloc(190 * MIB).unwrap();
    assert_eq!(near.size(), 200 * MIB);
    assert_eq!(allocator.stats().reserved, 250 * MIB);
}

#[test]
fn garbage_is_collected_above_the_threshold_of_what_is_allowed() {
    let run = |options: &str| {
        let mut allocator = configured(1000 * MIB, options);
        allocator.allow(200 * MIB);
        for size in [60, 62, 64] {
            let block = allocator.alloc(size * MIB).unwrap();
            allocator.free(block);
        }
        let _last = allocator.alloc(10 * MIB).unwrap();
        let _next = allocator.alloc(70 * MIB).unwrap();
        allocator.stats().reserved / MIB
    };
    // The three are given back at once when nothing fits, and one by one before that.
    assert_eq!(run(""), 130);
    assert_eq!(run("garbage_collection_threshold:0.6"), 132);
}

#[test]
fn no_more_is_reserved_than_what_is_allowed() {
    let mut allocator = CachingAllocator::new(1000 * MIB);
    allocator.allow(100 * MIB);
    let _block = allocator.alloc(60 * MIB).unwrap();
    let refusal = allocator.alloc(60 * MIB).unwrap_err();
    assert_eq!(refusal.allowed, Some(100 * MIB));
    assert_eq!(refusal.free, 940 * MIB);
}

#[test]
fn a_snapshot_has_each_segment_with_its_blocks() {
    let mut allocator = CachingAllocator::new(1000 * MIB);
    let first = allocator.alloc(1000).unwrap();
    let _second = allocator.alloc(2000).unwrap();
    let _large = allocator.alloc(30 * MIB - 5).unwrap();
    allocator.free(first);
    let segment = |it: SegmentState| {
        let kind = if it.small { "small" } else { "large" };
        let blocks = it.blocks.iter();
        let blocks = blocks.map(|it| format!(" {} {:?}", it.size, it.requested));
        format!("{kind} {}:{}", it.size, blocks.collect::<String>())
    };
    let all: Vec<String> = allocator.snapshot().into_iter().map(segment).collect();
    let all = all.join("\n");
    insta::assert_snapshot!(all, @r"
    small 2097152: 1024 None 2048 Some(2000) 2094080 None
    large 31457280: 31457280 Some(31457275)
    ");
}

proptest! {
    #[test]
    fn what_was_given_out_comes_back(
        steps in prop::collection::vec((any::<bool>(), 0_u64..40 * MIB), 1..60),
        options in prop::sample::select(vec![
            "",
            "expandable_segments:True",
            "max_split_size_mb:25",
            "roundup_power2_divisions:4,garbage_collection_threshold:0.5",
        ]),
    ) {
        let mut allocator = configured(200 * MIB, options);
        let mut held = Vec::new();
        for (frees, size) in steps {
            if frees && !held.is_empty() {
                allocator.free(held.swap_remove(size as usize % held.len()));
            } else if let Ok(block) = allocator.alloc(size) {
                held.push(block);
            }
            let live: u64 = held.iter().map(|it| it.size).sum();
            prop_assert_eq!(allocator.stats().live, live);
            prop_assert!(allocator.stats().reserved >= live);
            prop_assert!(allocator.stats().reserved <= 200 * MIB);
        }
        for block in held {
            allocator.free(block);
        }
        allocator.empty_cache();
        prop_assert_eq!((allocator.stats().live, allocator.stats().reserved), (0, 0));
    }
}
