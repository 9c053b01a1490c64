//! The keys in force: the table, with what the learner has set in its place.

use std::borrow::Cow;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::{Action, AppAction};
use super::binding::{Binding, Chord, Context, KeyGroup};
use super::{ALL, FooterKey};

/// The keys in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// What the learner has set: the name of actions, and their keys.
    pub(super) set: Vec<(&'static str, Vec<Chord>)>,
}

/// A line of the table, and the keys that it has now.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// Any of these; the footer shows the first one.
    pub(super) keys: Cow<'static, [Chord]>,
    pub(crate) action: Action,
    /// The text in the help.
    pub(crate) help: &'static str,
    short: &'static str,
}

impl Bound {
    /// The names of all keys, for the help.
    pub(crate) fn names(&self) -> String {
        let names: Vec<_> = self.keys.iter().map(|it| it.name()).collect();
        names.join("  ")
    }

    /// The keys as people spell them, such as `ctrl-r` and `down`.
    pub(crate) fn spellings(&self) -> Vec<String> {
        self.keys.iter().map(|it| it.spelling()).collect()
    }
}

/// An action that can have other keys.
#[derive(Clone, Debug)]
pub(crate) struct RebindableAction {
    /// Where the table has it first.
    pub(crate) group: KeyGroup,
    pub(crate) name: &'static str,
    pub(crate) keys: String,
    pub(crate) help: &'static str,
}

impl Keys {
    /// The lines of a context, the most important first.
    pub(crate) fn bindings(&self, context: Context) -> impl Iterator<Item = Bound> {
        context.bindings().map(move |it| Bound {
            keys: self.of(context, it),
            action: it.action,
            help: it.help,
            short: it.short,
        })
    }

    /// The lines that work everywhere and are not hidden in a context: by a line for the same action there, or by others for
    /// each of their keys. Where text is typed they have no letters, and those that have nothing else no key.
    pub(crate) fn everywhere(&self, context: Context) -> impl Iterator<Item = Bound> {
        let own: Vec<_> = self.bindings(context).collect();
        let types = context.takes_text();
        let free = self.bindings(Context::EVERYWHERE).filter(move |it| {
            let is_taken = |key| own.iter().any(|it| it.keys.contains(key));
            own.iter().all(|own| own.action != it.action) && !it.keys.iter().all(is_taken)
        });
        free.map(move |mut it| {
            if types {
                it.keys.to_mut().retain(|key| !key.is_letter());
            }
            it
        })
    }

    /// The name of the first key of an action.
    pub(crate) fn first(&self, context: Context, action: Action) -> Option<String> {
        let bound = self.bindings(context).find(|it| it.action == action)?;
        Some(bound.keys.first()?.name())
    }

    /// The same for a sentence on the screen; empty where the context has no such key, which no sentence names then.
    pub(crate) fn name(&self, context: Context, action: Action) -> String {
        self.first(context, action).unwrap_or_default()
    }

    /// The actions that can have other keys, each with its keys and what it does where the table has it first.
    pub(crate) fn named(&self) -> Vec<RebindableAction> {
        let mut named: Vec<RebindableAction> = Vec::new();
        let all = ALL.into_iter();
        for (group, binding) in
            all.flat_map(|it| self.bindings(it).map(move |bound| (it.group(), bound)))
        {
            let known = |name| named.iter().any(|it| it.name == name);
            if let Some(name) = binding.action.name().filter(|it| !known(*it)) {
                named.push(RebindableAction {
                    group,
                    name,
                    keys: binding.names(),
                    help: binding.help,
                });
            }
        }
        named
    }

    /// The action of a key in a context; its own keys come before those that work everywhere.
    pub(crate) fn action(&self, context: Context, pressed: KeyEvent) -> Option<Action> {
        let find = |context: Context| {
            context
                .bindings()
                .find(|it| self.of(context, it).iter().any(|chord| chord.is(pressed)))
                .map(|it| it.action)
        };
        let is_letter = matches!(pressed.code, KeyCode::Char(_))
            && pressed.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        find(context).or_else(|| {
            if context.takes_text() && is_letter {
                return None;
            }
            find(Context::EVERYWHERE)
        })
    }

    /// The footer of a context: the most important keys first, help last. `word` is what the key of an action does now,
    /// from its word in the table; nothing where the action does nothing.
    pub(crate) fn footer(
        &self,
        context: Context,
        word: impl Fn(Action, &'static str) -> Option<Cow<'static, str>>,
    ) -> Vec<FooterKey> {
        let types = context.takes_text();
        let own = self
            .bindings(context)
            .filter(|it| !it.short.is_empty())
            .filter_map(|it| {
                let word = word(it.action, it.short)?;
                Some((*it.keys.first()?, word, it.action == Action::Back))
            });
        let help = self
            .bindings(Context::EVERYWHERE)
            .filter(|it| !it.short.is_empty() && !Context::WITHOUT_HELP.contains(&context))
            .filter_map(|it| {
                let mut keys = it.keys.iter();
                let first = keys.find(|key| !types || !key.is_letter());
                Some((
                    *first?,
                    Cow::Borrowed(it.short),
                    it.action == Action::App(AppAction::Help),
                ))
            });
        own.chain(help)
            .map(|(key, word, is_always_shown)| FooterKey {
                key: key.name(),
                pressed: key.pressed(),
                word,
                is_always_shown,
            })
            .collect()
    }

    /// The keys of a line. Esc stays what it is everywhere, and where text is typed only keys that type nothing are set.
    fn of(&self, context: Context, binding: &'static Binding) -> Cow<'static, [Chord]> {
        let table = Cow::Borrowed(binding.keys);
        if self.set.is_empty() {
            return table;
        }
        let Some(name) = binding.action.name() else {
            return table;
        };
        let Some((_, set)) = self.set.iter().find(|it| it.0 == name) else {
            return table;
        };
        let is_beside_text = |it: &Chord| it.is_beside_text();
        let is_free = |it: &Chord| !self.means_another(context, *it, binding.action);
        let mut keys: Vec<Chord> = set.iter().copied().filter(is_free).collect();
        let of_table = binding.keys.iter().copied();
        if context.takes_text() {
            keys.retain(is_beside_text);
        }
        if keys.is_empty() {
            return table;
        }
        if context.takes_text() {
            keys.extend(of_table.filter(|it| !it.is_beside_text()));
        } else if context == Context::EVERYWHERE && !keys.iter().any(is_beside_text) {
            // These work while text is typed, too.
            keys.extend(of_table.filter(is_beside_text));
        } else {
            keys.extend(of_table.filter(|it| it.0 == KeyCode::Esc && !set.contains(it)));
        }
        Cow::Owned(keys)
    }

    /// Whether a key means something else here by the table, and this action elsewhere: Space turns pages, but ticks an
    /// option. Who sets such a key for the action means those other places.
    fn means_another(&self, context: Context, key: Chord, action: Action) -> bool {
        let is_set = |it: &Binding| self.set.iter().any(|set| Some(set.0) == it.action.name());
        let means = |it: &Binding| it.keys.contains(&key);
        let mut others = context.bindings().filter(|it| it.action != action);
        let mut everywhere = ALL.into_iter().flat_map(Context::bindings);
        others.any(|it| means(it) && !is_set(it))
            && everywhere.any(|it| it.action.name() == action.name() && means(it))
    }
}
