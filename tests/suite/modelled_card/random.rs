//! Random numbers of a modelled card are those of a real one under PyTorch.

use super::{kernels_of_line, run_on};
use crate::support::lab_runner::LabRunner;
use crate::support::request::python_on;
use std::fs;
use warpup_protocol::Lane;

#[test]
fn a_seed_gives_what_pytorch_prints_on_a_card() {
    let run = run_on(
        "h200",
        r#"import torch
torch.manual_seed(0)
print(torch.rand(3, device="cuda"))
torch.manual_seed(0)
print(torch.randn(2, 3, device="cuda"))
torch.manual_seed(0)
print(torch.rand(10, device="cuda"), torch.rand(10, device="cuda"))
"#,
    );
    insta::assert_snapshot!(run.output, @"
    tensor([0.3990, 0.5167, 0.0249], device='cuda:0')
    tensor([[-0.9247, -0.4253, -2.6438],
            [ 0.1452, -0.1209, -0.5797]], device='cuda:0')
    tensor([0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967, 0.4150, 0.8203, 0.2290,
            0.9096], device='cuda:0') tensor([0.9722, 0.7910, 0.4690, 0.3300, 0.3345, 0.3783, 0.7640, 0.6405, 0.1103,
            0.3594], device='cuda:0')
    ");
    assert_eq!(kernels_of_line(&run, 3), "random");
    assert!(run.spans.iter().all(|it| it.lane != Lane::CopyToDevice));
}

#[test]
fn the_cpu_and_the_card_have_generators_of_their_own() {
    let run = run_on(
        "t4",
        r#"import torch
torch.manual_seed(1)
alone = torch.rand(2)
torch.manual_seed(1)
there = torch.rand(2, device="cuda")
print(torch.equal(alone, torch.rand(2)), torch.equal(alone, there.cpu()))
print(torch.initial_seed(), torch.cuda.initial_seed(), torch.cuda.get_rng_state().tolist())
torch.cuda.manual_seed(2**40)
print(torch.initial_seed(), torch.cuda.initial_seed(), torch.cuda.get_rng_state().tolist())
state = torch.cuda.get_rng_state()
first = torch.rand(2, device="cuda")
torch.cuda.set_rng_state(state)
print(torch.equal(first, torch.rand(2, device="cuda")), state.device, state.dtype, len(torch.cuda.get_rng_state_all()))
generator = torch.Generator(device="cuda").manual_seed(2**40)
print(torch.equal(first, torch.rand(2, device="cuda", generator=generator)), generator.device, generator.get_offset())
print(torch.equal(generator.clone_state().get_state(), generator.get_state()), torch.cuda.default_generators[0].get_offset())
for device, given in (("cpu", generator), ("cuda", torch.Generator())):
    try:
        torch.rand(2, device=device, generator=given)
    except RuntimeError as error:
        print(error)
for wrong in (torch.zeros(5, dtype=torch.uint8), torch.tensor([0] * 8 + [1] + [0] * 7, dtype=torch.uint8)):
    try:
        generator.set_state(wrong)
    except RuntimeError as error:
        print(error)
with torch.random.fork_rng():
    inside = torch.rand(2, device="cuda")
print(torch.equal(inside, torch.rand(2, device="cuda")))
torch.cuda.seed()
print(torch.cuda.initial_seed() != 2**40, torch.cuda.get_rng_state().tolist()[8:])
"#,
    );
    insta::assert_snapshot!(run.output, @"
    True False
    1 1 [1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]
    1 1099511627776 [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    True cpu torch.uint8 1
    True cuda 4
    True 4
    Expected a 'cpu' device type for generator but found 'cuda'
    Expected a 'cuda' device type for generator but found 'cpu'
    RNG state is wrong size
    offset must be a multiple of 4
    True
    True [0, 0, 0, 0, 0, 0, 0, 0]
    ");
}

#[test]
fn a_checkpoint_drops_the_same_elements_again() {
    let run = run_on(
        "t4",
        r#"import torch
from torch.utils.checkpoint import checkpoint
x = torch.ones(64, device="cuda", requires_grad=True)
y = checkpoint(torch.nn.functional.dropout, x, use_reentrant=False)
torch.rand(3, device="cuda")
before = torch.cuda.get_rng_state()
y.sum().backward()
print(torch.equal(x.grad, y), 0 < int((y == 0).sum()) < 64, torch.equal(before, torch.cuda.get_rng_state()))
"#,
    );
    assert_eq!(run.output, "True True True\n");
}

#[test]
fn a_program_that_computes_the_numbers_itself_finds_them() {
    let source = fs::read_to_string("tests/fixtures/kernels/random.py").unwrap();
    let run = LabRunner::start().run_to_done(python_on("model:t4", source));
    assert_eq!(run.output, "different: 0\n");
}
