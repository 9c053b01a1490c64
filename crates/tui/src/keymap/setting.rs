//! Keys that a learner has set: the table `[keys]` of settings.toml becomes [`Keys`], and what is wrong with it is said.

use std::ops::Range;

use super::action::Action;
use super::binding::{Chord, Context};
use super::keys::Keys;
use super::{ALL, names};
use warpup_store::settings::KeySetting;

/// Something in `[keys]` that sets nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The bytes of the file that it is about.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub hint: String,
}

/// The keys with these settings, and those settings that do not count: their actions keep the keys of the table.
pub fn with_settings(settings: &[KeySetting]) -> (Keys, Vec<Mistake>) {
    let mut mistakes = Vec::new();
    let mut set = Vec::new();
    for setting in settings {
        match read(setting) {
            Ok((name, chords)) => set.push((name, chords, setting.keys_at.clone())),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    loop {
        let keys = Keys {
            set: set
                .iter()
                .map(|(name, chords, _)| (*name, chords.clone()))
                .collect(),
        };
        if set.is_empty() {
            mistakes.sort_by_key(|it| it.at.start);
            return (keys, mistakes);
        }
        // The one that comes last in the file goes: what it wants is taken.
        let refused = clashes(&keys).into_iter().find_map(|clash| {
            let at = set
                .iter()
                .rposition(|it| clash.names.contains(&Some(it.0)))?;
            Some((at, clash))
        });
        let Some((at, clash)) = refused else {
            mistakes.sort_by_key(|it| it.at.start);
            return (keys, mistakes);
        };
        let (name, _, keys_at) = set.remove(at);
        let other = usize::from(clash.names.first() == Some(&Some(name)));
        let taken_by = clash.helps.get(other).copied().unwrap_or_default();
        let free = match clash.names.get(other).copied().flatten() {
            Some(other) => format!("take another key, or give `{other}` another one, too"),
            None => "take another key".to_owned(),
        };
        mistakes.push(Mistake {
            at: keys_at,
            message: format!(
                "`{name}` keeps its keys: on one screen, {} is also the key for “{taken_by}”",
                clash.chord.name()
            ),
            hint: free,
        });
    }
}

/// The name of the action in the table, and its keys.
fn read(setting: &KeySetting) -> Result<(&'static str, Vec<Chord>), Mistake> {
    let mistake = |at: &Range<usize>, message: String, hint: &str| Mistake {
        at: at.clone(),
        message,
        hint: hint.to_owned(),
    };
    let known = names::all().into_iter().find(|it| *it == setting.action);
    let Some(name) = known else {
        let message = format!("there is no action `{}`", setting.action);
        let hint = "`,` opens the settings, which list all actions with their keys";
        return Err(mistake(&setting.action_at, message, hint));
    };
    let form = "write one key, such as \"ctrl-r\", or several, such as [\"space\", \"f\"]";
    let keys = setting.keys.as_ref().filter(|it| !it.is_empty());
    let Some(keys) = keys else {
        let message = format!("`{name}` has no keys here");
        return Err(mistake(&setting.keys_at, message, form));
    };
    let chords: Result<Vec<_>, _> = keys.iter().map(|it| Chord::spelled(it)).collect();
    let hint = "keys are letters and signs, space, enter, tab, backspace, up, page-up, home, delete, f1 to f12, also with ctrl-, alt- or shift-";
    let chords = chords.map_err(|why| mistake(&setting.keys_at, why, hint))?;
    Ok((name, chords))
}

/// A key that two actions of one screen share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clash {
    context: Context,
    chord: Chord,
    names: [Option<&'static str>; 2],
    helps: [&'static str; 2],
}

/// A key with its action, the action's name and what the help says of it.
type Used = (Chord, Action, Option<&'static str>, &'static str);

/// The clashes that the table alone does not have.
fn clashes(keys: &Keys) -> Vec<Clash> {
    let of_table = all_clashes(&Keys::default());
    let mut clashes = all_clashes(keys);
    clashes.retain(|it| !of_table.contains(it));
    clashes
}

fn all_clashes(keys: &Keys) -> Vec<Clash> {
    let mut clashes = Vec::new();
    for context in ALL {
        let mut used: Vec<Used> = Vec::new();
        for (of, binding) in [context, Context::EVERYWHERE]
            .into_iter()
            .flat_map(|of| keys.bindings(of).map(move |it| (of, it)))
        {
            let is_typed = |it: &Chord| of != context && context.takes_text() && it.is_letter();
            for chord in binding.keys.iter().filter(|it| !is_typed(it)) {
                let name = binding.action.name();
                let first = used
                    .iter()
                    .find(|(it, action, ..)| it == chord && *action != binding.action);
                if let Some((_, _, first_name, help)) = first {
                    clashes.push(Clash {
                        context,
                        chord: *chord,
                        names: [*first_name, name],
                        helps: [*help, binding.help],
                    });
                }
                used.push((*chord, binding.action, name, binding.help));
            }
        }
    }
    clashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::{AppAction, LabAction, Motion};
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    fn setting(line: usize, action: &str, keys: &[&str]) -> KeySetting {
        let keys: Vec<_> = keys.iter().map(|it| (*it).to_owned()).collect();
        KeySetting {
            action: action.to_owned(),
            action_at: 100 * line..100 * line + 1,
            keys: (!keys.is_empty()).then_some(keys),
            keys_at: 100 * line + 50..100 * line + 51,
        }
    }

    /// The keys with these settings, and what is said about them.
    fn set(settings: &[(&str, &[&str])]) -> (Keys, String) {
        let settings = settings.iter().enumerate();
        let settings: Vec<_> = settings.map(|(at, it)| setting(at, it.0, it.1)).collect();
        let (keys, mistakes) = with_settings(&settings);
        let said = mistakes.iter();
        let said: Vec<_> = said
            .map(|it| format!("{}: {} | {}", it.at.start, it.message, it.hint))
            .collect();
        (keys, said.join("\n"))
    }

    fn means(keys: &Keys, context: Context, code: KeyCode) -> Option<Action> {
        keys.action(context, KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn names(keys: &Keys, context: Context, action: Action) -> String {
        let mut all = keys.bindings(context);
        let found = all.find(|it| it.action == action);
        found.map(|it| it.names()).unwrap_or_default()
    }

    #[test]
    fn a_key_that_is_set_comes_in_the_place_of_the_tables() {
        let (keys, said) = set(&[("page-down", &["space", "u"]), ("run", &["ctrl-r"])]);
        assert_eq!(said, "");
        let page_down = Action::Scroll(Motion::PageDown);
        assert_eq!(names(&keys, Context::PAGE, page_down), "Space  u");
        assert_eq!(
            names(&keys, Context::LAB, Action::Lab(LabAction::Run)),
            "Ctrl-R"
        );
        let u = KeyCode::Char('u');
        assert_eq!(means(&keys, Context::PAGE, u), Some(page_down));
        assert_eq!(means(&keys, Context::PAGE, KeyCode::Enter), None);
        assert_eq!(means(&keys, Context::LAB, KeyCode::Char('r')), None);
        // Where the table gives the key to another action, that one keeps it.
        assert_eq!(names(&keys, Context::MULTI, page_down), "u");
    }

    #[test]
    fn two_actions_can_change_their_keys() {
        let (keys, said) = set(&[("run", &["e"]), ("edit", &["r"])]);
        assert_eq!(said, "");
        for context in [Context::LAB, Context::LAB_PAGE] {
            let e = means(&keys, context, KeyCode::Char('e'));
            assert_eq!(e.and_then(Action::name), Some("run"));
        }
    }

    #[test]
    fn letters_are_typed_and_the_way_back_stays() {
        let (keys, said) = set(&[("hint", &["H"]), ("back", &["X"]), ("help", &["!"])]);
        assert_eq!(said, "");
        let capital = KeyCode::Char('H');
        assert_eq!(means(&keys, Context::TYPING, capital), None);
        assert!(means(&keys, Context::SINGLE, capital).is_some());
        assert!(means(&keys, Context::TYPING, KeyCode::F(2)).is_some());
        for context in [Context::TYPING, Context::PAGE, Context::LAB, Context::MAP] {
            let back = means(&keys, context, KeyCode::Esc);
            assert_eq!(back, Some(Action::Back), "{context:?}");
            let help = means(&keys, context, KeyCode::F(1));
            assert_eq!(help, Some(Action::App(AppAction::Help)), "{context:?}");
        }
    }

    #[test]
    fn what_cannot_be_set_is_said_and_sets_nothing() {
        let (keys, said) = set(&[
            ("pagedown", &["f"]),
            ("run", &["ctrl-c"]),
            ("edit", &["r"]),
            ("search", &[]),
            ("next-page", &["u"]),
            ("quiz", &["u"]),
        ]);
        insta::assert_snapshot!(said, @r#"
        0: there is no action `pagedown` | `,` opens the settings, which list all actions with their keys
        150: `ctrl-c` cannot be set: it always cancels, and quits | keys are letters and signs, space, enter, tab, backspace, up, page-up, home, delete, f1 to f12, also with ctrl-, alt- or shift-
        250: `edit` keeps its keys: on one screen, r is also the key for “open the lab and run it” | take another key, or give `run` another one, too
        350: `search` has no keys here | write one key, such as "ctrl-r", or several, such as ["space", "f"]
        550: `quiz` keeps its keys: on one screen, u is also the key for “next page; after the last one what follows” | take another key, or give `next-page` another one, too
        "#);
        let of = |context, action| names(&keys, context, action);
        assert_eq!(of(Context::LAB, Action::Lab(LabAction::Edit)), "e  i");
        assert_eq!(of(Context::LAB, Action::Lab(LabAction::Run)), "r  Ctrl-R");
        let u = means(&keys, Context::PAGE, KeyCode::Char('u'));
        assert_eq!(u.and_then(Action::name), Some("next-page"));
    }

    #[test]
    fn no_setting_can_take_away_the_keys_that_quit() {
        let all = names::all();
        assert!(!all.contains(&"quit") && !all.contains(&"interrupt"));
        for key in ["ctrl-c", "ctrl-q", "Q", "esc", "ctrl-z"] {
            let (keys, said) = set(&[("search", &[key])]);
            assert!(!said.is_empty(), "{key}");
            assert_eq!(keys, Keys::default());
        }
    }
}
