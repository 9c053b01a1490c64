//! A training step works on the card alone: no value is read, and nothing is copied or computed on the host.

use crate::card_runs::run;
use crate::support::lab_runner::outcome;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use warpup_protocol::{HostWork, HostWorkKind, Lane, Outcome, Span};

/// Operations that still take candle's kernels. Those read the sizes and the strides of a view from the card's memory, so that
/// each launch copies some bytes there first; PyTorch passes them to the kernel.
const CANDLES: [&str; 16] = [
    "_cudnn_rnn",
    "_cudnn_rnn_backward",
    "add",
    "addmm",
    "batch_norm_stats",
    "bitwise_not",
    "convolution",
    "convolution_backward",
    "embedding",
    "fill",
    "masked_fill",
    "mean",
    "native_batch_norm",
    "native_batch_norm_backward",
    "ne",
    "sum",
];

/// The most bytes of the sizes and strides of a tensor, of eight dimensions.
const SIZES: u64 = 128;

/// Attention makes its mask on the host, so far.
const MASKS: [&str; 2] = [
    "scaled_dot_product_attention",
    "scaled_dot_product_attention_backward",
];

fn is_of_candles_kernels(work: &HostWork) -> bool {
    let name = &*work.operation;
    let is_small = work.bytes <= SIZES * work.times;
    let is_expected = CANDLES.contains(&name) && is_small || MASKS.contains(&name);
    work.what == HostWorkKind::CopiedToDevice && is_expected
}

/// How often the host copied, waited, or computed what a card's kernel should, by what the trace and the report call it.
fn work_of_the_host(source: &str) -> BTreeMap<String, usize> {
    let run = run(source);
    assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
    assert!(!run.output.contains("False"), "{}", run.output);
    let mut counts = BTreeMap::new();
    let told = run.spans.iter().filter(|it| match it.lane {
        Lane::Kernel => false,
        Lane::Host => it.name.starts_with(Span::ON_HOST),
        Lane::CopyToDevice | Lane::CopyToHost => true,
    });
    for span in told {
        *counts
            .entry(format!("{:?} {}", span.lane, span.name))
            .or_default() += 1;
    }
    // Copies within operations, which only CUPTI sees.
    let hidden = run.report.iter().flat_map(|it| &it.host_work);
    let hidden = hidden.filter(|it| it.what != HostWorkKind::Computed);
    for it in hidden.filter(|it| !is_of_candles_kernels(it)) {
        let name = format!("{:?} within {}", it.what, it.operation);
        *counts.entry(name).or_default() += usize::try_from(it.times).unwrap();
    }
    counts
}

#[test]
fn three_steps_of_training_copy_and_wait_no_more_than_one() {
    let folder = Path::new("tests/fixtures/training");
    let mut wrong = Vec::new();
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 4);
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let once = work_of_the_host(&source);
        let thrice = work_of_the_host(&source.replace("STEPS = 1", "STEPS = 3"));
        if once != thrice {
            wrong.push(format!(
                "{}: one step {once:?}, three {thrice:?}",
                file.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
