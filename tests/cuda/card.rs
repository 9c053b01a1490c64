//! Runs on a card, by the executable that is installed for it.

use crate::labs::{Labs, python};
use std::process::{Command, Output};
use std::sync::LazyLock;
use warpup::lab::run::Run;
use warpup::protocol::{DeviceName, Probe, RunRequest};

pub(crate) const WORKER: &str = env!("CARGO_BIN_EXE_warpup-worker-cuda");

/// An engine whose workers are those for cards.
pub(crate) fn labs() -> Labs {
    Labs::with_worker(WORKER, &[])
}

/// The same, with workers whose stand-in is asked for something.
pub(crate) fn labs_where(wish: &str) -> Labs {
    Labs::with_worker("env", &[&format!("STAND_IN_CUDA={wish}"), WORKER])
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
