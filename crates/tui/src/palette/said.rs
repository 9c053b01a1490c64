//! What the palette answers to words that no entry has: keys of other screens, and what people type first elsewhere.
//!
//! It is not listed before something is typed.

use super::entries::{Entry, EntryTarget};
use crate::keymap::{Action, AppAction, Context, PageAction};
use crate::session::Session;

/// The kind of such an entry.
pub(super) const SAID: &str = "help";

/// Where keys work, the place to be named first.
const PLACES: [(Context, &str); 9] = [
    (Context::LAB, "in a lab"),
    (Context::EDITING, "while you edit a program"),
    (Context::PAGE, "on a page"),
    (Context::LAB_PAGE, "on a page with a lab"),
    (Context::MAP, "on the map"),
    (Context::SINGLE, "at a question of a quiz"),
    (Context::VERDICT, "after an answer"),
    (Context::RESULTS, "on the results of a quiz"),
    (Context::DOCTOR, "in the doctor"),
];

/// What has no key of its own under the name that people look for.
const ANSWERS: [(&str, EntryTarget); 8] = [
    (
        "exit, close: quit from anywhere",
        EntryTarget::Act(Action::App(AppAction::Quit)),
    ),
    (
        "colours, font: the settings have the theme; the font is that of your terminal",
        EntryTarget::Act(Action::App(AppAction::Settings)),
    ),
    (
        "search, find: words in the text of the course",
        EntryTarget::Act(Action::App(AppAction::Search)),
    ),
    (
        "language: `warpup --language CODE` reads a translation of the course, such as `de`",
        EntryTarget::Nowhere,
    ),
    (
        "save: everything is saved when you do it; a key is needed only when that fails",
        EntryTarget::Nowhere,
    ),
    (
        "score, points: the map has the best result of each lesson; `warpup progress show LESSON` has all",
        EntryTarget::Nowhere,
    ),
    (
        "reset, start over: `warpup progress reset LESSON` forgets a lesson",
        EntryTarget::Nowhere,
    ),
    (
        "back, home, lessons: the key for back leads from screen to screen to the map of all lessons",
        EntryTarget::Nowhere,
    ),
];

/// The words that such an entry is for, in its name.
pub(super) fn heads(name: &str) -> impl Iterator<Item = &str> {
    let heads = name.split(": ").take(1);
    heads.flat_map(|it| it.split(", "))
}

/// The keys of other screens, with where they work, and the answers.
pub(super) fn said(session: &Session, context: Context) -> Vec<Entry> {
    let keys = &session.keys;
    let here = keys.bindings(context).chain(keys.everywhere(context));
    let mut known: Vec<_> = here.map(|it| it.action).collect();
    let mut entries = Vec::new();
    for (place, words) in PLACES {
        for it in keys.bindings(place) {
            let is_pointless = matches!(
                it.action,
                Action::Scroll(_) | Action::Form(_) | Action::Page(PageAction::Digit(_))
            );
            if !is_pointless && !known.contains(&it.action) {
                known.push(it.action);
                entries.push(Entry {
                    kind: SAID,
                    name: format!("{}: {words}", it.help),
                    about: it.names(),
                    lead: EntryTarget::Nowhere,
                    keys: Vec::new(),
                });
            }
        }
    }
    entries.extend(ANSWERS.into_iter().map(|(name, lead)| Entry {
        kind: SAID,
        name: name.to_owned(),
        about: String::new(),
        lead,
        keys: Vec::new(),
    }));
    entries
}
