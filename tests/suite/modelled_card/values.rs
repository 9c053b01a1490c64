//! Which values a modelled card computes, and what a program gets that reads others.

use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_protocol::{MissingValues, NotComputed, Outcome, RunRequest};
use warpup_worker::device::cards::shipped;

fn checked(source: &str, check: &str) -> Run {
    run_once(RunRequest {
        check: Some(check.to_owned()),
        ..python_on("model:t4", source)
    })
}

/// 22 GFLOP in products of 2.
#[test]
fn a_loop_whose_values_fit_into_the_time_limit_keeps_them() {
    let source = "import torch
x = torch.full((1000, 1000), 0.001, device='cuda')
for step in range(11):
    loss = (x @ x).mean()
print(round(loss.item(), 6))
";
    let run = checked(source, "lab.check('small', loss.item() < 1)");
    assert_eq!(run.output, "0.001\n");
    assert_eq!(run.passed(), Some(true));
    assert_eq!(run.report.unwrap().not_computed, None);
}

/// A product of 33 TFLOP, of factors that take no memory: it is refused before it starts.
const HUGE: &str = "import torch
one = torch.ones(1, 1, device='cuda')
loss = (one.expand(2048, 4000000) @ one.expand(4000000, 2048)).mean()
print('loss', end='')
print(loss.item(), loss.argmax().item(), bool(loss > 0))
print(one.sum().item())
lab.metric('loss', loss)
lab.metric('right', loss.argmax())
";

#[test]
fn what_is_past_the_time_for_values_reads_as_nan_and_is_told_once() {
    let run = checked(HUGE, "");
    insta::assert_snapshot!(run.output, @r"
    loss
    [warpup] Values are NOT COMPUTED from line 3 on: the time for it is used up; `warpup run FILE.py --limit SECONDS` gives a file more. Time and memory stay modelled; what is read is nan, or 0 and False where there is no nan.
    nan 0 False
    1.0
    [warpup] The metric `loss` is nan, since lines 5 to 7 read values that were not computed: it is not reported.
    ");
    let report = run.report.as_ref().unwrap();
    assert_eq!(report.outcome, Outcome::Done);
    assert_eq!(report.unknown_read, [5, 7, 8]);
    let (line, why) = (3, MissingValues::OutOfTime);
    assert_eq!(report.not_computed, Some(NotComputed { line, why }));
    // Only one of the two was sent, and it does not count either.
    assert_eq!((run.metrics.len(), run.metric("right")), (1, None));
    assert!(run.metric("host_ms").is_some());
}

#[test]
fn a_distribution_takes_values_that_were_not_computed() {
    let run = checked(
        "import torch
one = torch.ones(1, 1, device='cuda')
logits = one.expand(2048, 4000000) @ one.expand(4000000, 2048)
policy = torch.distributions.Categorical(logits=logits)
print(policy.log_prob(policy.sample()).shape)
print(torch.distributions.Normal(logits, logits).log_prob(logits).shape)
",
        "",
    );
    assert_eq!(run.output, "torch.Size([2048])\ntorch.Size([2048, 2048])\n");
}

#[test]
fn a_check_of_values_that_were_not_computed_does_not_hold_and_says_why() {
    let run = checked(HUGE, "lab.check('small', not loss.item() > 1, 'train it')");
    let check = &run.checks[0];
    assert!(!check.ok);
    insta::assert_snapshot!(check.hint.as_ref().unwrap(), @"this cannot be judged: lines 5 to 8 read values that were not computed; make the program smaller");
}

#[test]
fn a_result_that_does_not_fit_into_memory_has_no_values_and_its_line_is_told() {
    let source = "import torch
x = torch.randn(9000, 9000, device='cuda')
loss = (x @ x).mean()
if loss > 0:
    print('large')
";
    let run = checked(source, "");
    insta::assert_snapshot!(run.output, @"[warpup] Values are NOT COMPUTED from line 2 on: its result does not fit into the memory for values; a smaller batch needs less. Time and memory stay modelled; what is read is nan, or 0 and False where there is no nan.");
}

#[test]
fn a_program_that_reads_no_missing_values_is_told_nothing() {
    let source = "import torch
x = torch.randn(9000, 9000, device='cuda')
y = x @ x
torch.cuda.synchronize()
";
    let run = checked(source, "lab.check('square', y.shape == (9000, 9000))");
    assert_eq!((run.output.as_str(), run.passed()), ("", Some(true)));
    assert_eq!(run.report.unwrap().not_computed, None);
}

/// The best-known example of an evaluation: 1000 images, of which a layer makes 36 million numbers. It prints what the CPU
/// prints, within the memory of a lab. How long that takes is the machine's matter, so it has the time of ten labs.
#[test]
fn an_evaluation_of_a_thousand_images_has_its_loss_on_every_card() {
    let source = |device: &str| {
        format!(
            "import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(),
    nn.MaxPool2d(2), nn.Flatten(), nn.Linear(9216, 10),
).to('{device}')
images, labels = torch.randn(1000, 1, 28, 28), torch.randint(10, (1000,))
net.eval()
with torch.no_grad():
    out = net(images.to('{device}'))
    loss = nn.functional.cross_entropy(out, labels.to('{device}'))
correct = (out.argmax(1).cpu() == labels).sum()
print(f'test loss {{loss.item():.4f}} correct {{correct.item()}}')
"
        )
    };
    let expected = run_once(python_on("cpu", source("cpu"))).output;
    assert!(expected.starts_with("test loss 2.") && !expected.contains("nan"));
    for card in shipped().cards.keys() {
        let mut request = python_on(&format!("model:{card}"), source("cuda"));
        request.limits.time_ms *= 10;
        let run = run_once(request);
        assert_eq!(run.output, expected, "{card}");
        assert_eq!(run.report.unwrap().not_computed, None, "{card}");
    }
}

#[test]
fn values_that_are_gone_make_room_for_others() {
    // A tensor of 256 MiB in each pass, of which a lab of 1 GiB can hold only a few.
    let source = "import torch
for step in range(6):
    x = torch.full((8192, 8192), float(step), device='cuda')
    print(x[0, 0].item())
    del x
";
    let run = run_once(python_on("model:t4", source));
    assert_eq!(run.output, "0.0\n1.0\n2.0\n3.0\n4.0\n5.0\n");
    let source = "import torch
kept = [torch.full((8192, 4096), float(step), device='cuda') for step in range(8)]
print(kept[0][0, 0].item(), kept[7][0, 0].item())
";
    let run = run_once(python_on("model:t4", source));
    assert!(run.output.ends_with("0.0 nan\n"), "{}", run.output);
    let missing = run.report.unwrap().not_computed.unwrap();
    assert_eq!((missing.line, missing.why), (2, MissingValues::TooLarge));
}

#[test]
fn what_is_made_like_a_tensor_is_on_its_device_if_none_is_named() {
    let source = "import torch
x = torch.ones(2, device='cuda')
made = [torch.full_like(x, 2.0), torch.ones_like(x, device=None), torch.rand_like(x)]
print([it.device.type for it in made], torch.ones_like(x, device='cpu').device)
";
    let run = run_once(python_on("model:t4", source));
    assert_eq!(run.output, "['cuda', 'cuda', 'cuda'] cpu\n");
}
