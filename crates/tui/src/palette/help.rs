//! What the help lists: the keys of a screen, those that work everywhere, and what is to be known besides.

use super::entries::{Entry, EntryTarget};
use crate::keymap::{Bound, Context};
use crate::screen::Screen;
use crate::session::{Pane, Session};

/// What the help says of the mouse.
const MOUSE: &str = "The wheel scrolls. A click chooses a lesson, an option, a tab or a place in the program, opens a link \
                     or a lab, and presses a key of the footer. While you edit a program, dragging selects, a double click \
                     takes the word, and a third click the line. Elsewhere hold Shift to select text, as your terminal does it.";

/// What the help of the map says of its bars.
const BARS: &str = "A lesson has a box for each lab and one for its quiz, at most ten; ▰ is done, ▱ is not yet. At the top, each \
                    box is a lesson.";

/// What the help says of the names of panes.
const MORE_PANES: &str = "there are more, and the key for the next pane goes on to them";

/// What the help says of the keys of panes.
const PANE_KEYS: &str = "the same while you read, edit and wait for a run";

/// What the help says of a screen, in groups; the kind of an entry is its group.
pub(crate) fn help(session: &Session, context: Context, screen: &dyn Screen) -> Vec<Entry> {
    let keys = &session.keys;
    let known = keys.bindings(context);
    let known = known.filter(|it| screen.knows(it.action, session));
    let mut entries: Vec<Entry> = of_keys("On this screen", known).collect();
    if context.has_panes() {
        let panes = Pane::ALL.into_iter().filter(|it| screen.has_pane(*it));
        entries.extend(panes.map(|it| said("Panes", it.word(), it.help())));
        entries.push(said("Panes", "‹  ›", MORE_PANES));
        entries.push(said("Panes", "F2 F5 F6 F7 F8", PANE_KEYS));
    }
    entries.extend(of_keys("Everywhere", keys.everywhere(context)));
    if context == Context::MAP {
        entries.push(said("Bars", "▰  ▱", BARS));
    }
    if session.settings.mouse {
        entries.push(said("Mouse", "", MOUSE));
    }
    entries
}

/// Keys and what they do; those that have no key here are left out.
fn of_keys(group: &'static str, all: impl Iterator<Item = Bound>) -> impl Iterator<Item = Entry> {
    let listed = all.filter(|it| !it.help.is_empty() && !it.names().is_empty());
    listed.map(move |it| Entry {
        kind: group,
        name: it.help.to_owned(),
        about: it.names(),
        lead: EntryTarget::Act(it.action),
        keys: it.spellings(),
    })
}

/// Something that is said of a name, by which it is found, and cannot be run.
fn said(group: &'static str, name: &str, text: &str) -> Entry {
    Entry {
        kind: group,
        name: text.to_owned(),
        about: name.to_owned(),
        lead: EntryTarget::Nowhere,
        keys: vec![name.to_lowercase()],
    }
}
