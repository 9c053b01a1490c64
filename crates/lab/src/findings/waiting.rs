//! Waits that leave the device idle: the host reads a value, and has nothing queued when it goes on.

use super::finding::{Evidence, Finding};
use super::page::Page;
use super::scale::{Scale, often};
use serde::Serialize;

/// From this share of a step on, in percent.
const PERCENT: i64 = 5;

/// What asked for a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// `.item()`, `float(tensor)`: the host reads one value.
    Item,
    /// `print(tensor)`. A trace shows it as a copy to the host.
    Print,
    /// `if tensor`, `bool(tensor)`: Python has to choose a branch.
    Branch,
    /// `x[mask]`, `nonzero()`, `unique()`: the shape of the result depends on values.
    Shape,
    /// `torch.equal`, `allclose`: a comparison whose result the host gets.
    Compare,
    /// `torch.tensor(0.1, device=device)`: a constant comes from the host.
    Constant,
    /// `.cpu()`, `.to("cpu")`: values go to the host.
    CopyToHost,
    /// `.to(device)` of pageable memory: the call ends when the copy has ended.
    CopyToDevice,
    /// `torch.cuda.synchronize()`, `event.synchronize()`: the program asks for it.
    Synchronize,
    /// Another operator.
    Operator,
}

impl WaitReason {
    /// What a learner writes that waits so.
    pub fn words(self) -> &'static str {
        match self {
            Self::Item => "`.item()`",
            Self::Print => "printing",
            Self::Branch => "`if` on a tensor",
            Self::Shape => "a mask or `nonzero()`",
            Self::Compare => "a comparison of tensors",
            Self::Constant => "`torch.tensor(…, device=…)` of a constant",
            Self::CopyToHost => "a copy to the host",
            Self::CopyToDevice => "a copy to the device",
            Self::Synchronize => "`synchronize()`",
            Self::Operator => "an operator",
        }
    }

    /// The id of the finding.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Item => "wait-item",
            Self::Print => "wait-print",
            Self::Branch => "wait-branch",
            Self::Shape => "wait-shape",
            Self::Compare => "wait-compare",
            Self::Constant => "wait-constant",
            Self::CopyToHost => "wait-copy-to-host",
            Self::CopyToDevice => "wait-copy-to-device",
            Self::Synchronize => "wait-synchronize",
            Self::Operator => "wait-operator",
        }
    }

    fn page(self) -> Page {
        match self {
            Self::Item | Self::Print | Self::Operator => Page::EVERY_STEP,
            Self::Branch | Self::Shape | Self::Compare | Self::Constant => Page::HIDDEN,
            Self::CopyToHost | Self::CopyToDevice => Page::RULE,
            Self::Synchronize => Page::GAP,
        }
    }

    fn try_first(self) -> &'static str {
        match self {
            Self::Item => "keep `loss.detach()` on the device, and read it in every hundredth step",
            Self::Print => "print in every hundredth step",
            Self::Branch => {
                "let a kernel choose (`torch.where`, `clamp`), or test in every hundredth step"
            }
            Self::Shape => "use `torch.where` or a product with the mask, whose shape is known",
            Self::Compare => "compare in a test, not in the loop",
            Self::Constant => {
                "make it once, before the loop, or with `torch.full`, which is a kernel"
            }
            Self::CopyToHost => {
                "leave the values on the device, and copy them once, after the loop"
            }
            Self::CopyToDevice => "pin the batch, and copy with `non_blocking=True`",
            Self::Synchronize => {
                "remove `synchronize()` from the loop; time a whole loop, with a wait at both ends"
            }
            Self::Operator => "ask whether the host needs this value now, and in every step",
        }
    }
}

/// What the waits for one reason cost in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitCost {
    /// The reason.
    pub reason: WaitReason,
    /// How long the device is idle after them.
    pub idle_ns: i64,
    /// In how many gaps.
    pub gaps: f64,
    /// How many waits.
    pub waits: f64,
    /// How long they take the host.
    pub wait_ns: i64,
    /// What a step could save at most.
    pub saved_ns: i64,
    /// Where most of it is.
    pub place: Option<String>,
}

/// The finding of waits that cost enough. Those for copies to the device are findings about copies.
pub fn wait(scale: &Scale, cost: WaitCost) -> Option<Finding> {
    let WaitCost { reason, .. } = cost;
    // One in a while is what the course recommends.
    if !scale.is_much(cost.saved_ns, PERCENT) || cost.waits < 0.5 {
        return None;
    }
    Some(Finding {
        id: reason.id(),
        sentence: format!(
            "{} the host waits for the device {} ({}), and leaves it idle for {}: nothing is queued when the host goes on",
            scale.scope_of(cost.gaps),
            often(cost.waits),
            reason.words(),
            scale.of_step(cost.idle_ns)
        ),
        place: cost.place,
        try_first: reason.try_first(),
        page: reason.page(),
        saved_ns: cost.saved_ns,
        evidence: vec![
            Evidence::ns("device_idle_ns_per_step", cost.idle_ns),
            Evidence::ns("host_wait_ns_per_step", cost.wait_ns),
            Evidence::new("waits_per_step", cost.waits),
            Evidence::new("gaps_per_step", cost.gaps),
        ],
    })
}
