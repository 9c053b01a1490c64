//! Our own kernels give what the CPU gives: the programs of `tests/fixtures/kernels` compare both, over types, shapes,
//! strides and special numbers.

use crate::card_runs::{is_stand_in, on_a_card, run, runner_with};
use crate::support::programs::printed;
use std::fs;
use std::path::Path;

/// On a card with 64 MiB beside its context, which holds two tensors of 24 MiB, a third one of this size has no room.
#[test]
fn a_change_in_place_takes_no_memory() {
    if !is_stand_in() {
        return;
    }
    let source = "\
import torch

x = torch.zeros(6 << 20, device='cuda')
x.add_(1)
y = torch.ones_like(x)
for _ in range(3):
    x.mul_(2).add_(y, alpha=0.5)
    x.addcmul_(x, y)
    x.copy_(y)
    x.zero_()
    x.add_(y)
optimizer = torch.optim.SGD([x], lr=0.5)
x.grad = y
optimizer.step()
print(x.sum().item())
";
    let run = runner_with("memory=128").run(on_a_card(source));
    assert_eq!(printed(&run), "3145728.0\n");
}

/// Convolutions and recurrent layers, which cuDNN computes if it is there.
#[test]
fn slower_kernels_give_what_cudnn_gives() {
    if !is_stand_in() {
        return;
    }
    for name in ["convolutions", "recurrent"] {
        let source = fs::read_to_string(format!("tests/fixtures/kernels/{name}.py")).unwrap();
        let run = runner_with("cudnn=missing").run(on_a_card(source.clone()));
        assert_eq!(printed(&run), "different: 0\n", "{name}");
        let without = run.report.and_then(|it| it.cudnn).unwrap();
        assert_eq!((without.version, without.calls), (None, 0), "{name}");
        let run = runner_with("").run(on_a_card(source));
        let with = run.report.and_then(|it| it.cudnn).unwrap();
        assert_eq!(with.version.as_deref(), Some("9.0.0"), "{name}");
        assert!(with.calls > with.other_calls, "{name}: {with:?}");
    }
}

#[test]
fn kernels_of_our_own_give_what_the_cpu_gives() {
    let folder = Path::new("tests/fixtures/kernels");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let said = printed(&run(&fs::read_to_string(file).unwrap()));
        if said.lines().last() != Some("different: 0") {
            wrong.push(format!("{}:\n{said}", file.display()));
        }
    }
    assert!(!files.is_empty());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
