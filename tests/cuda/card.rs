//! Runs on a card, by the executable that is installed for it.

use crate::labs::{Labs, python};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Duration;
use warpup::lab::engine::cards::CardWorker;
use warpup::lab::engine::{Launch, Workers};
use warpup::lab::run::Run;
use warpup::protocol::{DeviceName, Probe, RunRequest};

pub(crate) const WORKER: &str = env!("CARGO_BIN_EXE_warpup-worker-cuda");

/// An engine with both workers: that for cards, and warpup's own.
pub(crate) fn labs() -> Labs {
    labs_where("")
}

/// The same, with the stand-in asked for something.
pub(crate) fn labs_where(wish: &str) -> Labs {
    let own = Launch {
        program: env!("CARGO_BIN_EXE_warpup").into(),
        arguments: vec!["worker".to_owned()],
        environment: Vec::new(),
    };
    let launch = Launch {
        program: WORKER.into(),
        arguments: Vec::new(),
        environment: vec![("STAND_IN_CUDA".to_owned(), wish.into())],
    };
    let cards = CardWorker {
        launch,
        ready: Duration::from_mins(1),
        linger: Duration::from_secs(10),
        memory_cap: None,
    };
    Labs::with_workers(Workers {
        own,
        cards: Ok(cards),
    })
}

/// A program on the first card.
pub(crate) fn on_a_card(source: impl Into<String>) -> RunRequest {
    RunRequest {
        device: DeviceName::Cuda(0),
        ..python(source)
    }
}

/// A program's run on the first card, in a worker of its own.
pub(crate) fn run(source: &str) -> Run {
    labs().run(on_a_card(source))
}

/// What `warpup-worker-cuda probe` says, with the stand-in asked for something or nothing.
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
    let said = String::from_utf8(stdout).unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_str(&said).unwrap()
}

/// Whether it is the stand-in, which can be asked to fail.
pub(crate) fn is_stand_in() -> bool {
    static NAME: LazyLock<bool> = LazyLock::new(|| {
        let found = probe("");
        found.cards.iter().any(|it| it.name.starts_with("Stand-in"))
    });
    *NAME
}
