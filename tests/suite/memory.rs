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
    // Weight, input and the four results of `relu`, which the products save as well; then weight,
    // gradient and the scalars.
    assert_eq!(printed, "24\n8\n");
}

#[test]
fn what_no_gradient_needs_is_freed_on_the_way() {
    let printed = printed_on_a_card(
        r#"
import warpup as torch
w = torch.ones(1024, 1024, device="cuda", requires_grad=True)
held = torch.cuda.memory_allocated
h = w
for layer in range(10):
    h = (h + 1 - w).reshape(-1).reshape(1024, 1024) * 2
print((held() - w.nbytes) >> 20)
h = h.relu()
print((held() - w.nbytes) >> 20)
h = h + 1
print((held() - w.nbytes) >> 20)
"#,
    );
    // The last result; what `relu` gave, which it saved; and what was made of it.
    assert_eq!(printed, "4\n4\n8\n");
}

#[test]
fn memory_falls_on_the_way_back() {
    let printed = printed_on_a_card(
        r#"
import warpup as torch
x = torch.ones(1024, 1024, device="cuda", requires_grad=True)
h = x
for layer in range(16):
    h = h.exp()
loss = h.sum()
del h
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
loss.backward()
print(before >> 20, (torch.cuda.max_memory_allocated() - before) >> 20, torch.cuda.memory_allocated() >> 20)
"#,
    );
    // As a gradient is made, the result that it was made with is given back.
    assert_eq!(printed, "68 4 8\n");
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
