//! A quiz's questions for the learner's own words: written, then compared with what a good explanation says.
//!
//! Nothing is graded here, and nothing counts: the learner ticks what their own text says. The words are kept as soon
//! as they are committed or left, and the ticks when the question is.

use std::collections::BTreeSet;
use std::rc::Rc;

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::behaviour::{Screen, Step, Target};
use super::review::hint;
use crate::form::hanging;
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, FormAction, Motion};
use crate::scroll::{Scroll, VisibleLines};
use crate::session::{Session, UpdateContext};
use crate::text_entry::TextEntry;
use crate::theme::{Role, Theme};
use crate::{page, styled};
use warpup_course::{Lesson, LessonId, Question, Quiz, Text};
use warpup_progress::Explanation;
use warpup_quiz::own_words::{self, MAX_CHARS};

/// The questions of a quiz that ask for the learner's own words.
#[derive(Debug)]
pub(crate) struct Explain {
    lesson: Rc<Lesson>,
    /// The position of the question on screen among them.
    at: usize,
    stage: Stage,
    /// How many hints of this question are shown.
    hints: usize,
    scroll: Scroll,
    /// What the window has to show.
    in_view: InView,
    /// When the first letter or tick was made that is not in the records.
    typed_since: Option<u64>,
}

/// What the learner does with the question.
#[derive(Debug)]
enum Stage {
    Writing(TextEntry),
    /// Comparing the words with what a good explanation says.
    Comparing(SelfAssessment),
}

/// What the window has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InView {
    /// What the words are compared with: the learner knows their own words.
    Comparison,
    /// The chosen row, or the lines that are written.
    Row,
    /// What the learner has scrolled to.
    Window,
}

/// A text, the parts ticked so far, and the chosen row.
#[derive(Debug)]
struct SelfAssessment {
    text: String,
    said: BTreeSet<usize>,
    row: usize,
}

impl Explain {
    /// Begins with the first question that is not explained yet.
    pub(super) fn open(lesson: &LessonId, session: &Session) -> Option<Self> {
        let lesson = Rc::clone(session.lesson(lesson)?);
        let progress = session.learner.progress.lesson(&lesson.id);
        let quiz = lesson.quiz.as_ref()?;
        let open = |it: (&Question, &[Text])| progress.explanation(it.0).is_none();
        let at = quiz.in_own_words().position(open).unwrap_or(0);
        let (question, _) = quiz.in_own_words().nth(at)?;
        let stage = Stage::Writing(written(question, session, &lesson));
        Some(Self {
            lesson,
            at,
            stage,
            hints: 0,
            scroll: Scroll::default(),
            in_view: InView::Row,
            typed_since: None,
        })
    }

    fn asked(&self) -> impl Iterator<Item = (&Question, &[Text])> {
        self.lesson.quiz.iter().flat_map(Quiz::in_own_words)
    }

    fn question(&self) -> Option<(&Question, &[Text])> {
        self.asked().nth(self.at)
    }

    fn known<'a>(&self, session: &'a Session) -> Option<&'a Explanation> {
        let (question, _) = self.question()?;
        let progress = session.learner.progress.lesson(&self.lesson.id);
        progress.explanation(question)
    }

    /// Keeps what was written or ticked, if it is not kept yet.
    pub(super) fn keep(&mut self, ctx: &mut UpdateContext<'_>) {
        self.typed_since = None;
        let Some((question, _)) = self.question() else {
            return;
        };
        let known = self.known(ctx.session);
        let event = match &self.stage {
            Stage::Writing(it) => own_words::written(&self.lesson.id, question, known, it.text()),
            Stage::Comparing(it) => own_words::ticked(&self.lesson.id, question, known, &it.said),
        };
        if let Some(event) = event {
            ctx.note(event);
        }
    }

    /// Keeps the words and goes on to what they are compared with; without words, to the next question.
    fn commit(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        self.keep(ctx);
        let Some(known) = self.known(ctx.session) else {
            return self.next(ctx);
        };
        self.stage = Stage::Comparing(SelfAssessment {
            text: known.text.clone(),
            said: known.said.clone(),
            row: 0,
        });
        self.in_view = InView::Comparison;
        Step::Stay
    }

    fn next(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        self.keep(ctx);
        let next = self.at + 1;
        let Some((question, _)) = self.asked().nth(next) else {
            return Step::Back;
        };
        self.stage = Stage::Writing(written(question, ctx.session, &self.lesson));
        self.at = next;
        self.hints = 0;
        self.in_view = InView::Row;
        self.scroll.go_to_top();
        Step::Stay
    }

    /// The question with the words, and the first line of what they are compared with.
    fn draw(&mut self, width: u16, theme: Theme) -> (VisibleLines, usize) {
        let mut asked = self.lesson.quiz.iter().flat_map(Quiz::in_own_words);
        let Some((question, parts)) = asked.nth(self.at) else {
            return (VisibleLines::default(), 0);
        };
        let mut lines = page::prose(&question.prompt, width, theme);
        lines.push(Line::default());
        match &mut self.stage {
            Stage::Writing(entry) => {
                let mut drawn = entry.draw(width, theme).below(lines);
                drawn.lines.push(Line::default());
                let said =
                    "A few sentences, as you would say it to a colleague. Nobody grades them.";
                let said = page::paragraph(said, theme.style(Role::Dim), width);
                let hints = question.hints.iter().take(self.hints);
                let hints = hints.flat_map(|it| hint(it, width, theme));
                drawn.lines.extend(said.into_iter().chain(hints));
                (drawn, 0)
            }
            Stage::Comparing(comparing) => comparing.draw(lines, (question, parts), width, theme),
        }
    }
}

/// The words that are kept for a question, to be gone on with.
fn written(question: &Question, session: &Session, lesson: &Lesson) -> TextEntry {
    let progress = session.learner.progress.lesson(&lesson.id);
    let known = progress.explanation(question);
    TextEntry::new(known.map_or("", |it| it.text.as_str()))
}

impl SelfAssessment {
    /// The words, another explanation, and the parts to tick.
    fn draw(
        &self,
        mut lines: Vec<Line<'static>>,
        asked: (&Question, &[Text]),
        width: u16,
        theme: Theme,
    ) -> (VisibleLines, usize) {
        let (question, parts) = asked;
        lines.push(theme.line("your words", Role::Dim));
        for line in styled::lines(&self.text, theme.style(Role::Strong)) {
            lines.extend(page::wrap(&line.spans, width));
        }
        lines.push(Line::default());
        let comparison = lines.len();
        lines.push(theme.line("one way to say it", Role::Dim));
        lines.extend(page::prose(&question.explain, width, theme));
        lines.push(Line::default());
        lines.push(theme.line("Tick what your words say, too:", Role::Key));
        let mut focus = 0..0;
        for (at, part) in parts.iter().enumerate() {
            let start = lines.len();
            let pointer = if at == self.row { "▸ " } else { "  " };
            let mark = if self.said.contains(&at) {
                "[x] "
            } else {
                "[ ] "
            };
            let head = [
                theme.span(pointer, Role::Key),
                theme.span(&format!("{} ", at + 1), Role::Dim),
                theme.span(mark, Role::Key),
            ];
            lines.extend(hanging(&head, part, width, theme));
            if at == self.row {
                focus = start..lines.len();
            }
        }
        let cursor = None;
        let drawn = VisibleLines {
            lines,
            focus,
            cursor,
            ..VisibleLines::default()
        };
        (drawn, comparison)
    }

    fn toggle(&mut self, at: usize) {
        self.row = at;
        if !self.said.remove(&at) {
            self.said.insert(at);
        }
    }
}

impl Screen for Explain {
    fn context(&self) -> Context {
        match self.stage {
            Stage::Writing(_) => Context::WRITING,
            Stage::Comparing(_) => Context::COMPARING,
        }
    }

    fn title(&self, _session: &Session) -> Title {
        let (at, all) = (self.at + 1, self.asked().count());
        let right = match &self.stage {
            Stage::Writing(entry) if entry.is_full() => format!("full: {MAX_CHARS} characters"),
            Stage::Writing(_) | Stage::Comparing(_) => "not graded".to_owned(),
        };
        Title::new(format!("in your own words {at} of {all}"), right)
    }

    fn offers(&self, action: Action, _session: &Session) -> bool {
        let hints = self.question().map_or(0, |it| it.0.hints.len());
        action != Action::Form(FormAction::Hint) || self.hints < hints
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        let parts = self.question().map_or(0, |it| it.1.len());
        match (&mut self.stage, action) {
            (_, Action::Back) => return Step::Back,
            (_, Action::Open) => return self.next(ctx),
            (_, Action::Form(FormAction::Submit)) => return self.commit(ctx),
            (_, Action::Form(FormAction::Hint)) => {
                self.hints += usize::from(self.offers(action, ctx.session));
                return Step::Stay;
            }
            (Stage::Writing(entry), Action::Form(FormAction::Text(action))) => {
                entry.act(action);
                self.typed_since.get_or_insert(ctx.now_ms);
            }
            (Stage::Comparing(it), Action::Form(FormAction::Toggle)) => {
                it.toggle(it.row);
                self.typed_since.get_or_insert(ctx.now_ms);
            }
            (Stage::Comparing(it), Action::Scroll(Motion::Up)) => {
                it.row = it.row.saturating_sub(1);
            }
            (Stage::Comparing(it), Action::Scroll(Motion::Down)) => {
                it.row = (it.row + 1).min(parts.saturating_sub(1));
            }
            (_, Action::Scroll(motion)) => {
                self.scroll.go(motion);
                self.in_view = InView::Window;
                return Step::Stay;
            }
            (
                _,
                Action::App(_)
                | Action::Go(_)
                | Action::Page(_)
                | Action::Lab(_)
                | Action::Form(_)
                | Action::Doctor(_),
            ) => return Step::Stay,
        }
        self.in_view = InView::Row;
        Step::Stay
    }

    fn at(&self, _place: Position, _body: Rect, _session: &Session) -> Option<Target> {
        None
    }

    fn click(&mut self, _target: Target, _ctx: &mut UpdateContext<'_>) -> Step {
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let (mut drawn, comparison) = self.draw(frame::column(body).width, session.theme);
        if self.in_view != InView::Row {
            drawn.focus = 0..0;
        }
        self.scroll.draw(drawn, body.height);
        if self.in_view == InView::Comparison {
            self.scroll.go_to(comparison);
        }
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        frame::scrolled(frame, body, &self.scroll, session.theme);
    }
}

impl Explain {
    pub(super) fn key(&mut self, key: KeyEvent, ctx: &UpdateContext<'_>) {
        self.typed_since.get_or_insert(ctx.now_ms);
        let parts = self.question().map_or(0, |it| it.1.len());
        match &mut self.stage {
            Stage::Writing(entry) => entry.key(key),
            Stage::Comparing(comparing) => {
                let KeyCode::Char(letter) = key.code else {
                    return;
                };
                if let Some(at) = ('1'..='9').take(parts).position(|it| it == letter) {
                    comparing.toggle(at);
                }
            }
        }
        self.in_view = InView::Row;
    }

    pub(super) fn paste(&mut self, text: &str, ctx: &UpdateContext<'_>) -> bool {
        let Stage::Writing(entry) = &mut self.stage else {
            return false;
        };
        entry.insert(text);
        self.typed_since.get_or_insert(ctx.now_ms);
        self.in_view = InView::Row;
        true
    }

    pub(super) fn typed_since(&self) -> Option<u64> {
        self.typed_since
    }

    pub(super) fn lesson(&self) -> &LessonId {
        &self.lesson.id
    }
}
