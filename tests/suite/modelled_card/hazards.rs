//! Copies that the host does not wait for, and streams beside each other: a program that reads or writes too early sees
//! what a card would show it, and a note names both lines. A sound program gets no note.

use super::{kernels, run_on};
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_protocol::{Aim, Lane, RunRequest, Span};

/// A card that is busy for 24 ms from line 9 on. What follows is line 10 and so on.
const BEGIN: &str = "import torch

big = torch.ones(4096, 4096, device='cuda')
y = torch.tensor([1.0, 2.0], device='cuda')
host = torch.full((2,), 7.0).pin_memory()
main, side = torch.cuda.current_stream(), torch.cuda.Stream()
event = torch.cuda.Event()
torch.cuda.synchronize()
work = big @ big
";

/// What a program prints, and its notes without advice.
fn said(lines: &str) -> String {
    let run = run_on("t4", &format!("{BEGIN}{lines}"));
    let notes = notes(&run).iter().map(|it| first_part(it));
    let said: Vec<&str> = run.output.lines().chain(notes).collect();
    said.join("\n")
}

fn notes(run: &Run) -> &[String] {
    &run.report.as_ref().unwrap().notes
}

fn first_part(note: &str) -> &str {
    note.split_once(", by the times").map_or(note, |it| it.0)
}

/// How long the host waited in a line.
fn waited(run: &Run, line: u32) -> u64 {
    let mut lines = run.report.iter().flat_map(|it| &it.lines);
    lines.find(|it| it.line == line).unwrap().wait_ns
}

#[test]
fn a_copy_to_pinned_memory_is_queued_behind_the_products_and_the_host_goes_on() {
    let program = |waits: &str| {
        format!(
            "import torch
a = torch.ones(4096, 4096, device='cuda')
host = torch.empty(4096, 4096, pin_memory=True)
for _ in range(20):
    y = a @ a
host.copy_(y{waits})
"
        )
    };
    let run = run_on("h200", &program(", non_blocking=True"));
    assert_eq!(waited(&run, 6), 0);
    let copies: Vec<&Span> = run
        .spans
        .iter()
        .filter(|it| it.lane == Lane::CopyToHost)
        .collect();
    let last = kernels(&run).last().unwrap();
    assert_eq!(copies.len(), 1);
    assert_eq!((copies[0].line, copies[0].start_ns), (6, last.end_ns));
    assert!(waited(&run_on("h200", &program("")), 6) > 50_000_000);
}

#[test]
fn the_host_reads_what_was_there_before_a_copy_has_filled_it() {
    insta::assert_snapshot!(said("host.copy_(y, non_blocking=True)\nprint(host)\n"), @r"
    tensor([7., 7.])
    line 11 read memory that the copy of line 10 had not filled yet
    ");
    insta::assert_snapshot!(said("fresh = y.to('cpu', non_blocking=True)
print(fresh.is_pinned(), fresh)
fresh.numpy() + 1
torch.cuda.synchronize()
print(fresh, y.to('cpu', torch.int64, non_blocking=True).is_pinned())
"), @r"
    True tensor([0., 0.])
    tensor([1., 2.]) True
    line 11 read memory that the copy of line 10 had not filled yet
    line 12 read memory that the copy of line 10 had not filled yet
    ");
    // A part of a buffer, a type that the card changes, and a sum on the host.
    insta::assert_snapshot!(said("part = torch.zeros(4, dtype=torch.float64).pin_memory()
part[1:3].copy_(y, non_blocking=True)
print(part[3].item())
print((part + 1).tolist())
event.record()
event.synchronize()
print(part.tolist())
"), @r"
    0.0
    [1.0, 1.0, 1.0, 1.0]
    [0.0, 1.0, 2.0, 0.0]
    line 13 read memory that the copy of line 11 had not filled yet
    ");
}

#[test]
fn a_note_says_what_to_do() {
    let run = run_on(
        "t4",
        &format!("{BEGIN}host.copy_(y, non_blocking=True)\nprint(host)\n"),
    );
    insta::assert_snapshot!(notes(&run).join("\n"), @"line 11 read memory that the copy of line 10 had not filled yet, by the times of the model: it read what was there before. Call torch.cuda.synchronize() first, or wait for an event behind the copy");
}

#[test]
fn a_copy_overwrites_what_the_host_wrote_before_its_end() {
    insta::assert_snapshot!(said("host.copy_(y, non_blocking=True)
host.zero_()
torch.cuda.synchronize()
print(host)
"), @r"
    tensor([1., 2.])
    line 11 wrote to memory that the copy of line 10 had not filled yet
    ");
}

#[test]
fn the_card_gets_what_is_in_a_pinned_buffer_when_the_copy_runs() {
    insta::assert_snapshot!(said("there = []
for step in range(3):
    host.fill_(step)
    there.append(host.to('cuda', non_blocking=True))
print([it[0].item() for it in there])
"), @r"
    [2.0, 2.0, 2.0]
    line 12 wrote to pinned memory before the copy of line 13 had read it
    ");
    insta::assert_snapshot!(said("y.copy_(host, non_blocking=True)\nhost[0] = 5\nprint(y)\n"), @r"
    tensor([5., 7.], device='cuda:0')
    line 11 wrote to pinned memory before the copy of line 10 had read it
    ");
}

#[test]
fn a_stream_reads_what_was_there_before_another_has_written() {
    insta::assert_snapshot!(said("y.add_(10)
with torch.cuda.stream(side):
    z = y * 2
torch.cuda.synchronize()
print(y, z)
"), @r"
    tensor([11., 12.], device='cuda:0') tensor([2., 4.], device='cuda:0')
    line 12 read what line 10 had not written yet in another stream
    ");
    // New memory holds zeros, as that of `torch.empty` does.
    insta::assert_snapshot!(said("x = y + 10
with torch.cuda.stream(side):
    host.copy_(x, non_blocking=True)
torch.cuda.synchronize()
print(x, host)
"), @r"
    tensor([11., 12.], device='cuda:0') tensor([0., 0.])
    line 12 read what line 10 had not written yet in another stream
    ");
    insta::assert_snapshot!(said("torch.cuda.synchronize()
with torch.cuda.stream(side):
    big @ big
    batch = host.to('cuda', non_blocking=True)
print((batch + 1).tolist())
"), @r"
    [1.0, 1.0]
    line 14 read what line 13 had not written yet in another stream
    ");
}

/// Each prints what it says and gets no note.
const SOUND: &[(&str, &str)] = &[
    (
        "host.copy_(y, non_blocking=True)\ntorch.cuda.synchronize()\nprint(host.tolist())\n",
        "[1.0, 2.0]",
    ),
    (
        "host.copy_(y, non_blocking=True)\nevent.record()\nevent.synchronize()\nprint(host.tolist())\n",
        "[1.0, 2.0]",
    ),
    // The same stream: what it does later is done later.
    (
        "host.copy_(y, non_blocking=True)\ny.sum().item()\nprint(host.tolist())\n",
        "[1.0, 2.0]",
    ),
    (
        "out = y.to('cpu', non_blocking=True)\nback = out.to('cuda', non_blocking=True)\nprint(back.tolist())\n",
        "[1.0, 2.0]",
    ),
    // What waits by itself.
    ("print(y.cpu().tolist())\n", "[1.0, 2.0]"),
    (
        "pageable = torch.zeros(2)\npageable.copy_(y, non_blocking=True)\nprint(pageable.tolist())\n",
        "[1.0, 2.0]",
    ),
    (
        "there = host.to('cuda')\nhost.fill_(3)\nprint(there.tolist())\n",
        "[7.0, 7.0]",
    ),
    // Another part of the buffer, and a loop that looks whether the copy is done.
    (
        "both = torch.zeros(4).pin_memory()\nboth[:2].copy_(y, non_blocking=True)\nboth[2:] = 3\nevent.record()\nwhile not event.query():\n    pass\nprint(both.tolist())\n",
        "[1.0, 2.0, 3.0, 3.0]",
    ),
    // Two streams, with what orders them.
    (
        "y.add_(10)\nside.wait_stream(main)\nwith torch.cuda.stream(side):\n    z = y * 2\nmain.wait_stream(side)\ny.zero_()\nz.record_stream(main)\nprint((z + 1).tolist())\n",
        "[23.0, 25.0]",
    ),
    (
        "y.add_(10)\nevent.record()\nwith torch.cuda.stream(side):\n    side.wait_event(event)\n    host.copy_(y, non_blocking=True)\nside.synchronize()\nprint(host.tolist())\n",
        "[11.0, 12.0]",
    ),
    // Double buffering: the host waits for the copy from a buffer before it writes there again.
    (
        "buffers = [torch.zeros(2).pin_memory() for _ in range(2)]
copied = [torch.cuda.Event() for _ in range(2)]
sums = []
for step in range(6):
    buffer, done = buffers[step % 2], copied[step % 2]
    done.synchronize()
    buffer.fill_(step)
    with torch.cuda.stream(side):
        batch = buffer.to('cuda', non_blocking=True)
        done.record()
    main.wait_stream(side)
    batch.record_stream(main)
    sums.append(batch.sum())
print([it.item() for it in sums])
",
        "[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]",
    ),
    // Backward orders the streams by itself.
    (
        "w = torch.ones(2, device='cuda', requires_grad=True)
side.wait_stream(main)
with torch.cuda.stream(side):
    big @ big
    loss = (w * y).sum()
loss.backward()
torch.cuda.synchronize()
print(w.grad.tolist())
",
        "[1.0, 2.0]",
    ),
];

#[test]
fn a_sound_program_gets_no_note() {
    for (lines, printed) in SOUND {
        assert_eq!(said(lines), *printed, "{lines}");
    }
}

#[test]
fn a_plan_has_the_notes_too() {
    let source = format!("{BEGIN}host.copy_(y, non_blocking=True)\nprint(host)\n");
    let run = run_once(RunRequest {
        aim: Aim::Plan,
        ..python_on("model:t4", source)
    });
    let first = notes(&run).first().map(|it| first_part(it));
    let expected = "line 11 read memory that the copy of line 10 had not filled yet";
    assert_eq!(first, Some(expected));
}
