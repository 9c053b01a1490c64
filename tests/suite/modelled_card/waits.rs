//! Every call that waits for the device says so: how long, why, and for whom. The calls are those that PyTorch's notes on
//! CUDA (*CUDA semantics*, *Performance tuning guide*) call synchronizing.

use super::clocks::without_times;
use super::run_on;
use crate::support::waits::{CALLS, host_spans, program, waits_as_said};
use std::collections::BTreeMap;
use warpup_lab::run::Run;
use warpup_lab::waits;
use warpup_protocol::{Span, WaitCause};

/// A product that takes 24 ms and is not computed.
const PRODUCT: &str = "big @ big";

/// Asserts what holds for the waits of every run: no span of the host overlaps another, and all views agree.
fn assert_consistent(run: &Run) {
    let mut spans: Vec<&Span> = host_spans(run).collect();
    spans.sort_by_key(|it| (it.start_ns, it.end_ns));
    for pair in spans.windows(2) {
        assert!(pair[0].end_ns <= pair[1].start_ns, "{pair:?}");
    }
    let report = run.report.as_ref().unwrap();
    let mut by_line = BTreeMap::<u32, u64>::new();
    for it in spans.iter().filter(|it| it.name == Span::WAIT) {
        assert_ne!(it.cause, WaitCause::Unknown, "{it:?}");
        *by_line.entry(it.line).or_default() += it.end_ns - it.start_ns;
    }
    let gaps = report.gaps.as_ref().unwrap();
    for line in &report.lines {
        let waited = by_line.get(&line.line).copied().unwrap_or(0);
        assert_eq!(line.wait_ns, waited, "{line:?}");
        assert!(line.wait_ns <= line.host_ns, "{line:?}");
        for idle in gaps.idle.iter().filter(|it| it.line == line.line) {
            assert!(idle.ns <= line.host_ns, "{idle:?} {line:?}");
        }
    }
}

/// How a run differs from what the table says of its call; nothing if it does not.
fn difference(call: &str, cause: Option<WaitCause>) -> Option<String> {
    let run = run_on("t4", &program(PRODUCT, call));
    assert_consistent(&run);
    let problem = waits_as_said(&run, cause)?;
    Some(format!("{call}: {problem}"))
}

#[test]
fn each_call_that_waits_for_the_card_says_why() {
    let differences: Vec<String> = CALLS
        .iter()
        .filter_map(|(call, cause)| difference(call, *cause))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A real card waits for these, too, since its copies to the host are made at once.
#[test]
fn a_copy_to_pinned_memory_need_not_wait() {
    for call in [
        "pinned.copy_(x, non_blocking=True)",
        "x.to('cpu', non_blocking=True)",
        "x.to('cpu', torch.float64, non_blocking=True)",
        "x.sum().to('cpu', non_blocking=True)",
    ] {
        assert_eq!(difference(call, None), None);
    }
}

/// Only a modelled card has this allocator; a real one takes memory from the driver's pool.
#[test]
fn the_allocator_waits_before_memory_goes_back_to_the_card() {
    // More than is left beside the 64 MiB that are cached.
    let too_much =
        "torch.empty(torch.cuda.mem_get_info()[0] + 2**20, dtype=torch.uint8, device='cuda')";
    for call in ["torch.cuda.empty_cache()", too_much] {
        assert_eq!(difference(call, Some(WaitCause::Allocator)), None);
    }
    assert_eq!(difference("torch.empty(3, device='cuda')", None), None);
}

#[test]
fn a_wait_names_the_line_and_its_own_work_by_name() {
    let said = |source: &str| {
        let run = run_on("t4", source);
        assert_consistent(&run);
        let sentences = waits::sentences(run.report.as_ref().unwrap());
        let sentences = sentences.iter().map(|it| without_times(it));
        sentences.collect::<Vec<_>>().join("\n")
    };
    let begin = "import torch
a = torch.ones(4096, 4096, device='cuda')
x = torch.ones(3, device='cuda')
";
    insta::assert_snapshot!(said(&format!("{begin}b = a @ a\nx.sum().item()\n")), @"line 5 waited … ms for line 4 (item())");
    insta::assert_snapshot!(said(&format!("{begin}a.cpu()\n")), @"line 4 waited … ms for its own copy (copy to host)");
}
