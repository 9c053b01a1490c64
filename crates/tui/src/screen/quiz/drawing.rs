//! How a question of a quiz is drawn: while it is asked, and once it is answered.

use ratatui::text::Line;

use super::screen::{Quiz, Stage};
use crate::form::Form;
use crate::keymap::{Action, Context, Destination, FormAction};
use crate::page;
use crate::screen::review::{HANDED_IN, answered, hint, review, verdict_lines, word};
use crate::scroll::VisibleLines;
use crate::session::Session;
use crate::theme::Role;
use warpup_grade::AttemptQuestion;

impl Quiz {
    pub(super) fn draw(
        &self,
        asked: &AttemptQuestion,
        width: u16,
        session: &Session,
    ) -> VisibleLines {
        let theme = session.theme;
        let question = &asked.question;
        let mut lines = page::prose(&question.prompt, width, theme);
        lines.push(Line::default());
        match &self.stage {
            Stage::Asking(form, complaint) => {
                let mut drawn = form.draw(width, theme).below(lines);
                let (said, role) = match self.confidence {
                    Some(confidence) => (format!("You are {}.", word(confidence)), Role::Key),
                    None => (self.about_confidence(form.as_ref(), session), Role::Dim),
                };
                if !said.is_empty() {
                    drawn.lines.push(Line::default());
                    let said = page::paragraph(&said, theme.style(role), width);
                    drawn.lines.extend(said);
                }
                let hints = question.hints.iter().take(self.hints);
                drawn
                    .lines
                    .extend(hints.flat_map(|it| hint(it, width, theme)));
                if let Some(complaint) = complaint {
                    drawn.lines.push(Line::default());
                    let start = drawn.lines.len();
                    let said = [
                        theme.span(complaint, Role::Warn),
                        theme.span(" (Not counted.)", Role::Dim),
                    ];
                    drawn.lines.extend(page::wrap(&said, width));
                    drawn.focus = start..drawn.lines.len();
                }
                drawn
            }
            Stage::Answered(None, receipt) => {
                let (word, role) = session
                    .learner
                    .saving
                    .kept(*receipt)
                    .say(HANDED_IN, Role::Good);
                let mut handed_in = vec![theme.line(&word, role), Line::default()];
                handed_in.append(&mut lines);
                handed_in.extend(answered(asked, width, theme));
                VisibleLines {
                    focus: 0..1,
                    lines: handed_in,
                    ..VisibleLines::default()
                }
            }
            Stage::Answered(Some(verdict), receipt) => {
                let kept = session.learner.saving.kept(*receipt);
                let mut judged = verdict_lines((asked, verdict), kept, width, theme);
                judged.push(Line::default());
                judged.append(&mut lines);
                judged.extend(review(asked, kept, width, theme));
                judged.push(Line::default());
                judged.extend(page::prose(&question.explain, width, theme));
                judged.extend(self.read_again(width, session));
                // The verdict is the first line, so that it is on screen with the question, however small the terminal and
                // however long the question.
                VisibleLines {
                    focus: 0..1,
                    lines: judged,
                    ..VisibleLines::default()
                }
            }
        }
    }

    /// What the key is for with which learners say how sure they are, at the first answer of an attempt; empty after it.
    fn about_confidence(&self, form: &dyn Form, session: &Session) -> String {
        let attempt = self.taking.attempt();
        let mut asked = attempt.asked().iter();
        if form.answer().is_err()
            || attempt.is_graded_elsewhere()
            || asked.any(|it| it.given.is_some())
        {
            return String::new();
        }
        let action = Action::Form(FormAction::Confidence);
        let key = session.keys.first(form.context(), action);
        key.map_or_else(String::new, |key| {
            format!("{key}  mark how sure you are: the results show where you were sure and wrong")
        })
    }

    /// The page to read again, and the key that opens it; nothing where the answer is right or the question points to none.
    fn read_again(&self, width: u16, session: &Session) -> Vec<Line<'static>> {
        let Some(page) = self.to_read_again() else {
            return Vec::new();
        };
        let key = Action::Go(Destination::ReadAgain);
        let key = session.keys.name(Context::VERDICT, key);
        let said = format!("{key}  read again: {}", page.title);
        page::paragraph(&said, session.theme.style(Role::Key), width)
    }
}
