//! Runs on a card, by the executable that is installed for it.

use crate::support::lab_runner::{LabRunner, launch};
use crate::support::request::python_on;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Duration;
use warpup_lab::engine::Launch;
use warpup_lab::engine::cards::CardWorker;
use warpup_lab::run::Run;
use warpup_protocol::{Probe, RunRequest};

pub(crate) const WORKER: &str = concat!(env!("CARGO_BIN_EXE_warpup"), "-worker-cuda");

/// An engine with the worker for cards and warpup's own.
pub(crate) fn runner() -> LabRunner {
    runner_with("")
}

/// The same, with `STAND_IN_CUDA` set for the stand-in.
pub(crate) fn runner_with(wish: &str) -> LabRunner {
    runner_in(&[("STAND_IN_CUDA", wish)])
}

/// The same, with these variables.
pub(crate) fn runner_in(environment: &[(&str, &str)]) -> LabRunner {
    let environment = environment.iter();
    let environment = environment.map(|(name, value)| ((*name).to_owned(), (*value).into()));
    LabRunner::with_card_worker(CardWorker {
        launch: Launch {
            environment: environment.collect(),
            ..launch(WORKER, &[])
        },
        ready_timeout: Duration::from_mins(1),
        linger: Duration::from_secs(10),
        launcher: None,
        memory_cap: None,
    })
}

/// A program on the first card.
pub(crate) fn on_a_card(source: impl Into<String>) -> RunRequest {
    python_on("cuda", source)
}

/// A program's run on the first card, in a worker of its own.
pub(crate) fn run(source: &str) -> Run {
    runner().run(on_a_card(source))
}

/// The output of `warpup-worker-cuda probe`, with `STAND_IN_CUDA` set for the stand-in.
pub(crate) fn probe(wish: &str) -> Probe {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(WORKER)
        .arg("probe")
        .env("STAND_IN_CUDA", wish)
        .output()
        .unwrap();
    let probe = String::from_utf8(stdout).unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_str(&probe).unwrap()
}

/// Whether the card is the stand-in, which can be told to fail.
pub(crate) fn is_stand_in() -> bool {
    static NAME: LazyLock<bool> = LazyLock::new(|| {
        let found = probe("");
        found.cards.iter().any(|it| it.name.starts_with("Stand-in"))
    });
    *NAME
}
