//! The doctor's screen.

use super::Play;
use crate::app::Event;
use crate::effect::Effect;
use crate::session::DoctorState;
use ratatui::crossterm::event::KeyCode;
use warpup_doctor::{Evidence, Report, climb};

/// A machine with a card whose driver is nouveau.
fn nouveau() -> Report {
    climb(&evidence(
        r#"{ "host": { "os": "linux" },
             "driver": { "pci": [{ "address": "0000:01:00.0", "device": "0x2684", "module": "nouveau" }] },
             "nvml": { "came": "failed", "fault": "no_library", "why": "libnvidia-ml.so.1: cannot open shared object file" },
             "smi": { "came": "missing" } }"#,
    ))
}

/// A machine without a card.
fn laptop() -> Report {
    climb(&evidence(r#"{ "host": { "os": "linux" } }"#))
}

fn evidence(json: &str) -> Evidence {
    serde_json::from_str(json).unwrap()
}

#[test]
fn the_doctor_is_opened_from_the_map_and_looks_in_the_background() {
    let mut play = Play::new(80, 24);
    play.keys("d");
    assert_eq!(play.effects.last(), Some(&Effect::RunDoctor));
    let screen = play.screen();
    assert!(screen.contains("looking …"), "{screen}");
    // Keys are answered meanwhile, and nothing is started twice.
    play.keys("rqd");
    let looks = play.effects.iter().filter(|it| **it == Effect::RunDoctor);
    assert_eq!(looks.count(), 1);
}

#[test]
fn a_broken_rung_is_told_with_its_evidence_and_those_above_it_in_one_line() {
    let mut play = Play::new(80, 24);
    play.keys("d")
        .send(Event::Doctor(DoctorState::Done(nouveau())));
    insta::assert_snapshot!(play.screen(), @"
    From a program to the card                                  lines 1–20 of 29

    Broken: the driver. The card is driven by nouveau, which has no CUDA.
    Next: install NVIDIA's driver from the distribution (`ubuntu-drivers
    install`, `dnf install akmod-nvidia`); it replaces nouveau

    ✓ ok        an NVIDIA card: There is one.
    ✗ broken    the driver
                The card is driven by nouveau, which has no CUDA.
                looked at: NVML (libnvidia-ml.so.1), in a process of its own;
                /proc/driver/nvidia/version, /proc/modules, /dev/nvidia*
                found: nvidia-smi is not on PATH
                found: NVML: libnvidia-ml.so.1: cannot open shared object file
                found: 0000:01:00.0 is driven by nouveau
                try: install NVIDIA's driver from the distribution
                (`ubuntu-drivers install`, `dnf install akmod-nvidia`); it
                replaces nouveau
                try: restart the machine

    ·           not looked at (needs: the driver): the CUDA that the driver
                supports; libcuda, the driver's library; warpup's CUDA worker;
                MIG; the cards that CUDA shows; compute capability; a context on
                                                                             ↓ 9
    r look again   Enter details   q back   ? help
    ");
}

#[test]
fn on_a_small_screen_the_sentence_and_the_next_step_come_first() {
    let mut play = Play::new(40, 12);
    play.keys("d")
        .send(Event::Doctor(DoctorState::Done(nouveau())));
    insta::assert_snapshot!(play.screen(), @"
    From a program to the…  lines 1–10 of 39
    Broken: the driver. The card is driven
    by nouveau, which has no CUDA.
    Next: install NVIDIA's driver from the
    distribution (`ubuntu-drivers install`,
    `dnf install akmod-nvidia`); it replaces
    nouveau

    ✓ ok: an NVIDIA card
    ✗ broken: the driver
      The card is driven by nouveau, which
    r look again  q back  ? help        ↓ 29
    ");
}

#[test]
fn a_laptop_without_a_card_is_not_broken() {
    let mut play = Play::new(80, 24);
    play.keys("d")
        .send(Event::Doctor(DoctorState::Done(laptop())));
    insta::assert_snapshot!(play.screen(), @"
    From a program to the card

    Nothing is broken. This machine has no NVIDIA card. Labs run on the CPU and
    on modelled cards.

    – not here  an NVIDIA card: This machine has no NVIDIA card.
    ·           not looked at (needs: an NVIDIA card): the driver; the CUDA that
                the driver supports; libcuda, the driver's library; warpup's
                CUDA worker; MIG; the cards that CUDA shows; compute capability;
                a context on the card; one kernel; one copy each way; memory
                counters
    – not here  toolkit, cuDNN, NCCL: No toolkit is installed; labs need none.
    ✓ ok        CUDA_HOME, LD_LIBRARY_PATH, PATH: CUDA_HOME and LD_LIBRARY_PATH
                are not set, and no nvcc is on PATH: labs need none of them.
    – not here  container: This is not a container, and none can be started
                here.
    – not here  WSL: This is not Linux inside Windows.
    ·           not looked at (needs: an NVIDIA card): persistence; who else is
                on the card




    r look again   Enter details   q back   ? help
    ");
}

#[test]
fn what_is_known_before_the_worker_answers_is_shown_while_it_looks() {
    let mut play = Play::new(80, 24);
    play.keys("d")
        .send(Event::Doctor(DoctorState::Running(Some(nouveau()))));
    let screen = play.screen();
    assert!(
        screen.contains("looking …") && screen.contains("nouveau"),
        "{screen}"
    );
}

#[test]
fn details_are_shown_on_demand_and_looking_again_keeps_what_was_found() {
    let mut play = Play::new(80, 24);
    play.keys("d")
        .send(Event::Doctor(DoctorState::Done(laptop())));
    assert!(!play.screen().contains("looked at: the PCI bus"));
    play.press(KeyCode::Enter);
    assert!(play.screen().contains("looked at: the PCI bus"));
    play.keys("r");
    assert_eq!(play.effects.last(), Some(&Effect::RunDoctor));
    let screen = play.screen();
    assert!(
        screen.contains("looking …") && screen.contains("no NVIDIA card"),
        "{screen}"
    );
}

#[test]
fn a_look_that_fails_is_told() {
    let mut play = Play::new(80, 24);
    play.keys("d").send(Event::Doctor(DoctorState::Failed(
        "no such file".to_owned(),
    )));
    assert!(play.screen().contains("could not look: no such file"));
}
