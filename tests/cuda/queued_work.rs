//! A card does its work later, in order, and within its memory.

use crate::card_runs::{is_stand_in, on_a_card, run, runner, runner_with};
use crate::support::counts::differences;
use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::programs::assert_none;
use crate::support::waits::{CALLS, program, waits_as_said};
use warpup_lab::run::Run;
use warpup_protocol::{Lane, Outcome, WaitCause};

/// Matrix products that keep a card busy for much longer than it takes to queue them.
fn much_work() -> String {
    let (count, size) = if is_stand_in() { (20, 256) } else { (40, 8192) };
    format!(
        "import torch\nx = torch.ones({size}, {size}, device='cuda') / {size}\nfor i in range({count}):\n    x = x @ x\n"
    )
}

fn printed(source: &str) -> String {
    let run = run(source);
    assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
    run.output
}

#[test]
fn work_is_done_after_it_was_queued() {
    let program = much_work()
        + "end = torch.cuda.Event()\nend.record()\nprint(end.query())\ntorch.cuda.synchronize()\nprint(end.query(), (x[0, 0] * len(x)).item())\n";
    assert_eq!(printed(&program), "False\nTrue 1.0\n");
}

#[test]
fn events_measure_the_cards_time() {
    let program = "import torch\nstart = torch.cuda.Event(enable_timing=True)\nend = torch.cuda.Event(enable_timing=True)\nstart.record()\n".to_owned()
        + &much_work()
        + "end.record()\nend.synchronize()\nprint(start.elapsed_time(end) > 0, end.elapsed_time(start) < 0)\n";
    assert_eq!(printed(&program), "True True\n");
}

#[test]
fn kernels_of_a_run_follow_each_other() {
    let run = run(&(much_work() + "torch.cuda.synchronize()\n"));
    let mut kernels: Vec<_> = run
        .spans
        .iter()
        .filter(|it| it.lane == Lane::Kernel)
        .collect();
    kernels.sort_by_key(|it| it.start_ns);
    assert!(kernels.len() > 20, "{}", kernels.len());
    for pair in kernels.windows(2) {
        assert!(pair[0].end_ns <= pair[1].start_ns, "{pair:?}");
    }
    let report = run.report.unwrap();
    assert!(report.device_ns.unwrap() > 0);
    // The host waited: the work was not done when it was queued.
    let waited: u64 = report.lines.iter().map(|it| it.wait_ns).sum();
    assert!(waited > 0);
}

#[test]
fn each_call_that_waits_for_the_card_says_why() {
    // The stand-in computes it.
    let work = "for i in range(3): big @ big[:, :8]";
    let differs = [
        // candle has one stream.
        "side.synchronize()",
        // The driver may stage a pageable copy without waiting.
        "host.to('cuda', non_blocking=True)",
        // Pages that are locked for one copy are unlocked after it.
        "x[host > 0]",
        "x[host > 0] = 2.0",
    ];
    // The host computes a part of these, and waits for the values of that before it waits for a size.
    let on_host = [
        "torch.allclose(x, x)",
        "torch.masked_select(x, mask)",
        "torch.unique(x)",
    ];
    let mut runner = runner();
    let mut differences = Vec::new();
    for (call, cause) in CALLS.iter().filter(|it| !differs.contains(&it.0)) {
        let run = runner.run(on_a_card(program(work, call)));
        assert_eq!(outcome(&run), &Outcome::Done, "{call}: {}", run.output);
        let mut said = waits_as_said(&run, *cause);
        if on_host.contains(call) {
            said = said.and_then(|_| waits_as_said(&run, Some(WaitCause::CopyToHost)));
        }
        if let Some(problem) = said {
            differences.push(format!("{call}: {problem}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn values_are_the_same_after_a_copy_to_the_card_and_back() {
    let program = "
import torch
for dtype in [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool]:
    x = torch.arange(100).to(dtype)
    there = x.to('cuda')
    back = there.to('cpu')
    print(dtype, there.device, back.device, (back == x).all().item())
part = torch.arange(12).reshape(3, 4).to('cuda').T[1:3].cpu()
print(part.tolist())
print(torch.zeros(0, 3, device='cuda').cpu().shape)
";
    insta::assert_snapshot!(printed(program), @"
torch.float32 cuda:0 cpu True
torch.float64 cuda:0 cpu True
torch.float16 cuda:0 cpu True
torch.bfloat16 cuda:0 cpu True
torch.int64 cuda:0 cpu True
torch.int32 cuda:0 cpu True
torch.uint8 cuda:0 cpu True
torch.bool cuda:0 cpu True
[[1, 5, 9], [2, 6, 10]]
torch.Size([0, 3])
");
}

#[test]
fn page_locked_memory_is_copied_without_the_host() {
    let program = "
import torch
x = torch.arange(1000.0).pin_memory()
print(x.is_pinned())
y = x.to('cuda', non_blocking=True)
y = y * 2
torch.cuda.synchronize()
print(y.sum().item())
";
    assert_eq!(printed(program), "True\n999000.0\n");
}

fn assert_works(runner: &mut LabRunner) {
    let next: Run = runner.run(on_a_card(
        "import torch\nprint((torch.ones(3, device='cuda') * 14).sum().item())",
    ));
    assert_eq!(next.output, "42.0\n", "{:?}", outcome(&next));
}

#[test]
fn the_first_tensor_leaves_room_for_others_too() {
    let mut runner = runner_with("memory=512");
    let run = runner.run(on_a_card(
        "import torch\nfree, total = torch.cuda.mem_get_info()\ntry:\n    torch.zeros(int(free * 0.95), dtype=torch.uint8, device='cuda')\nexcept torch.cuda.OutOfMemoryError as error:\n    print('so that others find room' in str(error))\n",
    ));
    assert_eq!(run.output, "True\n", "{:?}", outcome(&run));
}

#[test]
fn memory_ends_and_the_next_run_has_all_of_it() {
    // The stand-in is small, so that it is full soon.
    let mut runner = runner_with("memory=512");
    let fill = "
import torch
held = []
try:
    while True:
        held.append(torch.empty(16, 1024, 1024, device='cuda'))
except torch.cuda.OutOfMemoryError as error:
    print('Tried to allocate 64.00 MiB' in str(error))
held = held[:1]
print(torch.cuda.memory_allocated() >> 20)
raise SystemExit
";
    let first = runner.run(on_a_card(fill));
    assert_eq!(first.output, "True\n64\n", "{:?}", outcome(&first));
    let second = runner.run(on_a_card(fill));
    assert_eq!(second.output, first.output);
    assert_works(&mut runner);
}

#[test]
fn a_label_out_of_range_is_reported_and_the_next_run_works() {
    let mut runner = runner();
    let run = runner.run(on_a_card(
        "import torch
import torch.nn.functional as F
logits = torch.zeros(2, 3, device='cuda')
labels = torch.tensor([0, 3], device='cuda')
loss = F.cross_entropy(logits, labels)
print(loss.item())
",
    ));
    let Outcome::Raised(raised) = outcome(&run) else {
        panic!("{:?}", outcome(&run));
    };
    // The line that reports it depends on the speed of the card.
    assert!((5..=6).contains(&raised.line), "{raised:?}");
    insta::assert_snapshot!(format!("{}: {}", raised.kind, raised.message), @"
torch.AcceleratorError: CUDA error: device-side assert triggered
Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
An index or a label was out of range in a kernel that was queued before: compare labels.max() with the number of classes. The card does nothing more in this run; the next run starts fresh
");
    assert!(run.report.as_ref().unwrap().worker_ends);
    assert_works(&mut runner);
}

#[test]
fn a_check_knows_what_the_program_did() {
    assert_none(&differences(&mut runner(), "cuda"));
}
