//! Plots of a lab on screen.

use super::{Play, sample};
use crate::session::Session;
use crate::theme::{Colours, Letters, Theme};
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;
use warpup_protocol::{
    Clock, DeviceInfo, LogAxes, Outcome, Plot, PlotSource, Reply, Report, Series,
};

fn line(name: &str, of: impl Fn(f64) -> f64) -> Series {
    Series {
        name: name.to_owned(),
        points: (0..=20).map(f64::from).map(|it| (it, of(it))).collect(),
        skipped: 0,
    }
}

fn loss() -> Plot {
    Plot {
        title: "Loss by step".to_owned(),
        x_label: "step".to_owned(),
        y_label: "loss".to_owned(),
        log: LogAxes::None,
        source: PlotSource::Run,
        series: vec![
            line("train", |it| 2.0 / (1.0 + it / 4.0)),
            line("test", |it| 2.0 / (1.0 + it / 4.0) + it * it / 400.0),
        ],
        names: Vec::new(),
    }
}

/// A run on a modelled card that draws.
fn draw(play: &mut Play, plots: Vec<Plot>) {
    play.keys("r");
    drawn(play, plots);
}

/// The replies of a run that draws.
fn drawn(play: &mut Play, plots: Vec<Plot>) {
    let run = play.asked().run;
    let device = DeviceInfo {
        name: play.asked().device.clone(),
        title: "Tesla T4 (modelled)".to_owned(),
        clock: Clock::Modelled,
        memory_bytes: None,
    };
    play.reply(Reply::Started { run, device });
    for plot in plots {
        play.reply(Reply::Plot { run, plot });
    }
    let report = Report {
        outcome: Outcome::Done,
        clock: Clock::Modelled,
        ..Report::broken("")
    };
    play.reply(Reply::Finished { run, report });
}

/// The first lab of the sample course on a terminal of these letters and colours.
fn lab(width: u16, height: u16, theme: Theme) -> Play {
    let mut play = Play::new(width, height);
    let course = sample::course();
    let progress = warpup_progress::Progress::from_records([], &course.id);
    let session = Session::new(course, progress, theme, 7);
    play.app = crate::app::App::new(session, play.size);
    play.keys("\nn\n");
    play
}

const USUAL: Theme = Theme {
    colours: Colours::Sixteen,
    letters: Letters::Unicode,
};

#[test]
fn a_program_that_draws_is_looked_at() {
    let mut play = lab(80, 24, USUAL);
    draw(&mut play, vec![loss()]);
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    ✓ passed: it ran to its end

    ── task  output  checks [plot] timeline  hints ─────lines 1–12 of 13 · Space
    plot: Loss by step · MODELLED
    ● train   ▲ test   loss ↑   step →   * several points
    2 ┤*⠢⢄⡀
      │   ⠈⠑⠢⢄⣀                                                               ⣀▲
    1 ┤        ⠉⠒*⠤⢄⣀⣀⣀⡀                                       ⢀⣀⣀⣀⠤⠤⠤⠤⠒▲⠒⠊⠉⠉⠉
      │               ⠈⠉⠙⠛⠛⠶*⠶⢖⣒⣒⣒⣢⣤⣤⣤⠤▲⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒▲⠒⠒⠒⠒⠒⠉⠉⠉⠉⠉▲⠉⠁
      │                               ⠉●⠉⠑⠒⠒⠒⠒⠒⠒⠒⠒●⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤●⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀●⣀⣀⣀⣀⣀⣀●
    0 ┤
      └┬──────┬──────┬──────┬───────┬──────┬──────┬───────┬──────┬──────┬──────┬
       0      2      4      6       8     10     12      14     16     18     20
    train: from 2 at step 0 to 0.3333 at step 20, falling all the way
    test: from 2 at step 0 to 1.33 at step 20, falling on the whole, with ups

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
    play.send(crate::app::Event::Resize(40, 12));
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device        on CPU
                lines 1–1 of 3  placement.py
    ✓ passed: it ran to its end
    ──‹output  checks [plot] timeline›── ↓ 7
    plot: Loss by step · MODELLED
    ● train   ▲ test   loss ↑   step →
    2 ┤*⢄
    1 ┤  ⠉⠒⠢⠤⢄⣀                    ⢀⣀⣀⣀⠤▲⠒⠒▲
      │        ⠉⠉⠛*⠶⠶⠶⢖⣒⣒⣒⣒⣒⣒*⠉⠉⠉⠉⠉⠁
    0 ┤                       ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠒●⠒⠒●
      └┬────────┬────────┬────────┬────────┬
    Enter read on  r run  q back  ? help
    ");
}

#[test]
fn a_plot_is_beside_the_program_where_there_is_room() {
    let mut play = lab(140, 36, USUAL);
    draw(&mut play, vec![loss()]);
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                                                                                        on CPU

                                                  placement.py   ✓ passed: it ran to its end
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)                                         ── task  output  checks [plot] timeline  hints ────────────────────────────
                                                                 plot: Loss by step · MODELLED
                                                                 ● train   ▲ test   * several points
                                                                 loss
                                                                 2.0 ┤*
                                                                     │ ⢣
                                                                     │  ⢣
                                                                     │   ⢣
                                                                 1.5 ┤    ⠳⡀
                                                                     │     ⠘⢆
                                                                     │      ⠈⠳⣄                                                          ⣀⠤▲
                                                                     │        ⠈⠳▲                                                   ⢀▲⠤⠒⠉
                                                                     │          ●⠛⢦⣀                                           ⣀⣀⠤⠔⠊⠁
                                                                 1.0 ┤             ⠉⠫⢖⠤⣀⡀                               ⣀⣀▲⠔⠒⠊⠉
                                                                     │                ⠑⠢⢌⡑⠢▲⠤⣀⣀⣀⡀             ⢀⣀▲⣀⠤⠤⠔⠒⠊⠉
                                                                     │                   ⠈⠑●⠤⣀  ⠈⠉⠉⠉⠉▲⠉⠉⠉⠉⠉⠉⠉⠉⠁
                                                                     │                        ⠉⠑⠒⠢⠤⣀⣀
                                                                     │                               ●⠑⠒⠢⠤⠤⣀⣀⣀⡀
                                                                 0.5 ┤                                        ⠈⠉●⠒⠒⠤⠤⢄⣀⣀⣀⣀●⣀⡀
                                                                     │                                                      ⠈⠉⠉⠉⠒⠒⠒⠢⠤●⠤⠤⠤⠤⣀●
                                                                     │
                                                                     │
                                                                   0 ┤
                                                                     └┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬─────┬
                                                                      0      2      4      6      8     10     12     14     16     18    20
                                                                                                       step
                                                                 train: from 2 at step 0 to 0.3333 at step 20, falling all the way
                                                                 test: from 2 at step 0 to 1.33 at step 20, falling on the whole, with ups
                                                                 and downs; lowest 0.8179 at step 9, highest 2 at step 0

    Enter read on   r run   e edit   o pane   d device   ↓ line   h hint   w words   q back   S save screen   ? help
    "#);
}

#[test]
fn without_colours_and_letters_the_series_differ_still() {
    let plain = Theme {
        colours: Colours::None,
        letters: Letters::Ascii,
    };
    let mut play = lab(80, 24, plain);
    draw(&mut play, vec![loss()]);
    insta::assert_snapshot!(play.screen(), @r#"
    lab - Put it on the device                                            on CPU

                                                                    placement.py
     1 > import torch
     2 | x = torch.ones(3).to("cuda")
     3 | print(x.device)

    * passed: it ran to its end

    -- task  output  checks [plot] timeline  hints -----lines 1-12 of 13 - Space
    plot: Loss by step - MODELLED
    * train   + test   loss ^   step >   % several points
    2 +%.
      |  .......                                                              .+
    1 +         .%.....                                        .........+.....
      |                .....%..........+..........+..........+.
      |                               .*..........*..........*..........*......*
    0 +
      ++------+------+------+-------+------+------+-------+------+------+------+
       0      2      4      6       8     10     12      14     16     18     20
    train: from 2 at step 0 to 0.3333 at step 20, falling all the way
    test: from 2 at step 0 to 1.33 at step 20, falling on the whole, with ups

    Enter read on  r run  e edit  o pane  d device  v line  q back  ? help
    "#);
    let coloured = play.buffer().content.iter().any(|it| it.fg != Color::Reset);
    assert!(!coloured);
    let mut play = lab(80, 24, USUAL);
    draw(&mut play, vec![loss()]);
    let buffer = play.buffer();
    let colour = |mark: &str| {
        buffer
            .content
            .iter()
            .rfind(|it| it.symbol() == mark)
            .unwrap()
            .fg
    };
    assert_eq!((colour("●"), colour("▲")), (Color::Green, Color::Cyan));
}

#[test]
fn several_plots_stand_below_each_other() {
    let mut play = lab(80, 24, USUAL);
    let bare = Plot {
        title: String::new(),
        series: vec![line("", |it| it)],
        ..loss()
    };
    draw(&mut play, vec![loss(), bare]);
    assert!(
        play.screen()
            .contains("plot 1 of 2: Loss by step · MODELLED")
    );
    play.keys("G");
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

                                                                    placement.py
     1 ▸ import torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    ✓ passed: it ran to its end

    ── task  output  checks [plot] timeline  hints ────────────lines 15–26 of 26
    plot 2 of 2: loss over step · MODELLED
    loss
    20 ┤                                                           ⢀⣀⣀⣀⠤●⠤⠔⠒⠒⠒⠉●
       │                                                ⢀⣀⣀⠤⠤⠒●⠒⠉⠉⠉⠁
    10 ┤                                   ⣀⣀⣀⠤⠤⠤⠔⠒●⠒⠉⠉⠉⠁
       │                       ⢀⣀⣀⣀⠤⠤⠤⠔⠒●⠉⠉
       │            ⢀⣀⣀⠤⠤⠒⠒⠒⠉●⠉⠁
     0 ┤●⣀⠤⠤⠤⠔⠒⠒⠒⠉●⠉⠁
       └┬──────┬──────┬──────┬──────┬───────┬──────┬──────┬──────┬──────┬──────┬
        0      2      4      6      8      10     12     14     16     18     20
                                          step
    loss: from 0 at step 0 to 20 at step 20, rising all the way

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    "#);
}

#[test]
fn the_next_run_begins_without_a_plot() {
    let mut play = lab(80, 24, USUAL);
    draw(&mut play, vec![loss()]);
    play.keys("r");
    assert!(!play.screen().contains("plot"), "{}", play.screen());
    draw(&mut play, Vec::new());
    assert!(!play.screen().contains("plot"), "{}", play.screen());
}

#[test]
fn a_plot_above_a_long_program_shows_its_axis() {
    let mut play = lab(80, 24, USUAL);
    play.keys("e")
        .send(crate::app::Event::Paste("a = 1\n".repeat(30)));
    play.press(KeyCode::Esc);
    draw(&mut play, vec![loss()]);
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device                                            on CPU

                                                 lines 27–31 of 33  placement.py
    27 │ a = 1
    28 │ a = 1
    29 │ a = 1
    30 │ a = 1
    31 ▸ import torch
    ✓ passed: it ran to its end

    ── task  output  checks [plot] timeline  hints  diff ───────────── Space ↓ 2
    plot: Loss by step · MODELLED
    ● train   ▲ test   loss ↑   step →   * several points
    2 ┤*⠢⢄⡀
      │   ⠈⠑⠢⢄⣀                                                               ⣀▲
    1 ┤        ⠉⠒*⠤⢄⣀⣀⣀⡀                                       ⢀⣀⣀⣀⠤⠤⠤⠤⠒▲⠒⠊⠉⠉⠉
      │               ⠈⠉⠙⠛⠛⠶*⠶⢖⣒⣒⣒⣢⣤⣤⣤⠤▲⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒▲⠒⠒⠒⠒⠒⠉⠉⠉⠉⠉▲⠉⠁
      │                               ⠉●⠉⠑⠒⠒⠒⠒⠒⠒⠒⠒●⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤●⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀●⣀⣀⣀⣀⣀⣀●
    0 ┤
      └┬──────┬──────┬──────┬───────┬──────┬──────┬───────┬──────┬──────┬──────┬
       0      2      4      6       8     10     12      14     16     18     20
    train: from 2 at step 0 to 0.3333 at step 20, falling all the way

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    ");
}

#[test]
fn a_pane_takes_the_whole_screen_and_gives_it_back() {
    let mut play = lab(80, 24, USUAL);
    draw(&mut play, vec![loss()]);
    let half = play.screen();
    assert!(half.contains("import torch"), "{half}");
    play.keys("f");
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device                                            on CPU

    ✓ passed: it ran to its end

    ── task  output  checks [plot] timeline  hints ─────lines 1–17 of 20 · Space
    plot: Loss by step · MODELLED
    ● train   ▲ test   * several points
    loss
    2 ┤*⢄
      │  ⠣⡀
      │   ⠈⠢⣀
      │      ⠑⢄⡀                                                             ⣀⣀▲
      │        ⠈⠑*⢄⡀                                                ⣀⣀⣀⠤▲⠔⠒⠊⠉
    1 ┤            ⠈⠉⠒⠢⢤⣄⣀⣀                             ⣀⣀⣀⣀⠤▲⠤⠔⠒⠒⠉⠉
      │                 ⠈⠉⠒⠛*⠭⢕⣒⣒⡒⠒⠒⠒⠒⠤▲⠤⠔⠒⠒⠒⠒⠒⠒⠒⠒▲⠒⠊⠉⠉⠉
      │                          ⠈⠉⠑⠒⠒⠤●⠤⢄⣀⣀⣀⡀
      │                                      ⠈⠉⠉⠉⠉●⠉⠑⠒⠒⠒⠤⠤⠤⠤⠤●⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀●⣀⡀
      │                                                                   ⠈⠉⠉⠉⠉●
    0 ┤
      └┬──────┬──────┬──────┬───────┬──────┬──────┬───────┬──────┬──────┬──────┬
       0      2      4      6       8     10     12      14     16     18     20
                                         step

    Enter read on  r run  e edit  o pane  d device  ↓ line  q back  ? help
    ");
    play.keys("f");
    assert_eq!(play.screen(), half);
    // What is all on the screen needs no more.
    play.keys("ooo");
    assert!(!play.screen().contains("f full"), "{}", play.screen());
    play.keys("f");
    let said = "All of the pane is on the screen.";
    assert!(play.screen().contains(said), "{}", play.screen());
}

#[test]
fn the_verdict_on_a_prediction_leads_to_the_plot() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Tab).keys("\nrj\n");
    drawn(&mut play, vec![loss()]);
    let screen = play.screen();
    let leads = "o shows the plot of this run";
    assert!(
        screen.contains("[checks]") && screen.contains(leads),
        "{screen}"
    );
    play.keys("o");
    assert!(play.screen().contains("[plot]"), "{}", play.screen());
}

#[test]
fn a_program_beside_a_plot_is_in_sight_while_it_is_edited_and_typing_moves_nothing() {
    for (width, height) in [(40, 12), (80, 24)] {
        let mut play = lab(width, height, USUAL);
        draw(&mut play, vec![loss()]);
        let tabs = |play: &Play| {
            let screen = play.screen();
            screen
                .lines()
                .position(|it| it.starts_with("──") || it.contains("  ──"))
        };
        play.keys("e");
        assert!(play.screen().contains("import torch"), "{}", play.screen());
        let before = tabs(&play);
        assert!(before.is_some(), "{}", play.screen());
        play.keys("#");
        assert_eq!(tabs(&play), before, "{}", play.screen());
        play.press(KeyCode::Backspace);
        assert_eq!(tabs(&play), before, "{}", play.screen());
    }
}
