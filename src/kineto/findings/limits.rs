//! What a trace cannot show, because it was not recorded.

use crate::kineto::analysis::Analysis;
use crate::kineto::sources::Precision;

/// A sentence for each thing that is missing, with what would record it.
pub(super) fn sentences(analysis: &Analysis) -> Vec<String> {
    let mut said = Vec::new();
    let has_device = analysis.device.is_some();
    if !has_device {
        said.push("no work of a card was recorded: nothing about launches, streams, copies and idle time (`ProfilerActivity.CUDA`)");
    }
    if !analysis.has_steps {
        said.push(
            "no steps are marked, so the whole trace counts as one: call `prof.step()` after each",
        );
    }
    match analysis.precision {
        Precision::Lines => {}
        Precision::Functions => said.push(
            "a line is the one on which a function begins: PyTorch writes the line of a call from 2.15 on",
        ),
        Precision::Nothing => {
            said.push("no Python functions were recorded, so no line has a name (`with_stack=True`)");
        }
    }
    if !analysis.has_shapes {
        said.push("no shapes were recorded, so no arithmetic and no bytes a second of operators (`record_shapes=True`)");
    }
    if analysis.memory.is_empty() {
        said.push("no memory was recorded (`profile_memory=True`)");
    }
    if analysis.loading.is_none() {
        said.push(if has_device {
            "no `DataLoader` was recorded: time that another loader takes looks like late launches"
        } else {
            "no `DataLoader` was recorded: time that another loader takes has no name"
        });
    }
    if has_device && analysis.queues.is_empty() {
        said.push("no launch belongs to the work of the card, so idle time has no cause");
    }
    if analysis.streams.len() > 1 {
        said.push("which stream waits for which: a gap that was queued in time may be such a wait");
    }
    said.into_iter().map(ToOwned::to_owned).collect()
}
