//! The calls that wait for a card, and those that do not, each behind work that keeps the card busy. They are those
//! that PyTorch's notes on CUDA (*CUDA semantics*, *Performance tuning guide*) call synchronizing.

use warpup_lab::run::Run;
use warpup_protocol::WaitCause::{
    Branch, Compare, CopyToDevice, CopyToHost, Event, Item, Nonzero, Print, Scaler, Stream,
    Synchronize, Tensor, Tolist,
};
use warpup_protocol::{Lane, Span, WaitCause};

/// Each call, and why it waits.
pub(crate) const CALLS: &[(&str, Option<WaitCause>)] = &[
    ("loss.item()", Some(Item)),
    ("float(loss)", Some(Item)),
    // Control flow that depends on a tensor.
    ("if loss > 1: pass", Some(Branch)),
    ("torch.equal(x, x)", Some(Compare)),
    ("torch.allclose(x, x)", Some(Compare)),
    ("x.tolist()", Some(Tolist)),
    ("print(x)", Some(Print)),
    // A result whose size depends on values.
    ("x.nonzero()", Some(Nonzero)),
    ("x[mask]", Some(Nonzero)),
    // The positions are found on the CPU, and copied from pinned memory.
    ("x[host > 0]", None),
    ("x[host > 0] = 2.0", None),
    ("torch.masked_select(x, mask)", Some(Nonzero)),
    ("torch.unique(x)", Some(Nonzero)),
    ("x.cpu()", Some(CopyToHost)),
    ("x.to('cpu')", Some(CopyToHost)),
    ("host.copy_(x)", Some(CopyToHost)),
    ("host.copy_(x, non_blocking=True)", Some(CopyToHost)),
    ("pinned.copy_(x)", Some(CopyToHost)),
    // From pageable memory a copy waits even if it is asked not to.
    ("host.cuda()", Some(CopyToDevice)),
    ("host.to('cuda')", Some(CopyToDevice)),
    ("host.to('cuda', non_blocking=True)", Some(CopyToDevice)),
    ("x.copy_(host)", Some(CopyToDevice)),
    ("pinned.to('cuda')", Some(CopyToDevice)),
    ("pinned.to('cuda', non_blocking=True)", None),
    // It copies a list from pageable memory.
    ("torch.tensor([1.0], device='cuda')", Some(Tensor)),
    ("torch.zeros(3, device='cuda')", None),
    ("torch.cuda.synchronize()", Some(Synchronize)),
    ("event.synchronize()", Some(Event)),
    ("stream.synchronize()", Some(Stream)),
    ("event.query()", None),
    ("side.synchronize()", None),
    ("scaler.unscale_(optimizer)", None),
    ("scaler.step(optimizer)", Some(Scaler)),
    // No value is needed.
    ("x.shape, loss.detach(), loss * 2, x + x", None),
    ("torch.where(mask, x, 0)", None),
];

/// A program that queues work on line 15, and makes the call on line 17.
pub(crate) fn program(work: &str, call: &str) -> String {
    format!(
        "import torch

big = torch.ones(4096, 4096, device='cuda')
x = torch.tensor([3.0, -1.0, 2.0], device='cuda')
mask, loss = x > 0, x.sum()
host, pinned = torch.ones(3), torch.ones(3).pin_memory()
event, stream = torch.cuda.Event(), torch.cuda.current_stream()
side = torch.cuda.Stream()
weight = torch.ones(3, device='cuda', requires_grad=True)
weight.grad = torch.ones(3, device='cuda')
optimizer, scaler = torch.optim.SGD([weight]), torch.amp.GradScaler()
unused = torch.ones(4096, 4096, device='cuda')
del unused
torch.cuda.synchronize()
{work}
event.record()
{call}
"
    )
}

/// The lines of the work and of the call.
const WORK: u32 = 15;
const CALL: u32 = 17;

/// How the waits of such a run differ from what the table says; nothing if they do not.
pub(crate) fn waits_as_said(run: &Run, cause: Option<WaitCause>) -> Option<String> {
    let Some(report) = &run.report else {
        return Some("it has no report".to_owned());
    };
    let line = report.lines.iter().find(|it| it.line == CALL);
    let Some(cause) = cause else {
        let waited = line.map_or(0, |it| it.wait_ns);
        return (waited > 0).then(|| format!("it waits {waited} ns"));
    };
    let mut waits = host_spans(run).filter(|it| it.line == CALL && it.name == Span::WAIT);
    let Some(first) = waits.next() else {
        return Some("it does not wait".to_owned());
    };
    if first.cause != cause {
        return Some(format!("it waits for {:?}", first.cause));
    }
    let mut waits = report.gaps.iter().flat_map(|it| &it.waits);
    let Some(wait) = waits.find(|it| it.line == CALL) else {
        return Some("the report has no such wait".to_owned());
    };
    (wait.most_line != WORK).then(|| format!("it waits for line {}", wait.most_line))
}

pub(crate) fn host_spans(run: &Run) -> impl Iterator<Item = &Span> {
    run.spans.iter().filter(|it| it.lane == Lane::Host)
}
