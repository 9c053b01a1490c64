//! The memory and the kernels of layers on a modelled card, where PyTorch's are special.

use super::{kernels, names, run_on};
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;

/// cuDNN writes the gradient of the input and that of the weights to different memory. Were they one, the first would
/// stay as long as the second.
#[test]
fn the_floor_of_a_recurrent_net_is_its_weights_and_their_gradients() {
    for net in [
        "torch.nn.LSTM(64, 128, batch_first=True)",
        "torch.nn.GRU(64, 128, num_layers=2, bidirectional=True, batch_first=True)",
        "torch.nn.RNN(64, 128, batch_first=True)",
        "torch.nn.MultiheadAttention(64, 4, batch_first=True)",
    ] {
        let source = format!(
            "import torch
net = {net}.to('cuda')
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(32, 20, 64, device='cuda')
for step in range(3):
    optimizer.zero_grad()
    out = net(x, x, x)[0] if isinstance(net, torch.nn.MultiheadAttention) else net(x)[0]
    out.sum().backward()
    optimizer.step()
print(sum(p.nbytes for p in net.parameters()))
"
        );
        let run = run_once(python_on("model:t4", &source));
        let weights: u64 = run.output.trim().parse().unwrap();
        let memory = run.report.unwrap().memory.unwrap();
        // Each of them is rounded up to 512 bytes.
        let most = 2 * (weights + 16 * 512);
        assert!(memory.floor <= most, "{net}: {} over {most}", memory.floor);
    }
}

#[test]
fn relu_in_place_takes_no_memory() {
    let run = run_on(
        "t4",
        r#"
import torch
x = torch.ones(1024, 1024, device="cuda", requires_grad=True)
y = x * 2
before = torch.cuda.memory_allocated()
z = torch.nn.ReLU(inplace=True)(y)
print(torch.cuda.memory_allocated() - before, z is y)
z.sum().backward()
print(x.grad.sum().item() / 2**20)
"#,
    );
    assert_eq!(run.output, "0 True\n2.0\n");
}

#[test]
fn masked_fill_is_a_copy_and_a_kernel_that_fills_it() {
    let run = run_on(
        "t4",
        r#"
import torch
x = torch.rand(1024, 1024, device="cuda", requires_grad=True)
mask = x.detach() > 0.5
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
y = x.masked_fill(mask, 3.0)
print((torch.cuda.max_memory_allocated() - before) >> 20, y.grad_fn.name())
y.sum().backward()
print(bool((x.grad == ~mask).all()), bool((y[mask] == 3).all()))
"#,
    );
    assert_eq!(run.output, "4 MaskedFillBackward0\nTrue True\n");
    let kernels = names(kernels(&run));
    assert!(
        kernels.starts_with("random detach gt clone masked_fill sum ")
            || kernels.starts_with("random gt clone masked_fill sum "),
        "{kernels}"
    );
    assert_eq!(kernels.matches("clone masked_fill").count(), 2, "{kernels}");
}

#[test]
fn queries_keys_and_values_are_activations() {
    for weights in ["True", "False"] {
        let source = format!(
            "import torch
net = torch.nn.MultiheadAttention(128, 4, batch_first=True).to('cuda')
x = torch.randn(320, 20, 128, device='cuda')
out = net(x, x, x, need_weights={weights})[0]
print(x.nbytes)
"
        );
        let run = run_once(python_on("model:t4", &source));
        let input: u64 = run.output.trim().parse().unwrap();
        let held = run.report.unwrap().memory.unwrap().peak;
        assert!(held.activations >= 3 * input, "{held:?}");
        assert_eq!((held.inputs, held.gradients), (input, 0));
    }
}
