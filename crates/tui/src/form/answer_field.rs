//! A number or a text, typed on one line.

use ratatui::crossterm::event::KeyEvent;
use ratatui::style::Style;
use ratatui::text::Line;

use super::draw::Form;
use crate::field::Field;
use crate::keymap::{Action, Context, FormAction, Keys};
use crate::page;
use crate::scroll::VisibleLines;
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_grade::{Answer, Input, NoVerdict};

/// A number with the unit that it is asked in, or a text.
#[derive(Debug)]
pub(super) struct AnswerField {
    field: Field,
    unit: String,
    /// What to do, until something is typed.
    prompt: String,
    answer: fn(String) -> Answer,
}

impl AnswerField {
    pub(super) fn new(input: &Input<'_>, keys: &Keys, answer: fn(String) -> Answer) -> Self {
        let enter = keys.name(Context::TYPING, Action::Form(FormAction::Submit));
        let how = input.way.how();
        let unit = input.unit.map_or_else(String::new, |it| format!(" ({it})"));
        Self {
            field: Field::default(),
            unit: input.unit.unwrap_or_default().to_owned(),
            prompt: format!("Type {how}{unit}, then {enter}"),
            answer,
        }
    }
}

impl Form for AnswerField {
    fn context(&self) -> Context {
        Context::TYPING
    }

    fn answer(&self) -> Result<Answer, NoVerdict> {
        let text = self.field.text().trim().to_owned();
        if text.is_empty() {
            return Err(NoVerdict::Empty("type an answer"));
        }
        Ok((self.answer)(text))
    }

    fn act(&mut self, action: Action) -> bool {
        let Action::Form(FormAction::Text(action)) = action else {
            return false;
        };
        self.field.act(action);
        true
    }

    fn key(&mut self, key: KeyEvent) {
        self.field.key(key);
    }

    fn paste(&mut self, text: &str) {
        self.field.insert(text);
    }

    fn draw(&self, width: u16, theme: Theme) -> VisibleLines {
        let text = self.field.text();
        if text.is_empty() {
            return VisibleLines {
                lines: page::prefixed(
                    page::paragraph(
                        &self.prompt,
                        theme.style(Role::Dim),
                        width.saturating_sub(2),
                    ),
                    &[theme.span("› ", Role::Key)],
                    &[theme.span("  ", Role::Key)],
                )
                .collect(),
                focus: 0..1,
                cursor: Some((0, 2)),
                ..VisibleLines::default()
            };
        }
        // Who types a unit may choose another one than the question names.
        let has_unit = text
            .trim_end()
            .ends_with(|it: char| it.is_alphabetic() || it == '%');
        let unit = if has_unit { "" } else { self.unit.as_str() };
        VisibleLines {
            lines: vec![Line::from(vec![
                styled::span("› ", theme.style(Role::Key)),
                styled::span(&text, theme.style(Role::Strong)),
                styled::span(" ", Style::new()),
                styled::span(unit, theme.style(Role::Dim)),
            ])],
            focus: 0..1,
            cursor: Some((0, 2 + self.field.column())),
            ..VisibleLines::default()
        }
    }
}
