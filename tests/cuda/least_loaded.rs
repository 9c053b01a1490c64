//! `auto`: the least loaded of several cards, those that a policy allows, and neighbours on a card.
//!
//! The loads are those of the stand-in for NVML, so these tests say nothing of a real driver.

use crate::card_runs::WORKER;
use crate::support::request::python_on;
use crate::support::stand_in_nvml::LIBRARY;
use crate::support::worker_process::WorkerProcess;
use std::env;
use std::process::Command;
use tempfile::TempDir;
use warpup_protocol::{Contention, Reply, Report, Request, RunRequest};

/// The cards of the stand-in are numbered by the last digit.
const UUID: &str = "GPU-7374616e-642d-696e-2d63-6172642d303";

/// A worker on a machine with four cards, with these loads and arguments.
struct Machine<'a> {
    loads: &'a str,
    visible: Option<&'a str>,
    arguments: &'a [&'a str],
}

impl Machine<'_> {
    /// What is said of the devices, and of a run: the card that it got, and the report.
    fn run(&self, device: &str, timed: bool) -> (String, Option<String>, Report) {
        let folder = TempDir::new().unwrap();
        let inherited = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let inherited = env::split_paths(&inherited);
        let folders = [LIBRARY.path().to_owned()].into_iter().chain(inherited);
        let mut command = Command::new(WORKER);
        command
            .args(self.arguments)
            .env("WARPUP_TURNS", folder.path())
            .env("STAND_IN_CUDA", "cards=4")
            .env("STAND_IN_NVML_LOADS", self.loads)
            .env("LD_LIBRARY_PATH", env::join_paths(folders).unwrap());
        if let Some(visible) = self.visible {
            command.env("CUDA_VISIBLE_DEVICES", visible);
        }
        let mut worker = WorkerProcess::spawn(&mut command);
        worker.send_hello();
        let Reply::Hello { devices, .. } = worker.reply() else {
            panic!("no hello");
        };
        let devices: Vec<_> = devices.iter().map(|it| it.name.to_string()).collect();
        worker.send(&Request::Run(RunRequest {
            timed,
            ..python_on(
                device,
                "import torch\nprint(torch.ones(2).to('cuda').sum())\n",
            )
        }));
        let first = worker.reply();
        let (card, last) = if let Reply::Started { device, .. } = first {
            (Some(device.name.to_string()), worker.last_reply())
        } else {
            (None, first)
        };
        let Reply::Finished { report, .. } = last else {
            panic!("it does not end: {last:?}");
        };
        (devices.join(" "), card, report)
    }
}

#[test]
fn a_run_takes_the_least_loaded_card_and_says_which() {
    let machine = Machine {
        loads: "9:0:1 3:80:1 3:2:1 12:0:0",
        visible: None,
        arguments: &[],
    };
    let (devices, card, report) = machine.run("auto", false);
    assert_eq!(devices, "cuda cuda:1 cuda:2 cuda:3");
    assert_eq!(card.as_deref(), Some("cuda:2"));
    let said = report.notes.join("\n");
    assert!(said.contains("auto: cuda:2 ("), "{said}");
    assert!(said.contains(&format!("{UUID}2")), "{said}");
    assert!(
        said.contains("the least loaded of 4 cards: 3.0 of 16.0 GiB in use, 2 % busy"),
        "{said}"
    );
    // Only times suffer from neighbours.
    assert_eq!(report.contended, []);
}

#[test]
fn hidden_cards_are_not_taken() {
    let machine = Machine {
        loads: "9:0:1 3:80:1 0:0:0 5:0:0",
        visible: Some("0,3"),
        arguments: &[],
    };
    let (devices, card, report) = machine.run("auto", false);
    assert_eq!(devices, "cuda cuda:1");
    assert_eq!(card.as_deref(), Some("cuda:1"));
    assert!(report.notes.join("").contains(&format!("{UUID}3")));
}

#[test]
fn a_policy_leaves_some_cards_and_numbers_count_those() {
    let cards = format!("--cards={UUID}1,{UUID}3");
    let machine = Machine {
        loads: "0:0:0 9:0:0 0:0:0 5:0:0",
        visible: None,
        arguments: &[&cards],
    };
    let (devices, card, report) = machine.run("auto", false);
    assert_eq!(
        (devices.as_str(), card.as_deref()),
        ("cuda cuda:1", Some("cuda:1"))
    );
    assert!(report.notes.join("").contains(&format!("{UUID}3")));
    let (_, card, report) = machine.run("cuda:2", false);
    assert_eq!(card, None);
    let said = format!("{:?}", report.outcome);
    assert!(
        said.contains("the policy of this machine allows no such card"),
        "{said}"
    );
}

#[test]
fn a_timed_run_beside_others_is_marked() {
    let with = |loads| {
        let machine = Machine {
            loads,
            visible: Some("0"),
            arguments: &[],
        };
        let (_, _, report) = machine.run("cuda", true);
        let said = report.contended.into_iter().map(Contention::words);
        said.collect::<Vec<_>>().join("; ")
    };
    assert_eq!(with("3:0:0"), "");
    assert_eq!(
        with("3:42:2"),
        "2 other processes were on its card, and the card was 42 % busy before it began"
    );
}

#[test]
fn without_nvml_some_card_is_taken_and_the_note_says_that_nothing_is_known() {
    let machine = Machine {
        loads: "",
        visible: Some("1,2"),
        arguments: &[],
    };
    let (_, card, report) = machine.run("auto", true);
    assert!(card.is_some());
    assert!(
        report
            .notes
            .join("")
            .contains("the driver does not say how loaded they are")
    );
    assert_eq!(report.contended, []);
}
