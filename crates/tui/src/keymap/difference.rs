//! How the keys of a context differ from those of another one: a context with a difference is not listed again.

use super::action::Action;
use super::binding::Binding;

/// Insertions, one after the other.
pub(super) type Difference = &'static [Insertion];

/// Bindings that are put into a table. They come in the place of those that it has for the same actions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Insertion {
    /// The action in front of which they stand; without one, they are the first.
    before: Option<Action>,
    bindings: &'static [Binding],
}

/// Puts the most important bindings of a context first.
pub(super) const fn first(bindings: &'static [Binding]) -> Insertion {
    Insertion {
        before: None,
        bindings,
    }
}

/// Puts bindings before the one for the same action as `anchor`.
pub(super) const fn before(anchor: &Binding, bindings: &'static [Binding]) -> Insertion {
    Insertion {
        before: Some(anchor.action),
        bindings,
    }
}

impl Insertion {
    pub(super) fn apply(&self, table: &mut Vec<&'static Binding>) {
        let anchor = self
            .before
            .and_then(|action| table.iter().position(|it| it.action == action));
        let (above, below) = table.split_at(anchor.unwrap_or(0));
        let is_kept =
            |it: &&&'static Binding| self.bindings.iter().all(|new| new.action != it.action);
        let kept =
            |part: &[&'static Binding]| part.iter().filter(is_kept).copied().collect::<Vec<_>>();
        *table = [kept(above), self.bindings.iter().collect(), kept(below)].concat();
    }
}

#[cfg(test)]
mod tests {
    use crate::keymap::Context;

    #[test]
    fn a_difference_takes_the_place_of_what_it_changes() {
        let keys = |context: Context| {
            let keys = context.bindings().filter_map(|it| it.keys.first());
            keys.map(|it| it.name()).collect::<Vec<_>>().join(" ")
        };
        insta::assert_snapshot!(keys(Context::PAGE), @"Enter Backspace a n z p Tab 1 2 3 4 5 6 7 8 9 0 / w ↑ ↓ PgUp g G q");
        insta::assert_snapshot!(keys(Context::LAB_PAGE), @"Enter Backspace r a n z p Tab Shift-Tab e 1 2 3 4 5 6 7 8 9 0 / w ↑ ↓ PgDn PgUp g G q");
        insta::assert_snapshot!(keys(Context::WORD_PAGE), @"Backspace q Enter a n p Tab z 1 2 3 4 5 6 7 8 9 0 / w ↑ ↓ PgUp g G");
        insta::assert_snapshot!(keys(Context::LAB_PAGE_FOUND), @"n N Esc Enter r a → z p Tab Shift-Tab e Backspace 1 2 3 4 5 6 7 8 9 0 / w ↑ ↓ PgDn PgUp g G q");
    }
}
