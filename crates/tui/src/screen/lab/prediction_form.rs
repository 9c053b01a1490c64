//! A prediction before it is committed: the question that a lab asks before it runs, its form, and what is looked at
//! meanwhile.

use ratatui::crossterm::event::KeyEvent;
use ratatui::text::Line;

use crate::form::Form;
use crate::keymap::{Action, Context};
use crate::page;
use crate::scroll::VisibleLines;
use crate::theme::{Role, Theme};
use warpup_course::Question;

#[derive(Debug)]
pub(super) struct PredictionForm {
    pub(super) question: Question,
    pub(super) form: Box<dyn Form>,
    complaint: Option<String>,
    pub(super) looks_at: FormTab,
    /// Whether the pane shows what is chosen; otherwise the learner has scrolled it.
    follows_choice: bool,
}

/// What the pane shows while a prediction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormTab {
    Question,
    Task,
    Hints,
}

impl FormTab {
    /// What there is to look at, in the order of the tabs.
    fn listed(has_hints: bool) -> impl Iterator<Item = Self> {
        let all = [Self::Question, Self::Task, Self::Hints];
        all.into_iter()
            .filter(move |it| has_hints || *it != Self::Hints)
    }

    pub(super) fn after(self, has_hints: bool) -> Self {
        match self {
            Self::Question => Self::Task,
            Self::Task if has_hints => Self::Hints,
            Self::Task | Self::Hints => Self::Question,
        }
    }

    pub(super) fn before(self, has_hints: bool) -> Self {
        match self {
            Self::Question if has_hints => Self::Hints,
            Self::Question | Self::Hints => Self::Task,
            Self::Task => Self::Question,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Question => "predict before you run",
            Self::Task => "task",
            Self::Hints => "hints",
        }
    }
}

impl PredictionForm {
    pub(super) fn new(question: Question, form: Box<dyn Form>) -> Self {
        Self {
            question,
            form,
            complaint: None,
            looks_at: FormTab::Question,
            follows_choice: true,
        }
    }

    pub(super) fn context(&self) -> Context {
        if self.form.context() == Context::TYPING {
            Context::PREDICT_TYPING
        } else {
            Context::PREDICT_CHOICE
        }
    }

    /// What starts the run.
    pub(super) fn how_to_run(&self) -> &'static str {
        if self.context() == Context::PREDICT_TYPING {
            "Type an answer; Enter starts the run."
        } else {
            "Choose an answer; Enter starts the run."
        }
    }

    /// The names of what can be looked at, the chosen one marked.
    pub(super) fn tabs(&self, has_hints: bool, theme: Theme) -> Line<'static> {
        let spans = FormTab::listed(has_hints).map(|it| {
            if it == self.looks_at {
                theme.span(&format!("[{}]", it.word()), Role::Key)
            } else {
                theme.span(&format!(" {} ", it.word()), Role::Dim)
            }
        });
        Line::from(spans.collect::<Vec<_>>())
    }

    pub(super) fn look_at(&mut self, what: FormTab) {
        self.looks_at = what;
        self.follows_choice = true;
    }

    /// Gives an action to the form, where the question is visible. Says whether it did something.
    pub(super) fn answers(&mut self, action: Action) -> bool {
        if self.looks_at != FormTab::Question {
            return false;
        }
        let did = self.form.act(action);
        if did {
            self.complaint = None;
        }
        self.follows_choice = did;
        did
    }

    /// Typing answers, whatever is looked at.
    pub(super) fn key(&mut self, key: KeyEvent) {
        self.look_at(FormTab::Question);
        self.form.key(key);
        self.complaint = None;
    }

    /// Takes a click on a row of the form.
    pub(super) fn pick(&mut self, row: usize) {
        self.form.pick(row);
        self.complaint = None;
    }

    /// Shows what a tab is for.
    pub(super) fn choose_tab(&mut self, tab: usize, has_hints: bool) {
        let listed = FormTab::listed(has_hints).nth(tab);
        self.look_at(listed.unwrap_or(self.looks_at));
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.look_at(FormTab::Question);
        self.form.paste(text);
    }

    /// Says why the answer cannot be taken.
    pub(super) fn complain(&mut self, why: String) {
        self.follows_choice = true;
        self.complaint = Some(why);
    }

    /// The question and the form.
    pub(super) fn draw(&self, width: u16, theme: Theme) -> VisibleLines {
        let mut prompt = page::prose(&self.question.prompt, width, theme);
        prompt.push(Line::default());
        let mut drawn = self.form.draw(width, theme).below(prompt);
        if let Some(complaint) = &self.complaint {
            let start = drawn.lines.len();
            let said = page::paragraph(complaint, theme.style(Role::Warn), width);
            drawn.lines.extend(said);
            drawn.focus = start..drawn.lines.len();
        }
        if !self.follows_choice {
            drawn.focus = 0..0;
        }
        drawn
    }
}
