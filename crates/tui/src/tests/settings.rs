//! The settings screen, and keys that a learner has set.

use ratatui::crossterm::event::KeyCode;

use super::Play;
use crate::app::Event;
use crate::effect::Effect;
use crate::keymap::with_settings;
use crate::theme::{Background, Colours, Role, Theme};
use warpup_store::settings::{Change, KeySetting, ThemeSetting};

/// The choices that the shell was asked to keep.
fn chosen(play: &Play) -> Vec<Change> {
    let mut chosen = Vec::new();
    for effect in &play.effects {
        if let Effect::Set(change) = effect {
            chosen.push(*change);
        }
    }
    chosen
}

fn at_home(width: u16, height: u16) -> Play {
    let mut play = Play::new(width, height);
    play.app.session.settings.file = Some("~/.config/warpup/settings.toml".to_owned());
    play
}

/// Gives an action one other key.
fn set_key(play: &mut Play, action: &str, key: &str) {
    let setting = KeySetting {
        action: action.to_owned(),
        action_at: 0..1,
        keys: Some(vec![key.to_owned()]),
        keys_at: 2..3,
    };
    let (keys, mistakes) = with_settings(&[setting]);
    assert_eq!(mistakes, []);
    play.app.session.keys = keys;
}

#[test]
fn the_settings_show_themes_the_mouse_the_file_and_all_keys() {
    let mut play = at_home(80, 24);
    insta::assert_snapshot!(play.keys(",").screen(), @r#"
    Settings                                                   lines 1–20 of 176

    Theme
    ▸ ● auto           what fits the terminal
                       Heading code key ✓ right ✗ wrong ! warning MODELLED
      ○ dark           for a dark background
      ○ light          for a light background
      ○ high-contrast  weight and lines, no dim text
      ○ colour-blind   two colours that everybody can tell apart
      ○ sixteen        the colours of your terminal
      ○ none           no colours

    Mouse
      ● on             the wheel scrolls, clicks choose; Shift selects text
      ○ off            the mouse stays with the terminal

    Your choices are kept in ~/.config/warpup/settings.toml

    Keys
    For other keys, write a table into the file, such as:
      [keys]
      page-down = ["space", "f"]
                                                                           ↓ 156
    Enter take   ↓ next   q back   ? help
    "#);
    play.press(KeyCode::End);
    insta::assert_snapshot!(play.screen(), @"
    Settings                                                lines 157–176 of 176

    next-choice         →  l  Space         next right side for this row; its
                                            letter chooses it
    previous-choice     ←                   previous right side for this row
    read-again          l                   read again where the question points
                                            to; q comes back to the quiz
    next-lesson         n                   next lesson
    next-missed         Tab                 the next question that you missed
    all-again           a                   all questions again

    In the doctor
    look-again          r                   look again
    details             Enter               everything that was checked, or the
                                            short form

    On a trace
    moment-later        ]                   the cursor in the timeline to the
                                            right: what is at that moment, and
                                            why the device is idle
    moment-earlier      [                   the cursor in the timeline to the
                                            left

    Enter take   ↓ next   q back   ? help
    ");
    play.keys("q");
    assert!(play.screen().contains("lessons done"), "{}", play.screen());
}

#[test]
fn a_theme_is_shown_at_once_and_kept() {
    let mut play = at_home(80, 24);
    let auto = play.app.session.theme.colours;
    play.keys(",jj\n");
    assert_eq!(play.app.session.theme.colours, Colours::Light);
    assert_eq!(chosen(&play), [Change::Theme(ThemeSetting::Light)]);
    play.send(Event::SettingKept(Ok(())));
    assert!(play.screen().contains("▸ ● light"), "{}", play.screen());
    assert!(play.screen().contains("✓ kept"), "{}", play.screen());
    // The same choice again changes nothing.
    play.keys("\n");
    assert_eq!(chosen(&play).len(), 1);
    play.app.session.settings.automatic = auto;
    play.keys("kk\n");
    assert_eq!(play.app.session.theme.colours, auto);
}

#[test]
fn a_choice_that_cannot_be_written_holds_and_says_why() {
    let mut play = at_home(60, 24);
    play.keys(",").keys("jjjjjjjj ");
    assert_eq!(chosen(&play), [Change::Mouse(false)]);
    let why = "~/.config/warpup/settings.toml is not changed: it is read-only";
    play.send(Event::SettingKept(Err(why.to_owned())));
    insta::assert_snapshot!(play.screen(), @"
    Settings                               lines 1–20 of 143

    Theme
      ● auto           what fits the terminal
      ○ dark           for a dark background
      ○ light          for a light background
      ○ high-contrast  weight and lines, no dim text
      ○ colour-blind   two colours that everybody can tell
                       apart
      ○ sixteen        the colours of your terminal
      ○ none           no colours

    Mouse
      ○ on             the wheel scrolls, clicks choose;
                       Shift selects text
    ▸ ● off            the mouse stays with the terminal

    Your choices are kept in ~/.config/warpup/settings.toml
    ! The choice holds until you quit.
    ~/.config/warpup/settings.toml is not changed: it is
    read-only

                                                       ↓ 123
    Enter take   ↓ next   q back   ? help
    ");
}

#[test]
fn footer_help_and_palette_show_the_keys_in_force() {
    let mut play = Play::new(80, 24);
    set_key(&mut play, "quiz", "ctrl-t");
    let footer = |play: &Play| play.screen().lines().last().unwrap_or("").trim().to_owned();
    insta::assert_snapshot!(footer(&play), @"Enter read  c lesson 1  Ctrl-T quiz  / search  : go to  q quit  ? help");
    play.keys("?");
    let screen = play.screen();
    let help = screen.lines().find(|it| it.contains("take its quiz"));
    insta::assert_snapshot!(help.unwrap_or("").trim(), @"Ctrl-T              take its quiz");
    play.press(KeyCode::Esc).keys(":take its");
    assert!(play.screen().contains("Ctrl-T"), "{}", play.screen());
    play.press(KeyCode::Esc);
    let map = play.screen();
    assert_eq!(play.keys("z").screen(), map);
    assert_ne!(play.ctrl('t').screen(), map);
}

#[test]
fn sentences_name_the_keys_in_force() {
    let with = |action: &str, keys: &str| {
        let mut play = Play::new(80, 24);
        set_key(&mut play, action, "f11");
        play.keys(keys).send(Event::Resize(80, 24));
        play.screen()
    };
    for (action, keys, said) in [
        ("introduction", "", "F11  tour"),
        ("next-page", "\n", "F11  Put it there"),
        ("run", "\nn\n", "F11 runs this on CPU"),
    ] {
        let screen = with(action, keys);
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn the_settings_open_from_every_screen_and_the_page_below_takes_the_theme() {
    let mut play = Play::new(80, 24);
    play.keys("\n").press(KeyCode::F(9));
    assert!(play.screen().starts_with("  Settings"), "{}", play.screen());
    play.press(KeyCode::F(9));
    play.keys("\u{20}j\n").press(KeyCode::Esc);
    let heading = play.buffer()[(2, 2)].clone();
    let theme = play.app.session.theme;
    assert_eq!(theme.colours, Colours::Dark);
    assert_eq!(Some(heading.fg), theme.style(Role::Heading).fg);
}

#[test]
fn a_comma_opens_the_settings_where_it_is_not_typed() {
    let is_open = |keys: &str| {
        let mut play = Play::new(80, 24);
        let screen = play.keys(keys).keys(",").screen();
        screen.trim_start().starts_with("Settings")
    };
    // The map, a page, a page with a lab, a lab, a question, its verdict.
    for keys in ["", "\n", "\nn", "\nn\n", "z", "z1\n"] {
        assert!(is_open(keys), "{keys:?}");
    }
    // A program, a number, words to search for.
    for keys in ["\nn\ne", "z1\n\n", "\n/"] {
        assert!(!is_open(keys), "{keys:?}");
    }
}

#[test]
fn the_screen_has_the_colours_of_the_marked_theme_and_those_below_keep_theirs() {
    let mut play = at_home(80, 24);
    let home = play.buffer();
    play.keys(",");
    play.press(KeyCode::Down);
    assert!(play.screen().contains("Heading code key ✓ right"));
    let buffer = play.buffer();
    let colours = Colours::Dark;
    let dark = Theme {
        colours,
        ..play.app.session.theme
    };
    let heading = dark.style(Role::Heading).fg.unwrap();
    let letters = buffer.content.iter().filter(|it| it.fg == heading);
    let letters: String = letters.map(ratatui::buffer::Cell::symbol).collect();
    assert_eq!(letters, "ThemeHeadingMouseKeys");
    play.keys("q");
    assert_eq!(play.buffer(), home);
    // Who has chosen one begins there.
    play.keys(",").press(KeyCode::Down).keys("\nq,");
    assert!(play.screen().contains("▸ ● dark"), "{}", play.screen());
}

#[test]
fn the_theme_that_fits_the_terminal_follows_its_background() {
    let mut play = Play::new(80, 24);
    play.app.session.settings.automatic = Colours::Any;
    for (background, colours) in [
        (Background::Light, Colours::Light),
        (Background::Dark, Colours::Dark),
    ] {
        play.send(Event::Background(background));
        assert_eq!(play.app.session.theme.colours, colours);
    }
    // On a page that is laid out, too.
    play.keys("\n").send(Event::Background(Background::Light));
    let light = play.app.session.theme.style(Role::Heading).fg;
    assert!(play.buffer().content.iter().any(|it| Some(it.fg) == light));
    play.send(Event::Background(Background::Dark));
    assert!(!play.buffer().content.iter().any(|it| Some(it.fg) == light));
    // Who comes back may have changed it meanwhile.
    play.send(Event::FocusGained);
    assert_eq!(play.effects.last(), Some(&Effect::AskBackground));
    play.app.session.settings.theme = ThemeSetting::HighContrast;
    play.send(Event::Background(Background::Light));
    let colours = play.app.session.theme.colours;
    assert_eq!(colours, Colours::HighContrast);
}
