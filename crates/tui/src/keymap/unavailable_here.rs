//! What to say of a key that does nothing here and something on another screen.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Keys;
use super::binding::Context;

/// The screens with keys of their own: first those of a lesson, where most keys are pressed.
const PLACES: [(Context, &str); 8] = [
    (Context::PAGE, "on a page"),
    (Context::LAB_PAGE, "on a page with a lab"),
    (Context::LAB, "in a lab"),
    (Context::SINGLE, "at a question of a quiz"),
    (Context::RESULTS, "on the results of a quiz"),
    (Context::MAP, "on the map"),
    (Context::DOCTOR, "in the doctor"),
    (Context::TRACE, "on a trace"),
];

/// Where keys of a lab or a question rest, and when they work.
const ANOTHER_TIME: [(Context, Context, &str); 4] = [
    (Context::RUNNING, Context::LAB, "when the run has ended"),
    (
        Context::DEVICES,
        Context::LAB,
        "after the choice of a device",
    ),
    (
        Context::PREDICT_CHOICE,
        Context::LAB,
        "after the prediction",
    ),
    (Context::VERDICT, Context::SINGLE, "before you answer"),
];

/// Where a letter that means nothing is a slip. Elsewhere letters are typed or choose, or something waits for the learner.
const SAYS_SO: [Context; 13] = [
    Context::MAP,
    Context::PAGE,
    Context::LAB_PAGE,
    Context::WORD_PAGE,
    Context::LAB,
    Context::RUNNING,
    Context::DEVICES,
    Context::PREDICT_CHOICE,
    Context::SINGLE,
    Context::VERDICT,
    Context::RESULTS,
    Context::DOCTOR,
    Context::TRACE,
];

impl Keys {
    /// Where a letter works that means nothing here, and what it does there; nothing if it works nowhere.
    pub(crate) fn elsewhere(&self, here: Context, pressed: KeyEvent) -> Option<String> {
        let KeyCode::Char(letter) = pressed.code else {
            return None;
        };
        let is_plain = pressed.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        if !is_plain || !(letter.is_alphabetic() || letter == '/') || !SAYS_SO.contains(&here) {
            return None;
        }
        let resting = ANOTHER_TIME.iter().filter(|it| it.0 == here);
        let resting = resting.map(|(_, of, when)| (*of, *when));
        resting.chain(PLACES).find_map(|(context, place)| {
            let mut bindings = self.bindings(context);
            let bound = bindings.find(|it| it.keys.iter().any(|key| key.is(pressed)))?;
            let mut own = self.bindings(here);
            Some(match own.find(|it| it.action == bound.action) {
                Some(own) => {
                    let key = self.first(here, own.action)?;
                    format!("Here {key}, not {letter}: {}", own.help)
                }
                None => format!("{letter} works {place}: {}", bound.help),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(here: Context, letter: char) -> Option<String> {
        let pressed = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        Keys::default().elsewhere(here, pressed)
    }

    #[test]
    fn a_letter_that_works_elsewhere_says_where() {
        insta::assert_snapshot!(said(Context::RESULTS, 'm').unwrap(), @"Here r, not m: only the missed questions again");
        insta::assert_snapshot!(said(Context::MAP, 'b').unwrap(), @"b works on a page: a screen up");
        insta::assert_snapshot!(said(Context::MAP, 'e').unwrap(), @"e works on a page with a lab: open the lab and edit it");
        insta::assert_snapshot!(said(Context::LAB, 'n').unwrap(), @"n works on a page: next page; after the last one what follows");
        insta::assert_snapshot!(said(Context::RUNNING, 'd').unwrap(), @"d works when the run has ended: choose the device from a list");
        insta::assert_snapshot!(said(Context::PREDICT_CHOICE, 'v').unwrap(), @"v works after the prediction: the diff of your program against the starter");
        insta::assert_snapshot!(said(Context::VERDICT, 'h').unwrap(), @"h works before you answer: next hint");
        // Of two screens, the one of a lesson is meant.
        insta::assert_snapshot!(said(Context::PAGE, 'd').unwrap(), @"d works in a lab: choose the device from a list");
        insta::assert_snapshot!(said(Context::LAB, '/').unwrap(), @"/ works on a page: search the page, the lesson and the course");
        assert_eq!(said(Context::PREDICT_TYPING, 'v'), None);
        assert_eq!(said(Context::MAP, 'ü'), None);
        // Where text is typed, or letters choose, none is a slip.
        assert_eq!(said(Context::TYPING, 'm'), None);
        assert_eq!(said(Context::MATCH, 'm'), None);
    }
}
