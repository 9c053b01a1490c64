//! A quiz that was handed in: the score, the gate, and each question with its explanation.

mod ways;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::frame::{self, Title};
use crate::keymap::{Action, Context, Destination, FormAction, Motion};
use crate::page;
use crate::screen::behaviour::{Screen, Step, Target};
use crate::screen::review::word as sure;
use crate::screen::review::{answered, review, role_of};
use crate::scroll::{Scroll, VisibleLines};
use crate::session::{Receipt, Session, UpdateContext};
use crate::theme::Role;
use warpup_course::{Lesson, LessonId};
use warpup_grade::{Attempt, AttemptQuestion, Origin};
use warpup_quiz as quiz;

/// An attempt that was handed in.
#[derive(Debug)]
pub(crate) struct Results {
    lesson: Rc<Lesson>,
    attempt: Attempt,
    /// The record of the attempt, after those of its answers.
    receipt: Receipt,
    /// The positions of the questions in the attempt, in the order in which they are shown.
    order: Vec<usize>,
    /// How many of them come first because the learner was sure, and wrong.
    surprising: usize,
    /// How many come before those that were right.
    missed: usize,
    /// The chosen question, counted as shown.
    chosen: usize,
    /// The range of lines of each question.
    places: Vec<Range<usize>>,
    scroll: Scroll,
    /// Whether the choice was not moved since the window was scrolled.
    is_fresh: bool,
}

impl Results {
    /// Shows an attempt.
    pub(in crate::screen) fn open(
        lesson: &LessonId,
        attempt: Attempt,
        session: &Session,
    ) -> Option<Self> {
        let mut order = attempt.sure_and_wrong();
        let surprising = order.len();
        let rest = (0..attempt.asked().len()).filter(|it| !order.contains(it));
        let mut rest: Vec<_> = rest.collect();
        // What is to be learned comes first, and each part keeps the order of the questions.
        rest.sort_by_key(|it| {
            !attempt
                .asked()
                .get(*it)
                .is_some_and(AttemptQuestion::is_missed)
        });
        order.extend(rest);
        let is_missed = |it: &&usize| {
            attempt
                .asked()
                .get(**it)
                .is_some_and(AttemptQuestion::is_missed)
        };
        let missed = order.iter().filter(is_missed).count();
        Some(Self {
            lesson: Rc::clone(session.lesson(lesson)?),
            chosen: 0,
            order,
            surprising,
            missed,
            attempt,
            receipt: session.learner.saving.newest(),
            places: Vec::new(),
            scroll: Scroll::default(),
            is_fresh: true,
        })
    }

    fn choose(&mut self, chosen: usize) {
        self.chosen = chosen.min(self.attempt.asked().len().saturating_sub(1));
        self.is_fresh = false;
    }

    /// Whether some of the chosen question is visible.
    fn is_seen(&self) -> bool {
        let visible = self.scroll.visible();
        let place = self.places.get(self.chosen);
        place.is_some_and(|it| it.start < visible.end && visible.start < it.end)
    }

    /// Chooses the first question that begins on the screen, or else the one that fills it.
    fn choose_visible(&mut self) {
        let visible = self.scroll.visible();
        let begins = |it: &Range<usize>| visible.contains(&it.start);
        if !self.places.get(self.chosen).is_some_and(begins) {
            let begun = self.places.iter().position(begins);
            let fills = || self.places.iter().position(|it| visible.start < it.end);
            self.chosen = begun.or_else(fills).unwrap_or(self.chosen);
        }
    }

    /// Whether the chosen question is partly visible and continues where a motion goes to: one with a program in it may
    /// be longer than the screen.
    fn goes_on(&self, motion: Motion) -> bool {
        let visible = self.scroll.visible();
        self.places.get(self.chosen).is_some_and(|it| {
            let is_seen = it.start < visible.end && visible.start < it.end;
            let is_cut = (motion == Motion::Down && it.end > visible.end)
                || (motion == Motion::Up && it.start < visible.start);
            is_seen && is_cut
        })
    }

    /// The next missed question below the chosen one, going round to the first; `None` if no other question was missed.
    fn next_missed(&self) -> Option<usize> {
        let is_missed = |it: &usize| {
            let asked = self
                .order
                .get(*it)
                .and_then(|it| self.attempt.asked().get(*it));
            asked.is_some_and(AttemptQuestion::is_missed)
        };
        let mut round = (self.chosen + 1..self.order.len()).chain(0..=self.chosen);
        let next = round.find(is_missed);
        next.filter(|it| *it != self.chosen || !self.is_seen())
    }

    fn summary(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let is_well = self.is_well();
        let (word, role) = if self.attempt.is_graded_elsewhere() {
            ("◕ handed in", Role::Good)
        } else if self.attempt.passed() {
            ("● passed: this lesson is done", Role::Good)
        } else {
            ("✗ not passed yet", Role::Bad)
        };
        let (word, role) = session.learner.saving.kept(self.receipt).say(word, role);
        let mut lines = vec![theme.line(&word, role)];
        lines.extend(page::paragraph(
            &quiz::gate(&self.attempt),
            Style::new(),
            width,
        ));
        if self.attempt.is_graded_elsewhere() {
            let said = "`warpup --course COURSE class submit` hands it in, and `progress export FILE` writes it for your instructor; COURSE is what you started warpup with.";
            lines.extend(page::paragraph(said, Style::new(), width));
        }
        let key = |to| session.keys.name(Context::RESULTS, Action::Go(to));
        let next = if is_well {
            match session.lesson_after(&self.lesson.id) {
                Some(next) => {
                    let enter = session.keys.name(Context::RESULTS, Action::Open);
                    format!("{enter}  next lesson: {}", next.title)
                }
                None => "This was the last lesson of the course.".to_owned(),
            }
        } else {
            let (missed, all) = (key(Destination::RetryMissed), key(Destination::RetryAll));
            format!("{missed}  only the missed questions again · {all}  all again")
        };
        lines.push(Line::default());
        lines.extend(page::paragraph(&next, theme.style(Role::Key), width));
        if let Some((done, all)) = self.explained(session) {
            let said = format!("explained {done} of {all} in your own words");
            let said = if done < all {
                format!("{}  {said}", key(Destination::Explain))
            } else {
                said
            };
            let role = if done < all { Role::Key } else { Role::Good };
            lines.push(theme.line(&said, role));
        }
        lines
    }

    /// Whether nothing is left to do: it passed, or the instructor has it.
    fn is_well(&self) -> bool {
        self.attempt.passed() || self.attempt.is_graded_elsewhere()
    }

    /// How many questions are explained in the learner's own words, of how many; nothing if none asks for that.
    fn explained(&self, session: &Session) -> Option<(usize, usize)> {
        let progress = session.learner.progress.lesson(&self.lesson.id);
        let explained = progress.explained(self.lesson.quiz.as_ref()?);
        (explained.1 > 0).then_some(explained)
    }

    fn question(
        &self,
        at: usize,
        asked: &AttemptQuestion,
        width: u16,
        session: &Session,
    ) -> Vec<Line<'static>> {
        let theme = session.theme;
        let inner = width.saturating_sub(4).max(1);
        let (word, role) = match asked.judged() {
            None if asked.is_handed_in() => ("● answered".to_owned(), Role::Good),
            None => ("○ open".to_owned(), Role::Dim),
            Some((given, verdict)) => {
                let correctness = verdict.correctness();
                let is_from_before = verdict.is_right() && given.from == Origin::Kept;
                let before = if is_from_before { " before" } else { "" };
                (format!("{correctness}{before}"), role_of(correctness))
            }
        };
        let (word, role) = match &asked.given {
            None => (word, role),
            Some(_) => session.learner.saving.kept(self.receipt).say(&word, role),
        };
        let is_chosen = self.order.get(self.chosen) == Some(&at);
        let pointer = if is_chosen { "▸ " } else { "  " };
        let confidence = asked.given.as_ref().and_then(|it| it.confidence);
        let sure = confidence.map_or_else(String::new, |it| format!(" · you were {}", sure(it)));
        let parts = asked.parts_right();
        let parts = parts.map_or_else(String::new, |it| format!(" ({it})"));
        let number = [
            theme.span(pointer, Role::Key),
            theme.span(&format!("{}  ", at + 1), Role::Dim),
        ];
        let indent = [theme.span("    ", Role::Text)];
        let judged = [
            theme.span(&word, role),
            theme.span(&format!("{parts}{sure}"), Role::Dim),
        ];
        let judged = page::wrap(&judged, inner.saturating_sub(2).max(1));
        let mut lines: Vec<_> = page::prefixed(judged, &number, &indent).collect();
        let mut inside = page::prose(&asked.question.prompt, inner, theme);
        if asked.given.is_some() {
            inside.push(Line::default());
        }
        if asked.is_right() || asked.is_handed_in() {
            inside.extend(answered(asked, inner, theme));
        } else {
            let kept = session.learner.saving.kept(self.receipt);
            inside.extend(review(asked, kept, inner, theme));
        }
        inside.push(Line::default());
        inside.extend(page::prose(&asked.question.explain, inner, theme));
        if let Some(see) = &asked.question.see {
            let page = self.lesson.pages.iter().find(|it| &it.id == see);
            let title = page.map_or(see.as_str(), |it| it.title.as_str());
            let key = Action::Go(Destination::ReadAgain);
            let key = is_chosen.then(|| session.keys.name(Context::RESULTS, key) + "  ");
            let said = format!("{}read again: {title}", key.unwrap_or_default());
            inside.extend(page::paragraph(&said, theme.style(Role::Link), inner));
        }
        lines.extend(page::prefixed(inside, &indent, &indent));
        lines
    }
}

impl Screen for Results {
    fn context(&self) -> Context {
        Context::RESULTS
    }

    fn title(&self, _session: &Session) -> Title {
        let result = if self.attempt.is_graded_elsewhere() {
            "handed in".to_owned()
        } else {
            format!("{} points", self.attempt.score())
        };
        Title::new(format!("{} · quiz", self.lesson.title), result)
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        if action == Action::Go(Destination::NextLesson) && !self.is_well() {
            return false;
        }
        if action == Action::Form(FormAction::NextMissed) {
            return self.next_missed().is_some();
        }
        match self.destination(action, session) {
            Some(Destination::ReadAgain) if !self.is_seen() => false,
            Some(destination) => self.leads_to(destination, session).is_some(),
            None => true,
        }
    }

    fn word(&self, action: Action, session: &Session) -> Option<Cow<'static, str>> {
        let reads_again = action == Action::Open && self.way_on(session) == Destination::ReadAgain;
        reads_again.then_some(Cow::Borrowed("read again"))
    }

    fn why_not(&self, action: Action, session: &Session) -> Option<&'static str> {
        let Action::Go(destination) = action else {
            return None;
        };
        match destination {
            Destination::Explain if self.explained(session).is_none() => {
                Some("No question of this quiz asks for your own words.")
            }
            Destination::RetryMissed => Some("You missed no question."),
            Destination::NextLesson if !self.is_well() => {
                Some("The next lesson follows when the quiz is passed; the map opens any lesson.")
            }
            Destination::NextLesson => Some("This was the last lesson of the course."),
            Destination::Quiz
            | Destination::ReadAgain
            | Destination::RetryAll
            | Destination::Explain
            | Destination::WordLesson
            | Destination::Problems
            | Destination::Doctor
            | Destination::Program => None,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => return Step::Back,
            Action::Open | Action::Go(_) => {
                let destination = self.destination(action, ctx.session);
                // The question that points to a page has to be on the screen.
                if destination == Some(Destination::ReadAgain) && !self.is_seen() {
                    self.choose(self.chosen);
                    return Step::Stay;
                }
                let leads = destination.and_then(|it| self.leads_to(it, ctx.session));
                return leads.unwrap_or(Step::Stay);
            }
            Action::Form(FormAction::NextMissed) => {
                if let Some(next) = self.next_missed() {
                    self.choose(next);
                }
            }
            Action::Scroll(Motion::Up) if !self.goes_on(Motion::Up) => {
                self.choose(self.chosen.saturating_sub(1));
            }
            Action::Scroll(Motion::Down) if !self.goes_on(Motion::Down) => {
                self.choose(self.chosen + 1);
            }
            Action::Scroll(motion) => {
                self.is_fresh = true;
                self.scroll.go(motion);
                self.choose_visible();
            }
            Action::App(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn at(&self, place: Position, body: Rect, _session: &Session) -> Option<Target> {
        let row = self.scroll.row_at(place, frame::column(body));
        row.map(Target::Row)
    }

    /// The first click chooses a question, the second one opens the page to read again.
    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        let Target::Row(at) = target else {
            return Step::Stay;
        };
        if at == self.chosen {
            return self.act(Action::Go(Destination::ReadAgain), ctx);
        }
        self.choose(at);
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = frame::column(body).width;
        let mut lines = self.summary(session, width);
        self.places.clear();
        for (place, at) in self.order.iter().enumerate() {
            let Some(asked) = self.attempt.asked().get(*at) else {
                continue;
            };
            lines.push(Line::default());
            if place == 0 && self.surprising > 0 {
                let said = "You were sure, and it was not right:";
                lines.push(session.theme.line(said, Role::Warn));
            }
            if place == self.surprising && place > 0 && place < self.missed {
                lines.push(session.theme.line("Also not right:", Role::Dim));
            }
            if place == self.missed && place > 0 && !self.attempt.is_graded_elsewhere() {
                lines.push(session.theme.line("Right:", Role::Dim));
            }
            let start = lines.len();
            lines.extend(self.question(*at, asked, width, session));
            self.places.push(start..lines.len());
        }
        // The window follows the choice only when the choice was moved.
        let place = self.places.get(self.chosen).filter(|_| !self.is_fresh);
        let drawn = VisibleLines {
            lines,
            focus: place.cloned().unwrap_or_default(),
            rows: self.places.clone(),
            ..VisibleLines::default()
        };
        self.scroll.draw(drawn, body.height);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        frame::scrolled(frame, body, &self.scroll, session.theme);
    }
}

impl Results {
    pub(in crate::screen) fn lesson(&self) -> &LessonId {
        &self.lesson.id
    }
}
