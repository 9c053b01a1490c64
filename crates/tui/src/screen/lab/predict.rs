//! The prediction that a lab may ask for before it runs, and its comparison with the run.

use ratatui::text::Line;

use super::prediction_form::{FormTab, PredictionForm};
use super::state::{Lab, Mode};
use crate::form::form;
use crate::keymap::{Action, Context, FormAction, LabAction};
use crate::page;
use crate::screen::behaviour::Step;
use crate::screen::review::role_of;
use crate::session::{Session, UpdateContext};
use crate::theme::Role;
use warpup_course::Question;
use warpup_grade::{Answer, grade, order_of, words};
use warpup_lab::prediction;
use warpup_progress::Event;

impl Lab {
    /// The prediction to ask for before a run; `None` if the lab wants none or has one.
    pub(super) fn must_predict(&self, session: &Session) -> Option<PredictionForm> {
        let question = self.question()?;
        if self.predicted(session).is_some() {
            return None;
        }
        let form = form(question, &order_of(question, 0), &session.keys);
        Some(PredictionForm::new(question.clone(), form))
    }

    /// Performs the action of a key while a prediction is made.
    pub(super) fn predict(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        let has_hints = self.has_hints();
        let Mode::Predicting(predicting) = &mut self.mode else {
            return Step::Stay;
        };
        match action {
            Action::Back => self.mode = Mode::Reading,
            Action::Form(FormAction::Submit) if predicting.looks_at == FormTab::Question => {
                self.commit(ctx);
            }
            Action::Form(FormAction::Submit) => {
                predicting.look_at(FormTab::Question);
                self.scroll.go_to_top();
            }
            Action::Lab(LabAction::NextPane) => {
                predicting.look_at(predicting.looks_at.after(has_hints));
                self.scroll.go_to_top();
            }
            Action::Lab(LabAction::PreviousPane) => {
                predicting.look_at(predicting.looks_at.before(has_hints));
                self.scroll.go_to_top();
            }
            Action::Lab(LabAction::Hint) => {
                predicting.look_at(FormTab::Hints);
                self.next_hint();
            }
            Action::Lab(LabAction::Devices) => self.list_devices(ctx.session),
            Action::Lab(LabAction::Program(motion)) => self.editor.scroll(motion),
            Action::Lab(LabAction::ProgramLeft) => self.editor.scroll_left(),
            Action::Lab(LabAction::ProgramRight) => self.editor.scroll_right(),
            Action::Scroll(_) | Action::Form(_) if predicting.answers(action) => {}
            Action::Scroll(motion) => self.scroll.go(motion),
            Action::Form(_)
            | Action::App(_)
            | Action::Open
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    /// Records the prediction and runs the lab, or says why the answer cannot be read.
    fn commit(&mut self, ctx: &mut UpdateContext<'_>) {
        let Mode::Predicting(predicting) = &mut self.mode else {
            return;
        };
        // Graded with any value, to learn whether the answer can be read: the measured one is not known yet.
        let readable = predicting
            .form
            .answer()
            .and_then(|it| grade(&predicting.question, &it, Some(1.0)).map(|_| it));
        match readable {
            Ok(answer) => {
                ctx.note(Event::Predicted {
                    lesson: self.lesson.id.clone(),
                    question: predicting.question.id.clone(),
                    hash: predicting.question.hash.clone(),
                    answer,
                });
                self.mode = Mode::Reading;
                self.run(ctx);
            }
            Err(unreadable) => predicting.complain(unreadable.sentence()),
        }
    }

    /// The question that the lab asks before it runs.
    pub(super) fn question(&self) -> Option<&Question> {
        prediction::question(&self.lesson, &self.definition)
    }

    /// The committed prediction, if it answers the question as it is now.
    pub(super) fn predicted<'a>(&self, session: &'a Session) -> Option<&'a Answer> {
        let question = self.question()?;
        let lesson = session.learner.progress.lesson(&self.lesson.id);
        lesson.predicted(question)
    }

    /// The prediction beside the value of the run.
    pub(super) fn prediction_lines(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let said = self.question().zip(self.predicted(session));
        let Some((question, answer)) = said else {
            return Vec::new();
        };
        let head = format!("You predicted: {}", words(question, answer));
        let mut lines = page::paragraph(&head, theme.style(Role::Strong), width);
        let finished = self.runs.last.as_ref().filter(|it| it.run.report.is_some());
        let Some(ran) = finished else { return lines };
        let Some(truth) = prediction::truth(question, &ran.run) else {
            let none = prediction::not_checked(&ran.run);
            lines.extend(page::paragraph(&none, theme.style(Role::Dim), width));
            lines.extend(self.way_to_plot(session));
            return lines;
        };
        let shown = format!("This run: {}", prediction::told(question, &ran.run, truth));
        lines.extend(page::paragraph(&shown, theme.style(Role::Strong), width));
        if let Ok(verdict) = grade(question, answer, Some(truth)) {
            let correctness = verdict.correctness();
            // It names the prediction: beside it is the verdict on the program.
            let (sign, word) = (correctness.sign(), correctness.word());
            let said = format!("{sign} your prediction was {word}");
            let kept = session.learner.saving.kept(ran.receipt);
            let (said, role) = kept.say(&said, role_of(correctness));
            lines.push(theme.line(&said, role));
            lines.extend(self.way_to_plot(session));
            let feedback = verdict.feedback.iter();
            lines.extend(feedback.flat_map(|it| page::text(it, width, theme)));
            lines.push(Line::default());
            lines.extend(page::prose(&question.explain, width, theme));
        }
        lines
    }

    /// That the run drew a plot: the verdict is shown first, and the plot is one of the panes behind it.
    fn way_to_plot(&self, session: &Session) -> Option<Line<'static>> {
        self.plots().next()?;
        let next = Action::Lab(LabAction::NextPane);
        // While the program is edited, letters are typed.
        let here = match self.mode {
            Mode::Editing => Context::EDITING,
            Mode::Reading | Mode::Predicting(_) | Mode::ChoosingDevice(_) => Context::LAB,
        };
        let key = session.keys.first(here, next)?;
        let said = format!("{key} shows the plot of this run");
        Some(session.theme.line(&said, Role::Key))
    }
}
