//! Plans of training scripts as people write them: with `import torch` and sizes for a card.

use super::run_on;
use crate::support::lab_runner::{outcome, run_once};
use crate::support::request::{python, python_on};
use crate::support::source;
use warpup_lab::plan::{self, Verdict};
use warpup_lab::run::Run;
use warpup_protocol::{Aim, Clock, Outcome, Purpose, RunRequest};

fn plan_on(card: &str, source: &str) -> Run {
    run_once(RunRequest {
        aim: Aim::Plan,
        ..python_on(&format!("model:{card}"), source)
    })
}

fn script(name: &str) -> String {
    let path = format!("tests/fixtures/scripts/{name}.py");
    source::files_under(&path).remove(0).text
}

#[test]
fn every_training_script_is_planned_to_its_end() {
    for file in source::files_under("tests/fixtures/scripts") {
        let run = plan_on("h100", &file.text);
        assert_eq!(outcome(&run), &Outcome::Done, "{}", file.path);
        let report = run.report.as_ref().unwrap();
        assert_eq!(report.clock, Clock::Modelled);
        let memory = report.memory.as_ref().unwrap();
        for purpose in [Purpose::Weights, Purpose::Gradients, Purpose::Activations] {
            assert!(!memory.over_time.is_empty());
            let most = memory.over_time.iter().map(|it| it.held.of(purpose)).max();
            assert!(most > Some(0), "{}: no {purpose:?}", file.path);
        }
        assert!(memory.floor > 0, "{}", file.path);
        assert!(plan::dominant(report.busy.as_ref().unwrap()).is_some());
    }
}

/// The parameters of the transformer are counted by hand: embeddings, twelve blocks, norm, head.
#[test]
fn the_floor_of_a_transformer_is_sixteen_bytes_a_parameter() {
    let (width, tokens, words, layers) = (768_u64, 512_u64, 50_304_u64, 12_u64);
    let linear = |from: u64, to: u64| from * to + to;
    let norm = 2 * width;
    let block =
        4 * linear(width, width) + linear(width, 4 * width) + linear(4 * width, width) + 2 * norm;
    let parameters = words * width + tokens * width + layers * block + norm + width * words;
    let run = plan_on("t4", &script("transformer"));
    let floor = run.report.unwrap().memory.unwrap().floor;
    let by_hand = 16 * parameters;
    // The allocator rounds up, and does not split off a remainder of less than a mebibyte.
    assert!(floor >= by_hand, "{floor} {by_hand}");
    assert!(floor < by_hand + by_hand / 100, "{floor} {by_hand}");
}

#[test]
fn a_script_too_large_for_one_card_fits_on_another() {
    let source = "import torch\nx = torch.zeros(5, 1024, 1024, 1024, device='cuda')\n";
    let small = plan_on("t4", source);
    let Verdict::TooLarge { first, .. } = plan::verdict(&small) else {
        panic!("{small:?}");
    };
    assert_eq!((first.line, first.asked), (2, 20 << 30));
    let large = plan_on("a100", source);
    assert!(matches!(plan::verdict(&large), Verdict::Fits { .. }));
}

/// Six GiB are given back but for 12 MiB in their midst, and nine are asked for on a card with 14.6.
#[test]
fn a_plan_that_fails_through_fragmentation_says_how_much_lies_in_pieces() {
    let source = "import torch
large = torch.empty(6, 2**30, dtype=torch.uint8, device='cuda')
del large
small = torch.empty(12, 2**20, dtype=torch.uint8, device='cuda')
wanted = torch.empty(9, 2**30, dtype=torch.uint8, device='cuda')
";
    let run = plan_on("t4", source);
    let Verdict::TooLarge { first, .. } = plan::verdict(&run) else {
        panic!("{run:?}");
    };
    let mib = 1 << 20;
    assert_eq!((first.line, first.live), (5, 12 * mib));
    assert_eq!(first.in_pieces, (6 << 30) - 12 * mib);
    let memory = run.report.unwrap().memory.unwrap();
    assert!(plan::is_fragmentation(&first, &memory));
}

#[test]
fn a_plan_finds_a_device_mismatch() {
    let run = plan_on(
        "t4",
        "import torch\nmodel = torch.nn.Linear(4, 2).cuda()\nmodel(torch.zeros(3, 4))\n",
    );
    let Verdict::Stopped(raised) = plan::verdict(&run) else {
        panic!("{run:?}");
    };
    assert_eq!((raised.kind.as_str(), raised.line), ("RuntimeError", 3));
    assert!(raised.message.contains("on the same device"), "{raised:?}");
}

#[test]
fn a_value_that_is_not_computed_reads_as_nan_and_its_line_is_reported() {
    let source = "import torch
x = torch.rand(4096, 4096, device='cuda')
small = torch.ones(3, device='cuda')
print(small.sum().item())
print(x.sum().item())
print(x.argmax().item())
";
    let run = plan_on("t4", source);
    assert_eq!(run.output, "3.0\nnan\n0\n");
    assert_eq!(run.report.unwrap().unknown_read, [5, 6]);
}

#[test]
fn a_plan_is_the_same_each_time() {
    let once = plan_on("h100", &script("mlp"));
    let again = plan_on("h100", &script("mlp"));
    assert_eq!(once, again);
}

#[test]
fn a_plan_is_made_on_a_modelled_card_only() {
    let run = run_once(RunRequest {
        aim: Aim::Plan,
        ..python("")
    });
    let Verdict::NotPlanned(why) = plan::verdict(&run) else {
        panic!("{run:?}");
    };
    assert!(why.contains("modelled card"), "{why}");
}

#[test]
fn a_plan_and_a_run_on_the_same_card_agree() {
    let source = "import torch
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    x = torch.randn(32, 64).to('cuda')
    loss = (model(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.cuda.synchronize()
";
    let planned = plan_on("l4", source).report.unwrap();
    let ran = run_on("l4", source).report.unwrap();
    assert_eq!((planned.host_ns, &planned.lines), (ran.host_ns, &ran.lines));
    assert_eq!((planned.busy, planned.memory), (ran.busy, ran.memory));
}
