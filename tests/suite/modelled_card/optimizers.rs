//! How an optimizer's step runs on a card: its kernels, and what it holds beside the parameters.

use super::{kernels, kernels_of_line, run_on};
use warpup_lab::run::Run;

/// Two steps of an optimizer over ten parameters of 4 MiB; prints how many MiB the second one held at its peak.
fn stepped(optimizer: &str) -> Run {
    let source = format!(
        "import torch
weights = [torch.nn.Parameter(torch.ones(1024, 1024, device='cuda')) for _ in range(10)]
optimizer = torch.optim.{optimizer}
for step in range(2):
    for it in weights:
        it.grad = torch.ones_like(it)
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    optimizer.step()
print((torch.cuda.max_memory_allocated() - before) / 2**20)
"
    );
    run_on("a100", &source)
}

fn peak_mib(optimizer: &str) -> String {
    stepped(optimizer).output.trim().to_owned()
}

#[test]
fn the_step_that_pytorch_takes_by_default_holds_one_more_copy_of_the_parameters() {
    assert_eq!(peak_mib("AdamW(weights)"), "40.0");
    // The gradients with weight decay are given back before the denominators come.
    assert_eq!(peak_mib("Adam(weights, weight_decay=0.1)"), "40.0");
    assert_eq!(peak_mib("SGD(weights, weight_decay=0.1)"), "40.0");
    assert_eq!(peak_mib("RMSprop(weights, weight_decay=0.1)"), "80.0");
    assert_eq!(peak_mib("SGD(weights, momentum=0.9)"), "0.0");
}

#[test]
fn one_parameter_after_the_other_holds_little_and_a_fused_step_nothing() {
    assert_eq!(peak_mib("AdamW(weights, foreach=False)"), "8.0");
    assert_eq!(peak_mib("AdamW(weights, fused=True)"), "0.0");
    assert_eq!(peak_mib("SGD(weights, momentum=0.9, fused=True)"), "0.0");
}

#[test]
fn a_step_launches_few_kernels() {
    let launched = |optimizer: &str| kernels_of_line(&stepped(optimizer), 9);
    let foreach = launched("AdamW(weights)");
    let second: Vec<&str> = foreach.rsplit(' ').take(8).collect();
    insta::assert_snapshot!(second.into_iter().rev().collect::<Vec<_>>().join(" "), @"_foreach_mul_ _foreach_lerp_ _foreach_mul_ _foreach_addcmul_ _foreach_sqrt _foreach_div_ _foreach_add_ _foreach_addcdiv_");
    let fused = launched("AdamW(weights, fused=True)");
    assert_eq!(fused.matches("_fused_adamw_").count(), 2);
}

#[test]
fn a_scaler_unscales_all_gradients_in_one_launch_and_a_fused_step_waits_for_none() {
    let run = |gradient: &str, fused: &str| {
        let source = format!(
            "import torch
weights = [torch.nn.Parameter(torch.ones(64, 64, device='cuda')) for _ in range(10)]
optimizer, scaler = torch.optim.SGD(weights, lr=1.0, fused={fused}), torch.amp.GradScaler(init_scale=2.0)
for it in weights:
    it.grad = torch.full_like(it, {gradient})
scaler.unscale_(optimizer)
scaler.step(optimizer)
scaler.update()
print(weights[9][0, 0].item(), scaler.get_scale())
"
        );
        let run = run_on("a100", &source);
        let lines = &run.report.as_ref().unwrap().lines;
        let waits = lines.iter().filter(|it| it.line < 9 && it.wait_ns > 0);
        let waits: Vec<u32> = waits.map(|it| it.line).collect();
        let launched = kernels_of_line(&run, 6);
        format!("{launched}, lines that wait {waits:?}: {}", run.output)
    };
    let said = [
        run("2.0", "False"),
        run("2.0", "True"),
        run("torch.inf", "False"),
        run("torch.inf", "True"),
    ];
    insta::assert_snapshot!(said.concat(), @"
    _amp_foreach_non_finite_check_and_unscale_, lines that wait [7]: 0.0 2.0
    _amp_foreach_non_finite_check_and_unscale_, lines that wait []: 0.0 2.0
    _amp_foreach_non_finite_check_and_unscale_, lines that wait [7]: 1.0 1.0
    _amp_foreach_non_finite_check_and_unscale_, lines that wait []: 1.0 1.0
    ");
}

#[test]
fn every_way_of_a_step_gives_the_same_weights() {
    let source = "import torch
def trained(optimizer, **options):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 4)).cuda()
    optimizer = optimizer(model.parameters(), lr=0.01, weight_decay=0.1, **options)
    x = torch.randn(32, 8).cuda()
    for step in range(3):
        optimizer.zero_grad()
        (model(x) ** 2).mean().backward()
        optimizer.step()
    return torch.cat([it.detach().flatten() for it in model.parameters()])
optim = torch.optim
cases = [(optim.Adam, {}), (optim.Adam, {'amsgrad': True}), (optim.AdamW, {'maximize': True})]
cases += [(optim.SGD, {'momentum': 0.9, 'nesterov': True}), (optim.SGD, {'momentum': 0.9, 'dampening': 0.1})]
for make, options in cases:
    one = trained(make, foreach=False, **options)
    print(torch.allclose(one, trained(make, **options)), torch.allclose(one, trained(make, fused=True, **options)))
one = trained(optim.RMSprop, foreach=False, centered=True, momentum=0.5)
print(torch.allclose(one, trained(optim.RMSprop, centered=True, momentum=0.5)))
";
    let run = run_on("t4", source);
    assert_eq!(run.output, "True True\n".repeat(5) + "True\n");
    assert!(kernels(&run).count() > 0);
}

#[test]
fn gradients_in_a_backward_pass_are_not_inputs() {
    let source = "import torch
x = torch.randn(64, 64, device='cuda')
w = torch.nn.Parameter(torch.ones(64, 192, device='cuda'))
q, k, v = (x @ w).split(64, dim=1)
(q * k * v).sum().backward()
";
    let memory = run_on("t4", source).report.unwrap().memory.unwrap();
    let most = memory.over_time.iter().map(|it| it.held.inputs).max();
    assert_eq!(most, Some(64 * 64 * 4));
}
