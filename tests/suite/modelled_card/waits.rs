//! Every call that waits for the device says so: how long, why, and for whom. The calls are those that PyTorch's notes on
//! CUDA (*CUDA semantics*, *Performance tuning guide*) call synchronizing.

use super::clocks::without_times;
use super::run_on;
use std::collections::BTreeMap;
use warpup::lab::run::Run;
use warpup::lab::waits;
use warpup::protocol::{Lane, Span, WaitCause};

/// Queues a product that takes 24 ms and is not computed, then runs the expression in the place of `CALL`.
const PROGRAM: &str = r#"import torch

big = torch.ones(4096, 4096, device="cuda")
x = torch.tensor([3.0, -1.0, 2.0], device="cuda")
mask, loss = x > 0, x.sum()
host, pinned = torch.ones(3), torch.ones(3).pin_memory()
event, stream = torch.cuda.Event(), torch.cuda.current_stream()
side = torch.cuda.Stream()
unused = torch.ones(4096, 4096, device="cuda")
del unused
torch.cuda.synchronize()
big @ big
event.record()
CALL
"#;

/// The lines of the product and of the call.
const PRODUCT: u32 = 12;
const CALL: u32 = 14;

fn run_with(call: &str) -> Run {
    run_on("t4", &PROGRAM.replace("CALL", call))
}

fn host_spans(run: &Run) -> impl Iterator<Item = &Span> {
    run.spans.iter().filter(|it| it.lane == Lane::Host)
}

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

/// The call waits for the product, once and for this reason.
#[track_caller]
fn waits(call: &str, cause: WaitCause) {
    let run = run_with(call);
    assert_consistent(&run);
    let waited = host_spans(&run).filter(|it| it.line == CALL && it.name == Span::WAIT);
    let waited: Vec<&Span> = waited.collect();
    let first = waited.first().expect("it waits");
    assert_eq!(first.cause, cause);
    assert!(first.end_ns - first.start_ns > 10_000_000, "{first:?}");
    let gaps = run.report.as_ref().unwrap().gaps.as_ref().unwrap();
    let wait = gaps.waits.iter().find(|it| it.line == CALL).unwrap();
    assert_eq!((wait.most_line, wait.cause), (PRODUCT, cause));
}

#[track_caller]
fn does_not_wait(call: &str) {
    let run = run_with(call);
    assert_consistent(&run);
    let lines = &run.report.as_ref().unwrap().lines;
    let line = lines.iter().find(|it| it.line == CALL).unwrap();
    assert_eq!(line.wait_ns, 0, "{call}");
}

#[test]
fn item_waits() {
    waits("loss.item()", WaitCause::Item);
    waits("float(loss)", WaitCause::Item);
}

#[test]
fn control_flow_that_depends_on_a_tensor_waits() {
    waits("if loss > 1: pass", WaitCause::Item);
    waits("torch.equal(x, x)", WaitCause::Item);
}

#[test]
fn tolist_waits() {
    waits("x.tolist()", WaitCause::Tolist);
}

#[test]
fn printing_waits() {
    waits("print(x)", WaitCause::Print);
}

#[test]
fn a_result_whose_size_depends_on_values_waits() {
    waits("x.nonzero()", WaitCause::Nonzero);
    waits("x[mask]", WaitCause::Nonzero);
    waits("torch.masked_select(x, mask)", WaitCause::Nonzero);
    waits("torch.unique(x)", WaitCause::Nonzero);
}

#[test]
fn cpu_waits() {
    waits("x.cpu()", WaitCause::CopyToHost);
    waits("x.to('cpu')", WaitCause::CopyToHost);
    waits("host.copy_(x)", WaitCause::CopyToHost);
}

#[test]
fn a_copy_from_pageable_memory_waits_even_if_it_is_asked_not_to() {
    waits("host.cuda()", WaitCause::CopyToDevice);
    waits("host.to('cuda')", WaitCause::CopyToDevice);
    waits(
        "host.to('cuda', non_blocking=True)",
        WaitCause::CopyToDevice,
    );
    waits("x.copy_(host)", WaitCause::CopyToDevice);
}

#[test]
fn a_copy_from_pinned_memory_waits_unless_it_is_asked_not_to() {
    waits("pinned.to('cuda')", WaitCause::CopyToDevice);
    does_not_wait("pinned.to('cuda', non_blocking=True)");
}

/// It copies a list from pageable memory; it was timed and no wait was told.
#[test]
fn a_tensor_made_of_a_list_on_the_card_waits() {
    waits("torch.tensor([1.0], device='cuda')", WaitCause::Tensor);
    does_not_wait("torch.zeros(3, device='cuda')");
}

#[test]
fn synchronize_waits() {
    waits("torch.cuda.synchronize()", WaitCause::Synchronize);
    waits("event.synchronize()", WaitCause::Event);
    waits("stream.synchronize()", WaitCause::Stream);
    does_not_wait("event.query()");
    does_not_wait("side.synchronize()");
}

#[test]
fn the_allocator_waits_before_memory_goes_back_to_the_card() {
    waits("torch.cuda.empty_cache()", WaitCause::Allocator);
    // More than is left beside the 64 MiB that are cached.
    waits(
        "torch.empty(torch.cuda.mem_get_info()[0] + 2**20, dtype=torch.uint8, device='cuda')",
        WaitCause::Allocator,
    );
    does_not_wait("torch.empty(3, device='cuda')");
}

#[test]
fn what_needs_no_value_does_not_wait() {
    does_not_wait("x.shape, loss.detach(), loss * 2, x + x");
    does_not_wait("torch.where(mask, x, 0)");
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
