//! The course map: the lessons with their progress, and a summary of the chosen one.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::behaviour::{Route, ScreenBehaviour, Step};
use crate::course::{Lab, Lesson, LessonId, PageId};
use crate::grade::HUNDREDTHS;
use crate::tui::frame::{self, Title};
use crate::tui::keymap::{Action, Context, Destination, Motion};
use crate::tui::scroll::{Drawn, Scroll};
use crate::tui::session::{Session, UpdateContext};
use crate::tui::theme::Role;
use crate::tui::{page, styled};
use crate::utc;

/// Rows below the list for the summary of the chosen lesson.
const DETAILS: u16 = 6;

#[derive(Debug, Default)]
pub(crate) struct Map {
    chosen: usize,
    list: Scroll,
    details: Vec<Line<'static>>,
    /// Where the learner read last when another screen was opened from here.
    place: Option<(LessonId, PageId)>,
}

impl Map {
    /// The map, on the first lesson that is not done.
    pub(crate) fn new(session: &Session) -> Self {
        let open = |it: &Lesson| !session.progress.lesson(&it.id).is_done();
        Self {
            chosen: session.lessons.iter().position(|it| open(it)).unwrap_or(0),
            ..Self::default()
        }
    }

    fn choose(&mut self, motion: Motion, session: &Session) {
        let last = session.lessons.len().saturating_sub(1);
        self.chosen = match motion {
            Motion::Up => self.chosen.saturating_sub(1),
            Motion::Down => (self.chosen + 1).min(last),
            Motion::Top => 0,
            Motion::Bottom => last,
            Motion::PageUp | Motion::PageDown => self.chosen,
        };
    }

    /// The screen that an action opens, if any.
    fn route(&self, action: Action, session: &Session) -> Option<Route> {
        let chosen = session.lessons.get(self.chosen);
        let Action::Go(destination) = action else {
            let chosen = chosen.filter(|_| action == Action::Open)?;
            return Some(Route::Lesson(chosen.id.clone(), None));
        };
        match destination {
            Destination::Quiz => chosen
                .filter(|it| it.quiz.is_some())
                .map(|it| Route::Quiz(it.id.clone())),
            Destination::Explain => chosen
                .filter(|it| asks_for_words(it))
                .map(|it| Route::Explain(it.id.clone())),
            Destination::Problems => Some(Route::Problems),
            Destination::Doctor => Some(Route::Doctor),
            Destination::NextLesson | Destination::RetryMissed | Destination::RetryAll => None,
        }
    }
}

impl ScreenBehaviour for Map {
    fn context(&self) -> Context {
        Context::MAP
    }

    fn title(&self, session: &Session) -> Title {
        let lessons = session.lessons.iter();
        let done = lessons.filter(|it| session.progress.lesson(&it.id).is_done());
        let done = done.count();
        Title::new(
            session.course.title.as_str(),
            format!("{done} of {} lessons done", session.lessons.len()),
        )
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        if action == Action::Go(Destination::Problems) {
            return !session.problems.is_empty();
        }
        let opens = matches!(action, Action::Open | Action::Go(_));
        !opens || self.route(action, session).is_some()
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        if action == Action::Back {
            return Step::Back;
        } else if let Action::Scroll(motion) = action {
            self.choose(motion, ctx.session);
        }
        self.route(action, ctx.session)
            .map_or(Step::Stay, Step::Open)
    }

    fn come_back(&mut self, ctx: &mut UpdateContext<'_>) {
        let place = ctx.session.progress.place();
        // Who has read on is in another lesson now; a quiz alone does not move the choice.
        if place == self.place {
            return;
        }
        let read = place.as_ref().map(|it| &it.0);
        let at = ctx
            .session
            .lessons
            .iter()
            .position(|it| Some(&it.id) == read);
        self.chosen = at.unwrap_or(self.chosen);
        self.place = place;
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = frame::column(body).width;
        let rows = session.lessons.iter().enumerate();
        let lines = rows.map(|(at, it)| row(session, it, width, at == self.chosen));
        let drawn = Drawn {
            lines: lines.collect(),
            focus: self.chosen..self.chosen + 1,
            cursor: None,
        };
        let [list, _] = split(body, session);
        self.list.draw(drawn, list.height);
        let chosen = session.lessons.get(self.chosen);
        self.details = details(session, chosen.map(AsRef::as_ref), width);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let [list, below] = split(body, session);
        self.list.view(frame, frame::column(list));
        styled::put_all(frame, frame::column(below), &self.details);
    }
}

fn asks_for_words(lesson: &Lesson) -> bool {
    let mut quiz = lesson.quiz.iter();
    quiz.any(|it| it.in_own_words().next().is_some())
}

/// The areas of the list and of the summary.
fn split(body: Rect, session: &Session) -> [Rect; 2] {
    let lessons = u16::try_from(session.lessons.len().max(1)).unwrap_or(u16::MAX);
    let list = lessons.min(body.height.saturating_sub(DETAILS).max(3));
    body.layout(&Layout::vertical([
        Constraint::Length(list),
        Constraint::Min(0),
    ]))
}

/// One lesson on one line.
fn row(session: &Session, lesson: &Lesson, width: u16, chosen: bool) -> Line<'static> {
    let theme = session.theme;
    let progress = session.progress.lesson(&lesson.id);
    let (state, role) = if progress.is_done() {
        ("● done ", Role::Good)
    } else if progress.is_begun() {
        ("◐ begun", Role::Warn)
    } else {
        ("○ new  ", Role::Dim)
    };
    let tail = match progress.best() {
        Some(_) | None if width < 60 => String::new(),
        Some(best) => {
            let score = points(best.score.earned, best.score.max);
            format!("best {score}  {}", utc::day(best.at_ms))
        }
        None => format!("{} min", lesson.minutes),
    };
    let mark = if chosen { "▸ " } else { "  " };
    let used = 2 + 9 + tail.len() + 1;
    let room = usize::from(width).saturating_sub(used);
    let title_role = if chosen { Role::Strong } else { Role::Text };
    let mut title = theme.span(&lesson.title, title_role);
    if title.width() > room {
        title = styled::split(&title, room).0;
    }
    let gap = " ".repeat(room.saturating_sub(title.width()) + 1);
    Line::from(vec![
        theme.span(mark, Role::Key),
        theme.span(state, role),
        theme.span("  ", Role::Text),
        title,
        theme.span(&gap, Role::Text),
        theme.span(&tail, Role::Dim),
    ])
}

/// `7 of 8`, with hundredths only where there are any.
pub(super) fn points(earned: u64, max: u64) -> String {
    let whole = |it: u64| {
        if it.is_multiple_of(HUNDREDTHS) {
            (it / HUNDREDTHS).to_string()
        } else {
            format!("{}.{:02}", it / HUNDREDTHS, it % HUNDREDTHS)
        }
    };
    format!("{} of {}", whole(earned), whole(max))
}

fn details(session: &Session, lesson: Option<&Lesson>, width: u16) -> Vec<Line<'static>> {
    let theme = session.theme;
    let width = usize::from(width);
    let mut lines = vec![Line::default()];
    let Some(lesson) = lesson else {
        let said = "This course has no lessons that could be read.";
        lines.push(theme.line(said, Role::Text));
        lines.extend(problem_line(session));
        return lines;
    };
    lines.extend(page::paragraph(&lesson.summary, Style::new(), width));
    let missing: Vec<_> = lesson
        .requires
        .iter()
        .filter(|it| !session.progress.lesson(it).is_done())
        .filter_map(|it| session.lesson(it))
        .map(|it| it.title.as_str())
        .collect();
    // A learner who has done the lesson needs no advice on what comes before.
    if !missing.is_empty() && !session.progress.lesson(&lesson.id).is_done() {
        let first = format!("Better first: {}", missing.join(", "));
        lines.extend(page::paragraph(&first, theme.style(Role::Warn), width));
    }
    let progress = session.progress.lesson(&lesson.id);
    let mut left = lesson.pages.iter().zip(1..);
    let left = left.find(|(page, _)| progress.place.as_ref() == Some(&page.id));
    if let Some((left, number)) = left {
        let said = format!("Enter goes on at page {number}: {}", left.title);
        lines.extend(page::paragraph(&said, theme.style(Role::Key), width));
    }
    let passed = |it: &&Lab| progress.lab(&it.id).has_passed();
    let passed = lesson.labs.iter().filter(passed).count();
    let questions = lesson.quiz.as_ref().map_or(0, |it| it.counted().count());
    let facts = format!(
        "{} · {passed} of {} passed · {}",
        counted(lesson.pages.len(), "page"),
        counted(lesson.labs.len(), "lab"),
        counted(questions, "question")
    );
    lines.extend(page::paragraph(&facts, theme.style(Role::Dim), width));
    lines.extend(problem_line(session));
    lines
}

/// A number with its noun: `1 page`, `2 pages`.
fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn problem_line(session: &Session) -> Option<Line<'static>> {
    let count = session.problems.len();
    (count > 0).then(|| {
        let problems = counted(count, "problem");
        let said = format!("! {problems} in the course files: p shows them");
        session.theme.line(&said, Role::Warn)
    })
}
