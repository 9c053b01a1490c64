//! `torch.utils.checkpoint` on a modelled card: activations are freed in forward and computed again in backward.

use super::run_on;

/// The memory after forward, the peak of the step and the number of kernels, for a network of four blocks.
fn step(call: &str) -> (String, usize) {
    let source = format!(
        r#"
import torch
from torch.utils.checkpoint import checkpoint
block = lambda h: h.sin().cos().exp()
x = torch.zeros(1024, 1024, device="cuda", requires_grad=True)
torch.cuda.reset_peak_memory_stats()
h = x
for _ in range(4):
    h = {call}
print(torch.cuda.memory_allocated() >> 20)
h.backward(torch.zeros_like(x))
print(torch.cuda.max_memory_allocated() >> 20)
"#
    );
    let run = run_on("t4", &source);
    let kernels = run.spans.iter().filter(|it| it.name == "exp").count();
    (run.output, kernels)
}

#[test]
fn a_checkpoint_lowers_the_peak_and_computes_twice() {
    // The leaf, and of each block what `cos` and `exp` save; at the peak the seed, gradients and temporaries, too.
    assert_eq!(step("block(h)"), ("36\n56\n".to_owned(), 4));
    // The leaf and the results of the blocks; at the peak what one block saves is there once more.
    let lower = step("checkpoint(block, h, use_reentrant=False)");
    assert_eq!(lower, ("20\n44\n".to_owned(), 8));
    let reentrant = step("checkpoint(block, h, use_reentrant=True)");
    assert_eq!(reentrant, ("20\n48\n".to_owned(), 8));
}
