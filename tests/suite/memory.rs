//! Memory of a modelled card: what a program holds, and what it gives back.

use crate::labs::{Labs, python};
use warpup::protocol::{DeviceName, RunRequest};

fn printed_on_a_card(source: &str) -> String {
    let run = Labs::start().run(RunRequest {
        device: DeviceName::Model("t4".to_owned()),
        ..python(source)
    });
    run.output.clone()
}

#[test]
fn going_backward_gives_activations_back() {
    let printed = printed_on_a_card(
        r#"
import warpup as torch
w = torch.ones(1024, 1024, device="cuda", requires_grad=True)
h = torch.ones(1024, 1024, device="cuda")
for layer in range(4):
    h = (h @ w).relu()
loss = h.sum()
del h
print(torch.cuda.memory_allocated() >> 20)
loss.backward()
print(torch.cuda.memory_allocated() >> 20)
"#,
    );
    // Weight, input and eight activations; then weight, gradient and the scalars.
    assert_eq!(printed, "40\n8\n");
}

#[test]
fn a_step_in_place_holds_no_more_than_before() {
    let printed = printed_on_a_card(
        r#"
import warpup as torch
w = torch.ones(1024, 1024, device="cuda")
before = torch.cuda.memory_allocated()
w += 1
w.mul_(2).zero_()
print(torch.cuda.memory_allocated() - before)
"#,
    );
    assert_eq!(printed, "0\n");
}
