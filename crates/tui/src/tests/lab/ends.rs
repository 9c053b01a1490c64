//! How a run ends: raised, stopped, left, and what of it is kept.

use super::*;

#[test]
fn an_exception_marks_its_line() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, raised("RuntimeError", false));
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ✗ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✗ RuntimeError on line 2: Expected all tensors to be on the same device
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task [output] checks  timeline  memory  hints ───────────────────────────
    cuda:0
    Traceback (most recent call last):
      File "placement.py", line 2
    RuntimeError: Expected all tensors to be on the same device









    r run  e edit  o pane  d device  ↓ line  h hint  w words  q back  ? help
    "#);
}

fn reason() -> Reason {
    Reason {
        why: "libcuda.so.1 is missing".to_owned(),
        hint: "d takes a modelled card".to_owned(),
        evidence: "error while loading shared libraries".to_owned(),
    }
}

#[test]
fn each_way_to_end_has_its_own_sentence() {
    let ways = [
        raised("RuntimeError", false),
        raised("AssertionError", true),
        raised("OutOfMemoryError", false),
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::TooMuchOutput,
        Outcome::Broken {
            what: "signal 11".to_owned(),
        },
        Outcome::Unavailable(reason()),
        Outcome::Busy(reason()),
    ];
    let said: Vec<_> = ways
        .into_iter()
        .map(|way| {
            let mut play = lab(160, 40);
            play.keys("r");
            if let Outcome::Cancelled = way {
                play.keys("c");
            }
            play_run(&mut play, way);
            let screen = play.screen();
            let right = screen.lines().skip(2).take(3).map(|it| {
                let half: String = it.chars().skip(67).collect();
                half.trim().to_owned()
            });
            right.collect::<Vec<_>>().join(" ")
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"), @"
    ✗ RuntimeError on line 2: Expected all tensors to be on the same device host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2) 
    ✗ not passed: the check stopped with AssertionError: Expected all tensors to be on the same device host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ✗ out of memory on line 2: Expected all tensors to be on the same device host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2) 
    ■ cancelled, as you asked host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2) 
    ■ stopped: it took longer than the 20 s that this lab allows; look for a loop that does not end host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ■ stopped: it printed more than 1.00 MiB; print less in loops host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2) 
    ! not run: signal 11. Your program is kept; r tries again host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2) 
    ! the card is unavailable, and it is not your mistake: the output says why host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2) 
    ! the machine is busy, and it is not your mistake: the output says why host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ");
}

#[test]
fn a_run_without_its_device_names_it_once_another_is_chosen() {
    let mut play = lab(160, 40);
    play.keys("r");
    play_run(&mut play, Outcome::Unavailable(reason()));
    let said = "! the card is unavailable, and it is not your mistake";
    assert!(play.screen().contains(said), "{}", play.screen());
    play.keys("dj\n");
    let screen = play.screen();
    let row = screen.lines().find(|it| it.contains(said)).unwrap();
    insta::assert_snapshot!(row.chars().skip(67).collect::<String>().trim(), @"On CPU: ! the card is unavailable, and it is not your mistake: the output says why; r runs");
}

#[test]
fn a_run_that_was_cut_short_or_had_no_card_is_no_record() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::TimedOut);
    for without_card in [Outcome::Unavailable(reason()), Outcome::Busy(reason())] {
        play.keys("r");
        play_run(&mut play, without_card);
    }
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    let ran: Vec<_> = play
        .saved()
        .into_iter()
        .filter(|it| matches!(it, Done::Ran { .. }))
        .collect();
    assert_eq!(ran.len(), 1);
    assert!(matches!(ran.first(), Some(Done::Ran { passed: true, .. })));
}

#[test]
fn late_replies_of_an_older_run_change_nothing() {
    let mut play = lab(80, 24);
    play.keys("r");
    play_run(&mut play, Outcome::Done);
    play.keys("r");
    let before = play.screen();
    play.reply(Reply::Output {
        run: RunId(1),
        text: "late".to_owned(),
        to: warpup_protocol::Standard::Output,
    });
    assert_eq!(play.screen(), before);
}

#[test]
fn a_running_lab_is_cancelled_by_key_and_by_leaving() {
    let mut play = lab(80, 24);
    play.keys("rc");
    assert_eq!(play.effects.last(), Some(&Effect::Cancel(RunId(1))));
    play.effects.clear();
    play.keys("q");
    assert!(play.effects.contains(&Effect::Cancel(RunId(1))));
}

/// An open lab of a course that somebody else wrote.
fn foreign_lab() -> Play {
    let mut play = lab(80, 24);
    play.send(crate::app::Event::AskBeforeLabs);
    play
}

#[test]
fn a_lab_of_a_stranger_is_shown_and_asked_about_before_it_runs() {
    let mut play = foreign_lab();
    play.keys("r");
    assert!(!play.effects.iter().any(|it| matches!(it, Effect::Run(_))));
    let screen = play.screen();
    for words in [
        "Run this program?",
        "not part of warpup",
        "x = torch.ones(3)",
        "y run",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    play.keys("jGgy");
    assert!(play.effects.contains(&Effect::KeepConsent));
    assert!(play.asked().source.contains("torch.ones(3)"));
    // Once is enough.
    play_run(&mut play, Outcome::Done);
    play.keys("r");
    assert!(!play.screen().contains("Run this program?"));
}

#[test]
fn a_course_of_a_stranger_that_wants_much_memory_says_so_first() {
    let mut course = sample::course();
    course.lessons[0].labs[1].memory = Some(8 << 30);
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn\n").send(crate::app::Event::AskBeforeLabs);
    play.keys("r");
    let words = "may use up to 8.00 GiB of memory";
    assert!(play.screen().contains(words), "{}", play.screen());
}

#[test]
fn out_of_memory_is_said_in_one_line_and_whole_below() {
    let mut play = lab(80, 24);
    play.keys("r");
    let message = "CUDA out of memory. Tried to allocate 32.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 14.62 GiB is free. Of the allocated memory 0 bytes is allocated by PyTorch.".to_owned();
    let Outcome::Raised(raised) = raised("torch.OutOfMemoryError", false) else {
        unreachable!("it is an exception");
    };
    play_run(
        &mut play,
        Outcome::Raised(UncaughtException { message, ..raised }),
    );
    let said = "✗ out of memory on line 2: it asked for 32.00 GiB, and 14.62 GiB is free\n  host";
    assert!(play.screen().contains(said), "{}", play.screen());
}

#[test]
fn a_sentence_that_has_no_room_ends_with_an_ellipsis() {
    let mut play = lab(80, 24);
    play.keys("r");
    let message = "CUDA out of memory. ".to_owned() + &"Of the allocated memory much. ".repeat(9);
    let Outcome::Raised(raised) = raised("OutOfMemoryError", false) else {
        unreachable!("it is an exception");
    };
    play_run(
        &mut play,
        Outcome::Raised(UncaughtException { message, ..raised }),
    );
    assert!(play.screen().lines().any(|it| it.trim_end().ends_with("…")));
}

#[test]
fn a_lab_of_a_stranger_does_not_run_after_a_no() {
    for no in ["n", "q"] {
        let mut play = foreign_lab();
        play.keys("r").keys(no);
        let said = "■ not run: you have not agreed to run the labs of this course; r asks again";
        assert!(play.screen().contains(said), "{}", play.screen());
        play.keys("r").ctrl('c');
        assert!(!play.effects.iter().any(|it| matches!(it, Effect::Run(_))));
        play.keys("q").keys("\n");
        assert!(!play.effects.iter().any(|it| matches!(it, Effect::Run(_))));
    }
}

#[test]
fn a_long_error_leaves_room_for_the_times_of_the_run() {
    let mut play = lab(80, 24);
    play.keys("r");
    let Outcome::Raised(error) = raised("RuntimeError", false) else {
        return;
    };
    let message = "mat1 and mat2 shapes cannot be multiplied (300x300 and 20x4)";
    play_run(
        &mut play,
        Outcome::Raised(UncaughtException {
            message: message.to_owned(),
            ..error
        }),
    );
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

           host device   MODELLED                                   placement.py
     1  12.0 µs        │ import torch
     2   840 µs 300 µs ✗ x = torch.ones(3).to("cuda")
     3   388 µs        │ print(x.device)

    ✗ RuntimeError on line 2: mat1 and mat2 shapes cannot be multiplied (300x300
    and 20x4)
    host 1.24 ms (waited 380 µs) · device 310 µs · MODELLED · peak 12 B (line 2)
    ── task [output] checks  timeline  memory  hints ───────────────────────────
    cuda:0
    Traceback (most recent call last):
      File "placement.py", line 2
    RuntimeError: Expected all tensors to be on the same device








    r run  e edit  o pane  d device  ↓ line  h hint  w words  q back  ? help
    "#);
    play.send(crate::app::Event::Resize(160, 30));
    let screen = play.screen();
    assert!(screen.contains("host 1.24 ms"), "{screen}");
}

#[test]
fn after_a_pass_one_key_reads_on_behind_the_lab() {
    for key in ["\n", "n"] {
        let mut play = lab(80, 12);
        play.keys(key);
        assert!(play.screen().contains("lab · "), "not before a pass");
        play.keys("r");
        play_run(&mut play, Outcome::Done);
        let screen = play.screen();
        let footer = screen.lines().last().unwrap();
        assert!(footer.trim_start().starts_with("Enter read on"), "{footer}");
        play.keys(key);
        let screen = play.screen();
        assert!(!screen.contains("lab · "), "{screen}");
        assert!(screen.contains("┌ Time a sum"), "{screen}");
    }
}

#[test]
fn who_edits_keeps_the_cursor_when_a_run_raises() {
    let mut play = lab(80, 24);
    play.keys("e");
    play.press(KeyCode::Down).press(KeyCode::Down).ctrl('r');
    play_run(&mut play, raised("RuntimeError", false));
    play.keys("# ");
    let source = play.ctrl('r').asked().source.clone();
    assert!(source.contains("\n# print(x.device)"), "{source}");
}
