//! The palette: lessons, pages, labs, keys and words by a few of their letters.

use super::Play;
use crate::app::Event;
use crate::effect::Effect;
use ratatui::crossterm::event::KeyCode;
use warpup_course::sample;

/// The sample course with a glossary.
fn play(width: u16, height: u16) -> Play {
    let course = sample::course_with(
        "lessons/copies.md",
        "## Words {#glossary}\n\n- **card**: the GPU in the machine, with its own memory, which a program reaches only by copies \
         over the bus that it shares with others. *Where a tensor lives*\n- **bus**: what is between the two memories.\n",
    );
    Play::with(width, height, course, Vec::new())
}

fn head(play: &Play) -> String {
    play.screen().lines().next().unwrap_or("").trim().to_owned()
}

#[test]
fn everything_with_a_name_is_in_the_palette() {
    insta::assert_snapshot!(play(80, 24).keys(":").screen(), @"
    Go to

    :                                                                   26 of 26

    ▸ key    open the lesson  Enter  l
      key    go on with the next step of the course  c
      key    take its quiz  z
      key    search the page, the lesson and the course  /
      key    the doctor: what is between a program and the card  d
      key    the tour: a first run, step by step  i
      key    quit, when it is pressed twice  q  Esc
      key    the keys of this screen: search them, run them  ?  F1
      key    settings: theme, mouse, keys  ,  F9
      key    quit from anywhere  Q  Ctrl-Q
      key    stop the run; without one, ask, then quit  Ctrl-C
      key    save elsewhere, when saving fails  S
      key    suspend; `fg` comes back  Ctrl-Z
      lesson Where a tensor lives  1 of 2
      lesson What a copy costs  2 of 2
      page   Put it there  Where a tensor lives
      page   The bus  What a copy costs
      page   Words  What a copy costs
                                                                             ↓ 8
    Enter go there   ↓ down   Esc cancel
    ");
    insta::assert_snapshot!(play(160, 50).keys(":put").screen().trim_end(), @"
    Go to

    : put                                                                        3 of 26

    ▸ page   Put it there  Where a tensor lives
      lab    Put it on the device  Where a tensor lives
      key    stop the run; without one, ask, then quit  Ctrl-C










































    Enter go there   ↓ down   Esc cancel
    ");
    insta::assert_snapshot!(play(40, 12).keys(":bus").screen(), @"
    Go to
    : bus                            3 of 26

    ▸ word   bus  what is between the two
             memories.
      page   The bus  What a copy costs
      lab    Try the bus  What a copy costs




    Enter go there   ↓ down   Esc cancel
    ");
    insta::assert_snapshot!(play(80, 24).keys(":card").screen(), @"
    Go to

    : card                                                               2 of 26

    ▸ word   card  the GPU in the machine, with its own memory, which a program
             reaches only by copies over the bus that it shares with others
             (Where a tensor lives)
      key    the doctor: what is between a program and the card  d















    Enter go there   ↓ down   Esc cancel
    ");
    insta::assert_snapshot!(play(80, 24).keys(":xx").screen(), @"
    Go to

    : xx                                                                 0 of 26

      No entry matches.
    ▸ search the text for “xx”

















    Enter search   ↓ down   Esc cancel
    ");
}

#[test]
fn enter_goes_to_what_is_chosen() {
    let mut play = play(80, 24);
    play.keys(":put there\n");
    insta::assert_snapshot!(head(&play), @"Where a tensor lives                                  page 2 of 2 ██████████");
    // From a page it goes on to the word in the glossary, and from there to a lab.
    play.ctrl('p').keys("card\n");
    insta::assert_snapshot!(head(&play), @"What a copy costs                                     page 3 of 3 ██████████");
    play.ctrl('p').keys("repair\n");
    insta::assert_snapshot!(head(&play), @"lab · Try the repair                                  on Tesla T4 (modelled)");
    play.keys("q");
    insta::assert_snapshot!(head(&play), @"What a copy costs                                     page 3 of 3 ██████████");
    // From a lab, a page is opened over it.
    play.keys(":try bus\n").keys(":tensor\n").keys("q");
    assert!(head(&play).contains("lab · "), "{}", play.screen());
}

#[test]
fn keys_are_in_the_palette_with_what_they_do() {
    let mut play = play(80, 24);
    play.keys(":quit any\n");
    assert!(play.effects.contains(&Effect::Quit));
    play.keys(":quiz\n");
    assert!(
        play.screen().contains("1 of 5 · 0 right"),
        "{}",
        play.screen()
    );
}

#[test]
fn the_choice_moves_and_escape_closes() {
    let mut play = play(80, 24);
    let before = play.screen();
    play.keys(":e");
    let first = play.screen();
    play.press(KeyCode::Down)
        .press(KeyCode::Down)
        .press(KeyCode::Up);
    assert_ne!(play.screen(), first);
    play.press(KeyCode::Up).press(KeyCode::Up);
    assert_eq!(play.screen(), first);
    play.press(KeyCode::Esc);
    assert_eq!(play.screen(), before);
}

#[test]
fn the_palette_opens_where_letters_are_typed() {
    let mut play = play(80, 24);
    play.keys("\nn\ne:").ctrl('p');
    assert!(head(&play).contains("Go to"), "{}", play.screen());
    play.press(KeyCode::Esc);
    assert!(play.screen().contains(":import torch"), "{}", play.screen());
}

#[test]
fn backspace_returns_from_a_jump_out_of_a_lab_to_it() {
    let mut play = Play::new(80, 24);
    play.keys("\nn\n");
    let lab = play.screen();
    play.keys(":the bus\n");
    assert!(play.screen().contains("The bus"), "{}", play.screen());
    play.press(KeyCode::Backspace);
    assert_eq!(play.screen(), lab);
    // A lab that is opened from that page is over the page, and the one under it is closed.
    play.keys(":put there\n").keys("\nq").keys("q");
    assert!(head(&play).contains("lessons done"), "{}", play.screen());
}

#[test]
fn the_keys_that_edit_an_answer_edit_in_the_palette_and_the_search_line() {
    let typed = |open: &str, sign: &str, keys: &[char]| {
        let mut play = Play::new(80, 24);
        play.keys(open).keys("one two");
        for key in keys {
            play.ctrl(*key);
        }
        let screen = play.keys("x").screen();
        let mut lines = screen.lines().map(str::trim_start);
        let line = lines.find(|it| it.starts_with(sign)).unwrap_or("");
        line.split("   ").next().unwrap_or("").trim_end().to_owned()
    };
    for (open, sign) in [("\n/", "/"), (":", ": ")] {
        assert_eq!(typed(open, sign, &['w']), format!("{sign}one x"));
        assert_eq!(typed(open, sign, &['u']), format!("{sign}x"));
        assert_eq!(typed(open, sign, &['a']), format!("{sign}xone two"));
        assert_eq!(typed(open, sign, &['a', 'k']), format!("{sign}x"));
        assert_eq!(typed(open, sign, &['a', 'e']), format!("{sign}one twox"));
    }
}

#[test]
fn the_help_finds_keys_by_what_they_do_and_by_how_they_are_spelled() {
    let first = |keys: &str| {
        let mut play = Play::new(80, 24);
        let screen = play.keys("\nn\n?").keys(keys).screen();
        let chosen = screen.lines().find(|it| it.contains('▸'));
        let chosen = chosen.unwrap_or("").trim_start_matches([' ', '▸']);
        chosen.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = [
        "starter prog",
        "ctrl-r",
        "Ctrl+R",
        "F5",
        "r",
        "R",
        "shift-down",
        "space",
        "plot",
    ];
    let said = said.map(|it| format!("{it}: {}", first(it)));
    insta::assert_snapshot!(said.join("\n"), @"
    starter prog: R the starter program again
    ctrl-r: r Ctrl-R run the program
    Ctrl+R: r Ctrl-R run the program
    F5: v F5 the diff of your program against the starter
    r: r Ctrl-R run the program
    R: R the starter program again
    shift-down: ↓ J Shift-↓ the next line of the program: the timeline marks its
    space: Space F8 the pane a screen down
    plot: plot what the program has drawn, after a run that drew
    ");
}

#[test]
fn the_help_runs_what_is_chosen_and_says_why_that_does_nothing() {
    let mut play = Play::new(80, 24);
    play.keys("\nn\n?the list\n");
    assert!(play.screen().contains(" devices "), "{}", play.screen());
    play.keys("q?zoom in\n");
    insta::assert_snapshot!(play.screen().lines().last().unwrap_or("").trim(), @"There is no timeline yet: run the lab first.");
    // What is only said has no key to run.
    play.keys("?plot");
    insta::assert_snapshot!(play.screen().lines().last().unwrap_or("").trim(), @"↓ down   Esc close");
    let help = play.screen();
    assert_eq!(play.keys("\n").screen(), help);
}

#[test]
fn the_key_that_opens_the_help_closes_it_until_something_is_typed() {
    let mut play = Play::new(80, 24);
    let map = play.screen();
    assert_eq!(play.keys("??").screen(), map);
    play.keys("?a?");
    assert!(play.screen().contains("? a?"), "{}", play.screen());
    assert_eq!(play.press(KeyCode::F(1)).screen(), map);
}

#[test]
fn a_paste_where_nothing_is_typed_says_where_it_can_be_pasted() {
    let said = |keys: &str| {
        let mut play = Play::new(80, 24);
        play.keys(keys).send(Event::Paste("text".to_owned()));
        let screen = play.screen();
        let rows: Vec<_> = screen.lines().rev().take(2).map(str::trim).collect();
        rows.join(" | ")
    };
    insta::assert_snapshot!(said(""), @"Nothing is typed here. Paste into a program, an answer or a search. |");
    insta::assert_snapshot!(said("\nn\n"), @"Nothing was pasted: e edits the program, and then you can. |");
    assert!(!said("\nn\ne").contains("paste"));
    assert!(!said("z").contains("Nothing is typed"));
}

#[test]
fn what_people_type_first_is_answered_on_every_screen() {
    let first = |to: &str, word: &str| {
        let mut play = play(80, 24);
        play.keys(to).keys(":").keys(word);
        let screen = play.screen();
        let row = screen.lines().find(|it| it.contains('▸')).unwrap_or("");
        format!("{word}: {}", row.trim())
    };
    let words = [
        "undo", "exit", "save", "run", "font", "theme", "language", "back", "search", "reset",
        "lessons", "score",
    ];
    let on_map = words.map(|it| first("", it));
    insta::assert_snapshot!(on_map.join("\n"), @"
    undo: ▸ help   undo: while you edit a program  Ctrl-Z  Alt-u
    exit: ▸ help   exit, close: quit from anywhere
    save: ▸ help   save: everything is saved when you do it; a key is needed only when
    run: ▸ help   run the program: in a lab  r  Ctrl-R
    font: ▸ help   colours, font: the settings have the theme; the font is that of
    theme: ▸ key    settings: theme, mouse, keys  ,  F9
    language: ▸ help   language: `warpup --language CODE` reads a translation of the
    back: ▸ help   back, home, lessons: the key for back leads from screen to screen
    search: ▸ help   search, find: words in the text of the course
    reset: ▸ help   reset, start over: `warpup progress reset LESSON` forgets a lesson
    lessons: ▸ help   back, home, lessons: the key for back leads from screen to screen
    score: ▸ help   score, points: the map has the best result of each lesson; `warpup
    ");
    let in_lab = words.map(|it| first("\nn\n", it));
    insta::assert_snapshot!(in_lab.join("\n"), @"
    undo: ▸ help   undo: while you edit a program  Ctrl-Z  Alt-u
    exit: ▸ help   exit, close: quit from anywhere
    save: ▸ help   save: everything is saved when you do it; a key is needed only when
    run: ▸ key    run the program  r  Ctrl-R
    font: ▸ help   colours, font: the settings have the theme; the font is that of
    theme: ▸ key    settings: theme, mouse, keys  ,  F9
    language: ▸ help   language: `warpup --language CODE` reads a translation of the
    back: ▸ key    back  q  Esc
    search: ▸ help   search, find: words in the text of the course
    reset: ▸ help   reset, start over: `warpup progress reset LESSON` forgets a lesson
    lessons: ▸ help   back, home, lessons: the key for back leads from screen to screen
    score: ▸ help   score, points: the map has the best result of each lesson; `warpup
    ");
    let in_quiz = words.map(|it| first("z", it));
    insta::assert_snapshot!(in_quiz.join("\n"), @"
    undo: ▸ help   undo: while you edit a program  Ctrl-Z  Alt-u
    exit: ▸ help   exit, close: quit from anywhere
    save: ▸ help   save: everything is saved when you do it; a key is needed only when
    run: ▸ help   run the program: in a lab  r  Ctrl-R
    font: ▸ help   colours, font: the settings have the theme; the font is that of
    theme: ▸ key    settings: theme, mouse, keys  ,  F9
    language: ▸ help   language: `warpup --language CODE` reads a translation of the
    back: ▸ key    back  q  Esc
    search: ▸ help   search, find: words in the text of the course
    reset: ▸ help   reset, start over: `warpup progress reset LESSON` forgets a lesson
    lessons: ▸ help   back, home, lessons: the key for back leads from screen to screen
    score: ▸ help   score, points: the map has the best result of each lesson; `warpup
    ");
}

#[test]
fn the_text_is_searched_from_the_palette_of_any_screen() {
    let mut play = play(80, 24);
    play.keys("z").keys(":search\n").keys("narrow\n");
    assert!(play.screen().contains("It is narrow."), "{}", play.screen());
    // An answer without a key stays.
    let mut play = self::play(80, 24);
    play.keys(":reset\n");
    assert!(head(&play).starts_with("Go to"), "{}", play.screen());
}
