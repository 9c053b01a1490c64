//! What labs run on: what is offered, what is remembered, and when a card is given back.

use super::{Play, sample};
use crate::app::Event;
use crate::effect::Effect;
use ratatui::crossterm::event::KeyCode;
use warpup_lab::device_table::{DeviceFacts, Peaks};
use warpup_progress::{Event as Done, Labs};
use warpup_protocol::{
    Check, Clock, DeviceInfo, DeviceName, LineTime, Memory, Outcome, Reason, Reply, Report, VERSION,
};

fn device(name: &str, title: &str) -> DeviceInfo {
    let name: DeviceName = name.parse().unwrap();
    DeviceInfo {
        clock: match name {
            DeviceName::Cpu | DeviceName::Cuda(_) => Clock::Measured,
            DeviceName::Model(_) => Clock::Modelled,
        },
        name,
        title: title.to_owned(),
        memory_bytes: None,
    }
}

/// What is offered where there is a worker for real cards that nobody has started yet.
fn with_card() -> Event {
    Event::Devices(vec![
        device("cpu", "CPU, 2 threads"),
        device("model:t4", "Tesla T4 (modelled)"),
        device("model:l4", "L4 (modelled)"),
        device("cuda", "cuda, a real card"),
    ])
}

/// What the worker for real cards says.
fn hello() -> Reply {
    Reply::Hello {
        version: VERSION,
        warpup: "0.1.0".to_owned(),
        devices: vec![device("cuda", "NVIDIA H200"), device("cuda:1", "NVIDIA L4")],
    }
}

/// The first lab of the sample course, after something was done.
fn lab(done: Vec<Done>, devices: Event) -> Play {
    let mut play = Play::with(80, 24, sample::course(), done);
    play.send(devices);
    play.keys("\nn\n");
    play
}

fn title(play: &Play) -> String {
    let screen = play.screen();
    let title = screen.lines().find(|it| it.contains("lab · "));
    let title = title.unwrap_or_default().rsplit_once("on ");
    title.map_or_else(String::new, |it| it.1.trim().to_owned())
}

/// The run that was asked for ends.
fn end(play: &mut Play) {
    let run = play.asked().run;
    let report = Report::without_times(Outcome::Done);
    play.reply(Reply::Finished { run, report });
}

fn lets_go(play: &Play) -> usize {
    let all = play.effects.iter();
    all.filter(|it| **it == Effect::ReleaseCard).count()
}

#[test]
fn a_real_card_is_one_key_from_the_cpu_and_named_once_it_has_said_its_name() {
    let mut play = lab(Vec::new(), with_card());
    let mut seen = vec![title(&play)];
    for key in ["dd\n", "dd\n", "dd\n", "dd\n", "D", "dd\n", "dd\n"] {
        play.keys(key);
        seen.push(title(&play));
    }
    insta::assert_snapshot!(seen.join("\n"), @r"
    CPU, 2 threads
    cuda, a real card
    Tesla T4 (modelled)
    L4 (modelled)
    CPU, 2 threads
    L4 (modelled)
    CPU, 2 threads
    cuda, a real card
    ");
    play.keys("r");
    assert_eq!(play.asked().device, DeviceName::cuda(0));
    play.reply(hello());
    end(&mut play);
    let mut seen = vec![title(&play)];
    for key in ["dd\n", "dd\n", "D", "D", "D"] {
        play.keys(key);
        seen.push(title(&play));
    }
    insta::assert_snapshot!(seen.join("\n"), @r"
    NVIDIA H200
    NVIDIA L4
    auto, the least loaded card
    NVIDIA L4
    NVIDIA H200
    CPU, 2 threads
    ");
}

#[test]
fn a_card_is_given_back_when_another_device_is_taken() {
    let mut play = lab(Vec::new(), with_card());
    play.keys("dd\n");
    assert_eq!(
        (title(&play).as_str(), lets_go(&play)),
        ("cuda, a real card", 0)
    );
    play.keys("dd\n");
    assert_eq!(lets_go(&play), 1);
    play.keys("dd\ndd\ndd\n");
    assert_eq!(
        (title(&play).as_str(), lets_go(&play)),
        ("cuda, a real card", 1)
    );
    // From card to card the worker is the same.
    play.reply(hello());
    play.keys("dd\n");
    assert_eq!((title(&play).as_str(), lets_go(&play)), ("NVIDIA L4", 1));
}

#[test]
fn what_ran_on_a_real_card_was_measured() {
    let mut play = lab(Vec::new(), with_card());
    play.keys("dd\nr");
    let run = play.asked().run;
    assert!(play.screen().contains("… getting the card ready"));
    play.reply(hello());
    play.reply(Reply::Started {
        run,
        device: device("cuda", "NVIDIA H200"),
    });
    assert!(play.screen().contains("… running on NVIDIA H200"));
    play.reply(Reply::Check {
        run,
        check: Check {
            name: "y is on the card".to_owned(),
            ok: true,
            hint: None,
        },
    });
    play.reply(Reply::Finished {
        run,
        report: Report {
            clock: Clock::Measured,
            host_ns: 1_240_000,
            device_ns: Some(310_000),
            lines: vec![LineTime {
                line: 2,
                hits: 1,
                host_ns: 840_000,
                wait_ns: 0,
                interrupted_ns: 0,
                worker_ns: 0,
                device_ns: Some(300_000),
            }],
            memory: Some(Box::new(Memory {
                peak_live: 12,
                peak_line: 2,
                capacity: 16 << 30,
                ..Memory::default()
            })),
            ..Report::without_times(Outcome::Done)
        },
    });
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                    on NVIDIA H200

          host device   measured                                    placement.py
     1                │ import torch
     2  840 µs 300 µs ▸ x = torch.ones(3).to("cuda")
     3                │ print(x.device)

    ✓ passed: 1 of 1 checks hold
    host 1.24 ms · device 310 µs · measured · peak 12 B (line 2)
    ── task [output] checks  timeline  memory  hints ───────────────────────────
    it printed nothing












    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
}

#[test]
fn a_card_that_cannot_be_had_says_why_and_what_to_try_where_the_output_would_be() {
    let mut play = lab(Vec::new(), with_card());
    play.keys("dd\nr");
    let run = play.asked().run;
    let report = Report::without_times(Outcome::Unavailable(Reason {
        why: "libcuda.so.1 is missing: no NVIDIA driver is installed here".to_owned(),
        hint: "warpup doctor says what is missing; cpu needs none of this".to_owned(),
        evidence: "\u{1b}]0;x\u{7}w: error while loading shared libraries: libcuda.so.1".to_owned(),
    }));
    play.reply(Reply::Finished { run, report });
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                              on cuda, a real card

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    ! the card is unavailable, and it is not your mistake: the output says why

    ── task [output] checks  timeline  hints ───────────────────────────────────
    libcuda.so.1 is missing: no NVIDIA driver is installed here
    ␛]0;x␇w: error while loading shared libraries: libcuda.so.1
    warpup doctor says what is missing; cpu needs none of this










    r run  e edit  o pane  d device  ↓ line  h hint  w words  q back  ? help
    "#);
    play.send(Event::Resize(40, 12));
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on t…  on cuda, a real card
                                placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)
    ! the card is unavailable, and it is…
    ── task [output] checks  timeline›── ↓ 2
    libcuda.so.1 is missing: no NVIDIA
    ↪ driver is installed here
    ␛]0;x␇w: error while loading shared
    ↪ libraries: libcuda.so.1
    r run  e edit  o pane  q back  ? help
    "#);
}

#[test]
fn the_choice_is_noted_with_a_run_and_holds_for_the_next_time() {
    let chose = |device: &str| Done::Chose {
        labs: Labs::Any,
        device: device.to_owned(),
    };
    let mut play = lab(Vec::new(), with_card());
    play.keys("dd\nr");
    play.reply(hello());
    end(&mut play);
    play.keys("r");
    end(&mut play);
    // Looked at, but not run on.
    play.keys("dd\n");
    let noted: Vec<_> = play.saved().into_iter().cloned().collect();
    let noted: Vec<_> = noted
        .into_iter()
        .filter(|it| matches!(it, Done::Chose { .. }))
        .collect();
    assert_eq!(noted, [chose("cuda")]);
    let again = lab(noted, with_card());
    assert_eq!(title(&again), "cuda, a real card");
    // Of several cards the others are not known before one of them has run something.
    assert_eq!(title(&lab(vec![chose("cuda:1")], with_card())), "cuda:1");
}

#[test]
fn a_card_that_is_gone_is_not_chosen_any_more() {
    let chose = |device: &str| Done::Chose {
        labs: Labs::Any,
        device: device.to_owned(),
    };
    let without = || {
        Event::Devices(vec![
            device("cpu", "CPU, 2 threads"),
            device("model:t4", "Tesla T4 (modelled)"),
        ])
    };
    for gone in ["cuda", "cuda:1", "model:l4", "abacus"] {
        assert_eq!(title(&lab(vec![chose(gone)], without())), "CPU, 2 threads");
    }
    let still = lab(vec![chose("model:t4")], without());
    assert_eq!(title(&still), "Tesla T4 (modelled)");
}

#[test]
fn the_list_says_what_each_device_is_and_why_a_card_cannot_be_had() {
    let mut play = Play::with(80, 24, sample::course(), Vec::new());
    play.send(Event::Devices(vec![
        device("cpu", "CPU, 2 threads"),
        DeviceInfo {
            memory_bytes: Some(15_828_320_256),
            ..device("model:t4", "Tesla T4 (modelled)")
        },
    ]));
    play.send(Event::DeviceFacts(DeviceFacts {
        peaks: vec![Peaks {
            device: "model:t4".parse().unwrap(),
            title: "Tesla T4".to_owned(),
            bandwidth: 320e9,
            f32: 8.1e12,
            f16: 65e12,
        }],
        no_card: Some(Reason {
            why: "there is no worker for real cards".to_owned(),
            hint: "warpup doctor prints the command that installs one".to_owned(),
            evidence: String::new(),
        }),
        no_driver: None,
    }));
    play.keys("\nn\nd");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                 on CPU, 2 threads

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    r runs this on CPU, 2 threads

    ── devices ─────────────────────────────────────────────────────────────────
                               memory  bandwidth  TFLOP/s f32     f16
    ▸ ● CPU, 2 threads              –          –            –       –
        This machine; times are measured.
      ○ Tesla T4 (modelled)  14.7 GiB   320 GB/s          8.1      65
      – cuda, a real card           –          –            –       –








    Enter use it   ↓ next   ↑ previous   q back   ? help
    "#);
    play.keys("G\n");
    assert_eq!(title(&play), "CPU, 2 threads", "it cannot be taken");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                 on CPU, 2 threads

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    r runs this on CPU, 2 threads

    ── devices ─────────────────────────────────────────────────────────────────
                               memory  bandwidth  TFLOP/s f32     f16
      ● CPU, 2 threads              –          –            –       –
      ○ Tesla T4 (modelled)  14.7 GiB   320 GB/s          8.1      65
    ▸ – cuda, a real card           –          –            –       –
        Not available: there is no worker for real cards; warpup doctor prints
        the command that installs one.







    This device is not available here: below its name is why.
    "#);
    play.send(Event::Resize(40, 12));
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the…   on CPU, 2 threads
                lines 1–1 of 3  placement.py
    r runs this on CPU, 2 threads
    ── devices ─────────────lines 4–10 of 10
        memory 14.7 GiB, 320 GB/s
        TFLOP/s: f32 8.1, f16 65
    ▸ – cuda, a real card
        no figures known
        Not available: there is no worker
        for real cards; warpup doctor prints
    This device is not available here: below
    its name is why.
    ");
    play.press(KeyCode::Esc);
    assert!(play.screen().contains("[task]"), "{}", play.screen());
    play.keys("dd\n");
    assert_eq!(title(&play), "Tesla T4 (modelled)");
}

#[test]
fn the_list_says_what_the_last_run_on_a_card_said_until_one_goes_through() {
    let mut play = lab(Vec::new(), with_card());
    play.keys("dd\nr");
    let run = play.asked().run;
    let report = Report::without_times(Outcome::Busy(Reason {
        why: "another process holds the card".to_owned(),
        hint: "try again later".to_owned(),
        evidence: String::new(),
    }));
    play.reply(Reply::Finished { run, report });
    play.keys("d");
    let said = "The last run on it said: another process holds the card; try";
    assert!(play.screen().contains(said), "{}", play.screen());
    // From the CPU, too, the reason stays beside the card.
    play.keys("k\nd");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                 on CPU, 2 threads

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    On cuda, a real card: ! the card is busy, and it is not your mistake: the
    output says why; r runs it on CPU, 2 threads
    ── devices ─────────────────────────────────────────────────────────────────
                               memory  bandwidth  TFLOP/s f32     f16
    ▸ ● CPU, 2 threads              –          –            –       –
        This machine; times are measured.
      ! cuda, a real card           –          –            –       –
        The last run on it said: another process holds the card; try again
        later.
      ○ Tesla T4 (modelled)         –          –            –       –
      ○ L4 (modelled)               –          –            –       –





    Enter use it   ↓ next   ↑ previous   q back   ? help
    "#);
    play.keys("j\n");
    assert_eq!(title(&play), "cuda, a real card");
    play.keys("d");
    play.press(KeyCode::Esc).keys("r");
    end(&mut play);
    play.keys("d");
    assert!(!play.screen().contains("The last run"), "{}", play.screen());
}

#[test]
fn where_no_driver_is_loaded_the_list_doubts_the_real_card_until_it_has_run() {
    let mut play = lab(Vec::new(), with_card());
    play.send(Event::DeviceFacts(DeviceFacts {
        no_driver: Some(Reason {
            why: "no NVIDIA driver is loaded on this machine".to_owned(),
            hint: "`warpup doctor` says what is missing".to_owned(),
            evidence: String::new(),
        }),
        ..DeviceFacts::default()
    }));
    play.keys("d");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                 on CPU, 2 threads

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    r runs this on CPU, 2 threads

    ── devices ─────────────────────────────────────────────────────────────────
                               memory  bandwidth  TFLOP/s f32     f16
    ▸ ● CPU, 2 threads              –          –            –       –
        This machine; times are measured.
      ! cuda, a real card           –          –            –       –
        Probably not available: no NVIDIA driver is loaded on this machine;
        `warpup doctor` says what is missing.
      ○ Tesla T4 (modelled)         –          –            –       –
      ○ L4 (modelled)               –          –            –       –





    Enter use it   ↓ next   ↑ previous   q back   ? help
    "#);
    play.keys("j\n");
    assert_eq!(title(&play), "cuda, a real card", "it can be tried");
    play.keys("r");
    play.reply(hello());
    end(&mut play);
    play.keys("dd\nd");
    assert!(!play.screen().contains("Probably"), "{}", play.screen());
}

#[test]
fn the_result_on_another_device_names_that_device_beside_its_verdict() {
    let mut play = lab(Vec::new(), with_card());
    play.keys("DDr");
    let run = play.asked().run;
    play.reply(Reply::Started {
        run,
        device: device("model:t4", "Tesla T4 (modelled)"),
    });
    end(&mut play);
    play.keys("DD");
    let screen = play.screen();
    insta::assert_snapshot!(screen.lines().skip(7).take(2).collect::<Vec<_>>().join("\n"), @"
    ✓ passed on Tesla T4 (modelled): it ran to its end; r runs it on CPU, 2
    threads
    ");
    play.keys("r");
    let run = play.asked().run;
    play.reply(Reply::Started {
        run,
        device: device("cuda", "cuda, a real card"),
    });
    let report = Report::without_times(Outcome::TimedOut);
    play.reply(Reply::Finished { run, report });
    play.keys("D");
    let screen = play.screen();
    insta::assert_snapshot!(screen.lines().skip(7).take(2).collect::<Vec<_>>().join("\n"), @"
    On cuda, a real card: ■ stopped: it took longer than the 20 s that this lab
    allows; look for a loop that does not end; r runs it on L4 (modelled)
    ");
}

#[test]
fn the_device_can_be_changed_while_a_prediction_is_made() {
    let mut play = Play::with(80, 24, sample::course(), Vec::new());
    play.send(with_card());
    play.keys("\nn").press(KeyCode::Tab).keys("\nrj");
    play.keys("d").press(KeyCode::Down).keys("\n");
    assert_eq!(title(&play), "cuda, a real card");
    // The choice is as it was left.
    let screen = play.screen();
    assert!(screen.contains("▸ 1 ● under 1 ms"), "{screen}");
    play.keys("d").press(KeyCode::Esc);
    assert!(play.screen().contains("▸ 1 ●"), "{}", play.screen());
    play.keys("e");
    let said = "e works after the prediction: edit the program; Esc leaves";
    assert!(play.screen().contains(said), "{}", play.screen());
}

#[test]
fn a_lab_that_asks_for_a_device_says_so_before_its_first_run() {
    let said = |play: &Play| {
        let screen = play.screen();
        let line = screen.lines().find(|it| it.contains("This lab asks"));
        line.unwrap_or_default().trim().to_owned()
    };
    let mut play = Play::new(80, 24);
    play.keys(":try the repair\n");
    insta::assert_snapshot!(said(&play), @"This lab asks for a card; d chooses another. r runs this on Tesla T4");
    // Who has chosen it knows it.
    let mut play = Play::new(80, 24);
    play.keys("\nn\ndd\nq:try the repair\n");
    assert!(
        play.screen().contains("r runs this on Tesla T4"),
        "{}",
        play.screen()
    );
    assert_eq!(said(&play), "");
}
