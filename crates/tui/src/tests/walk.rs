//! What a beginner tripped over, walking through the course.

use super::{Play, sample};
use crate::app::Event;
use ratatui::crossterm::event::KeyCode;
use warpup_course::kinds::{PredictForm, Prediction};
use warpup_course::{DeviceWish, LabId, LessonId, QuestionKind};
use warpup_grade::Score;
use warpup_progress::Event as Done;
use warpup_protocol::{
    Check, Clock, DeviceInfo, DeviceName, LineTime, Metric, Outcome, Reply, Report,
};

/// The first lab of the sample course, which asks for a device.
fn lab(wish: DeviceWish, done: Vec<Done>) -> Play {
    let mut course = sample::course();
    course.lessons[0].labs[0].device = wish;
    let mut play = Play::with(80, 24, course, done);
    play.keys("\nn\n");
    play
}

/// The first line of a screen, which names the device.
fn title(play: &Play) -> String {
    let screen = play.screen();
    let title = screen.lines().next().unwrap_or_default();
    title
        .split("  ")
        .last()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

fn status(play: &Play) -> String {
    play.screen()
        .lines()
        .skip(7)
        .take(2)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Replies of a run in which a check does not hold.
fn fail(play: &mut Play) {
    play.keys("r");
    let run = play.asked().run;
    let device = DeviceInfo {
        name: play.asked().device.clone(),
        title: "CPU, 2 threads".to_owned(),
        clock: Clock::Measured,
        memory_bytes: None,
    };
    play.reply(Reply::Started { run, device });
    let check = Check {
        name: "y is on the card".to_owned(),
        ok: false,
        hint: Some("what does `to` return?".to_owned()),
    };
    play.reply(Reply::Check { run, check });
    let line = |line| LineTime {
        line,
        hits: 1,
        host_ns: 12_000,
        wait_ns: 0,
        interrupted_ns: 0,
        worker_ns: 0,
        device_ns: None,
    };
    let report = Report {
        outcome: Outcome::Done,
        lines: vec![line(1), line(2)],
        ..Report::broken("")
    };
    play.reply(Reply::Finished { run, report });
}

#[test]
fn a_lab_that_was_passed_says_so_when_it_is_opened_again() {
    let ran = Done::Ran {
        lesson: LessonId::new("places"),
        lab: LabId::new("placement"),
        device: "cpu".to_owned(),
        passed: true,
        on: None,
        metrics: Vec::new(),
        unmet: None,
    };
    let play = lab(DeviceWish::Any, vec![ran]);
    insta::assert_snapshot!(status(&play), @"  ● passed on 1970-01-01; r runs it again, on CPU");
}

#[test]
fn devices_go_both_ways() {
    let mut play = lab(DeviceWish::Any, Vec::new());
    assert_eq!(title(play.keys("dd\n")), "on Tesla T4 (modelled)");
    assert_eq!(title(play.keys("D")), "on CPU");
    assert_eq!(title(play.keys("D")), "on Tesla T4 (modelled)");
}

#[test]
fn all_devices_can_be_chosen_before_the_first_run() {
    let card = |id: &str| DeviceInfo {
        name: DeviceName::Model(id.to_owned()),
        title: format!("{id} (modelled)"),
        clock: Clock::Modelled,
        memory_bytes: None,
    };
    let mut play = lab(DeviceWish::Any, Vec::new());
    let known = vec![DeviceInfo::cpu(2), card("t4"), card("h200")];
    play.send(Event::Devices(known));
    assert_eq!(title(&play), "on CPU, 2 threads");
    assert_eq!(title(play.keys("D")), "on h200 (modelled)");
    assert_eq!(title(play.keys("dd\ndd\n")), "on t4 (modelled)");
}

#[test]
fn only_a_lab_that_takes_any_device_chooses_for_the_others() {
    let second = |wish: DeviceWish, keys: &str| {
        let mut play = lab(wish, Vec::new());
        play.keys(keys).keys("q");
        title(play.press(KeyCode::Tab).keys("\n"))
    };
    assert_eq!(second(DeviceWish::Any, "dd\n"), "on Tesla T4 (modelled)");
    assert_eq!(second(DeviceWish::Cpu, "dd\n"), "on CPU");
    assert_eq!(second(DeviceWish::Cuda, "dd\ndd\n"), "on CPU");
    assert_eq!(
        second(DeviceWish::Model("t4".to_owned()), "dd\ndd\n"),
        "on CPU"
    );
}

#[test]
fn a_lab_that_needs_a_card_says_so_before_its_hints() {
    let mut play = lab(DeviceWish::Cuda, Vec::new());
    play.keys("dd\n");
    fail(&mut play);
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host   measured                                          placement.py
     1  12.0 µs │ import torch
     2  12.0 µs ▸ x = torch.ones(3).to("cuda")
     3          │ print(x.device)

    ✗ not passed: this lab needs a card, and ran on CPU, 2 threads: d switches
    to another one, such as a modelled card
    ── task  output [checks] timeline  hints ───────────────────────────────────
    ✗ y is on the card
      what does to return?











    r run  e edit  o pane  d device  ↓ line  h hint  w words  q back  ? help
    "#);
    let mut play = lab(DeviceWish::Any, Vec::new());
    fail(&mut play);
    assert!(
        status(&play).contains("0 of 1 checks hold"),
        "{}",
        play.screen()
    );
}

#[test]
fn what_a_program_counts_is_told_with_its_choice_and_was_not_measured() {
    let mut course = sample::course();
    if let Some(quiz) = &mut course.lessons[0].quiz
        && let Some(question) = quiz.questions.last_mut()
        && let QuestionKind::Predict(Prediction { metric, .. }) = &mut question.kind
    {
        "batch_bytes".clone_into(metric);
    }
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn").press(KeyCode::Tab).keys("\nr1\n");
    let run = play.asked().run;
    let metric = Metric {
        name: "batch_bytes".to_owned(),
        value: 24.0,
        unit: "B".to_owned(),
    };
    play.reply(Reply::Metric { run, metric });
    let report = Report {
        outcome: Outcome::Done,
        ..Report::broken("")
    };
    play.reply(Reply::Finished { run, report });
    let screen = play.screen();
    assert!(
        screen.contains("This run: 1 ms or more (24 B)\n"),
        "{screen}"
    );
}

#[test]
fn a_prediction_that_is_typed_says_so_in_its_line_and_in_the_footer() {
    let mut course = sample::course();
    if let Some(quiz) = &mut course.lessons[0].quiz
        && let Some(question) = quiz.questions.last_mut()
        && let QuestionKind::Predict(Prediction { form, .. }) = &mut question.kind
    {
        *form = PredictForm::Number {
            unit: Some("ms".to_owned()),
            within_factor: 2.0,
        };
    }
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn").press(KeyCode::Tab).keys("\nr");
    let screen = play.screen();
    assert!(
        screen.contains("› Type a number (ms), then Enter\n"),
        "{screen}"
    );
    assert!(screen.contains("  Enter commit "), "{screen}");
}

#[test]
fn a_cpu_has_one_clock_and_it_is_a_measured_one() {
    let mut play = lab(DeviceWish::Any, Vec::new());
    fail(&mut play);
    let screen = play.screen();
    insta::assert_snapshot!(screen.lines().skip(2).take(4).collect::<Vec<_>>().join("\n"), @r#"
          host   measured                                          placement.py
    1  12.0 µs │ import torch
    2  12.0 µs ▸ x = torch.ones(3).to("cuda")
    3          │ print(x.device)
    "#);
}

#[test]
fn the_map_counts_in_english_and_does_not_advise_who_is_done() {
    let passed = Done::Attempted {
        lesson: LessonId::new("copies"),
        attempt: "a".to_owned(),
        score: Score {
            earned: 100,
            max: 100,
        },
        above_percent: 75,
        passed: true,
        took_ms: 1,
        missed: Vec::new(),
        drawn: Vec::new(),
    };
    let below = |done| {
        let mut play = Play::with(80, 24, sample::with_short_end(), done);
        play.keys("j");
        let screen = play.screen();
        let details = screen.lines().skip_while(|it| !it.contains("Each copy"));
        details.take(3).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(below(Vec::new()), @"
    Each copy crosses the bus.
    Better first: Where a tensor lives
    20 min · 1 page · 0 of 0 labs passed · 0 questions
    ");
    insta::assert_snapshot!(below(vec![passed]), @"
    Each copy crosses the bus.
    20 min · 1 page · 0 of 0 labs passed · 0 questions
    ");
}

#[test]
fn a_long_question_is_read_to_its_end_line_by_line() {
    let mut course = sample::course();
    let code: Vec<_> = (1..=14).map(|it| format!("line{it} = {it}")).collect();
    let block = sample::block(warpup_course::BlockKind::Code {
        language: "python".to_owned(),
        code: code.join("\n"),
    });
    if let Some(quiz) = &mut course.lessons[0].quiz {
        quiz.questions[0].prompt.push(block);
    }
    let mut play = Play::with(80, 16, course, Vec::new());
    play.keys("zxy");
    assert!(!play.screen().contains("line14 = 14"));
    for _ in 0..10 {
        play.keys("j");
    }
    insta::assert_snapshot!(play.screen(), @"
    Where a tensor lives · quiz                                    0 of 5 points
          line3 = 3
          line4 = 4
          line5 = 5
          line6 = 6
          line7 = 7
          line8 = 8
          line9 = 9
          line10 = 10
          line11 = 11
          line12 = 12
          line13 = 13
          line14 = 14

        Because it is so.
    Enter read again  r missed again  Tab next missed  q back  ? help       ↓ 25
    ");
}
