//! The tour: a first run, step by step.

use super::Play;
use super::lab::play_run;
use crate::app::Event;
use ratatui::crossterm::event::KeyCode;
use warpup_course::Course;
use warpup_protocol::{Clock, DeviceInfo, Outcome};

fn device(name: &str, title: &str) -> DeviceInfo {
    DeviceInfo {
        name: name.parse().unwrap(),
        title: title.to_owned(),
        clock: Clock::Modelled,
        memory_bytes: None,
    }
}

/// The map of the sample course, where a modelled card can be chosen.
fn map(width: u16, height: u16) -> Play {
    let mut play = Play::new(width, height);
    play.send(Event::Devices(vec![
        device("cpu", "CPU, 2 threads"),
        device("model:t4", "Tesla T4 (modelled)"),
    ]));
    play
}

/// What the tour says: the lines above the title, as one.
fn said(play: &Play) -> String {
    let screen = play.screen();
    let lines = screen.lines().map(str::trim);
    let above: Vec<_> = lines.take_while(|it| !it.starts_with("lab · ")).collect();
    above.join(" ")
}

/// The sentences of the tour for somebody who does what they say.
fn taken(play: &mut Play) -> String {
    let mut sentences = Vec::new();
    play.keys("i");
    sentences.push(said(play));
    for step in ["r", "run", "d", "d\n", "r", "run", "o", "o", "o", "o"] {
        if step == "run" {
            play_run(play, Outcome::Done);
        } else {
            play.keys(step);
        }
        sentences.push(said(play));
    }
    sentences.dedup();
    sentences.join("\n")
}

#[test]
fn the_tour_leads_through_two_runs_to_the_timeline() {
    let mut play = map(80, 24);
    let before = play.screen();
    insta::assert_snapshot!(taken(&mut play), @"
    r runs this program on CPU, 2 threads. q ends the tour.
    It runs on CPU, 2 threads.
    Each line has its time now. d chooses another device.
    Go down to a modelled card, such as Tesla T4, and press Enter.
    r runs the same program on Tesla T4 (modelled).
    It runs on Tesla T4 (modelled).
    o goes from pane to pane: press it until the timeline is there.
    Host and card took turns; f shows the pane whole. That was the tour: Enter or q goes to the map.
    ");
    play.keys("q");
    let screen = play.screen();
    assert!(
        screen.starts_with("  warpup · CUDA, understood"),
        "{screen}"
    );
    assert_ne!(screen, before, "the lesson is begun now");
}

#[test]
fn the_tour_fits_a_small_terminal() {
    let mut play = map(40, 12);
    play.keys("i");
    insta::assert_snapshot!(play.screen(), @r#"
     r runs this program on CPU, 2 threads.
     q ends the tour.
    lab · Put it on the…   on CPU, 2 threads
                                placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)
    r runs this on CPU, 2 threads
    ──[task] output  checks  timeline›── ↓ 2
    It passes when
    ○ y is on the card
    r run  e edit  o pane  q back  ? help
    "#);
    let mut play = map(40, 12);
    insta::assert_snapshot!(taken(&mut play), @"
    r runs this program on CPU, 2 threads. q ends the tour.
    It runs on CPU, 2 threads.
    Each line has its time now. d chooses another device.
    Go down to a modelled card, such as Tesla T4, and press Enter.
    r runs the same program on Tesla T4 (modelled).
    It runs on Tesla T4 (modelled).
    o goes from pane to pane: press it until the timeline is there.
    Host and card took turns; f shows the pane whole. That was the tour: Enter or q goes to the map.
    ");
}

#[test]
fn on_the_tour_enter_takes_the_device_of_the_list_and_leads_to_the_map_at_the_end() {
    let mut play = map(80, 24);
    play.keys("ir");
    play_run(&mut play, Outcome::Done);
    assert!(play.screen().contains("Enter map"), "{}", play.screen());
    play.keys("d");
    assert!(play.screen().contains("Enter use it"), "{}", play.screen());
}

#[test]
fn a_learner_who_leaves_the_lab_leaves_the_tour() {
    let mut play = map(80, 24);
    let map = play.screen();
    play.keys("i").press(KeyCode::Esc);
    assert_eq!(play.screen(), map);
    // It begins again: runs from before do not count.
    play.keys("ir");
    play_run(&mut play, Outcome::Done);
    play.keys("qi");
    insta::assert_snapshot!(said(&play), @"r runs this program on CPU, 2 threads. q ends the tour.");
    // The help and its sentence do not end it.
    play.keys("??");
    insta::assert_snapshot!(said(&play), @"r runs this program on CPU, 2 threads. q ends the tour.");
}

#[test]
fn a_course_without_labs_has_no_tour() {
    let (course, _): (Course, _) = warpup_course::sample::changed(|file, text| match file {
        "lessons/course.toml" => text.to_owned(),
        _ => String::new(),
    });
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("i");
    let screen = play.screen();
    let last = screen.lines().last().unwrap_or("").trim();
    insta::assert_snapshot!(last, @"This course has no lab to run.");
}
