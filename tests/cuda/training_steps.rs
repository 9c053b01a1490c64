//! A training step works on the card alone: no value is read, and nothing is copied or computed on the host.

use crate::card_runs::run;
use crate::support::lab_runner::outcome;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use warpup_protocol::{HostWorkKind, Lane, Outcome, Span};

/// How often the host copied, waited, or computed what a card's kernel should, by what the trace and the report call it.
fn work_of_the_host(source: &str) -> BTreeMap<String, usize> {
    let run = run(source);
    assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
    assert!(!run.output.contains("False"), "{}", run.output);
    let mut counts = BTreeMap::new();
    let told = run.spans.iter().filter(|it| match it.lane {
        Lane::Kernel | Lane::Pinning | Lane::Worker(_) => false,
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
    for it in hidden {
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
