//! A card draws its numbers itself: kernels under PyTorch's names, and no copy.

use crate::card_runs::run;
use crate::support::lab_runner::outcome;
use warpup_protocol::{Lane, Outcome};

#[test]
fn what_is_made_of_numbers_is_made_by_kernels() {
    let run = run(r#"import torch
import torch.nn.functional as F
x = torch.rand(100, device="cuda")
x.normal_()
x.bernoulli_(0.5)
torch.randint(0, 9, (100,), device="cuda")
y = F.dropout(x.detach().requires_grad_(), 0.5)
y.backward(torch.ones_like(y))
torch.arange(100, device="cuda")
torch.linspace(0, 1, 100, device="cuda")
torch.eye(10, device="cuda")
torch.cuda.synchronize()
"#);
    assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
    let told: Vec<&str> = run
        .spans
        .iter()
        .filter(|it| it.lane != Lane::Host)
        .map(|it| it.name.as_str())
        .collect();
    insta::assert_snapshot!(told.join(" "), @"uniform_ normal_ bernoulli_ random_ native_dropout fill native_dropout arange linspace eye");
    let copied = run.spans.iter().any(|it| {
        matches!(it.lane, Lane::CopyToDevice | Lane::CopyToHost)
            || it.name.ends_with(" on the host")
    });
    assert!(!copied, "{told:?}");
}
