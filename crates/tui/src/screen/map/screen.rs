//! The map as a screen: choosing a lesson, and where its parts are drawn.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::row::{self, RowStyle};
use super::{details, home, next_step};
use crate::frame::{self, Title};
use crate::keymap::{Action, AppAction, Context, Destination, Motion};
use crate::page::MAX_WIDTH;
use crate::screen::behaviour::{Route, Screen, Step, Target};
use crate::scroll::{Scroll, VisibleLines};
use crate::session::{Session, UpdateContext};
use crate::styled;
use warpup_course::{Lesson, LessonId, PageId};
use warpup_progress::WayOn;
use warpup_quiz::missed_before;

/// From this width on, the details are beside the list.
const WIDE: u16 = 120;

/// Columns of the list beside details, and between the two.
const LIST: u16 = 60;
const GAP: u16 = 4;

/// From this height of the body on, there is an empty line between the parts, and from this one on room for everything.
const ROOMY: u16 = 16;
const TALL: u16 = 20;

/// Rows of the details below the list, whichever lesson is chosen: nothing moves when another one is. On a small terminal there are
/// fewer.
const DETAILS: u16 = 4;
const FEW_DETAILS: u16 = 2;

/// Lessons of a long course that are visible before what is above the list is left out: more are one key away. Fewer are enough on a
/// small terminal, and for somebody who has begun none.
const ENOUGH: u16 = 12;
const FEW: u16 = 5;

#[derive(Debug, Default)]
pub(crate) struct Map {
    chosen: usize,
    list: Scroll,
    /// What this is and what to do next, as far as there is room.
    head: Vec<Line<'static>>,
    details: Vec<Line<'static>>,
    /// Where the learner read last when another screen was opened from here.
    place: Option<(LessonId, PageId)>,
}

impl Map {
    /// The map, on the lesson that the learner reads, or else on the first one that is not done.
    pub(crate) fn new(session: &Session) -> Self {
        let open = |it: &Lesson| !session.learner.progress.lesson(&it.id).is_finished();
        let place = session.learner.progress.place();
        let read = place.as_ref().map(|it| &it.0);
        let mut lessons = session.course.lessons.iter();
        let read = lessons.position(|it| Some(&it.id) == read && open(it));
        let lessons = session.course.lessons.iter().map(AsRef::as_ref);
        let way = WayOn::of(lessons, &session.learner.progress).map(WayOn::lesson);
        let next = || {
            let mut lessons = session.course.lessons.iter();
            lessons.position(|it| way.is_some_and(|way| way.id == it.id))
        };
        Self {
            chosen: read.or_else(next).unwrap_or(0),
            place,
            ..Self::default()
        }
    }

    /// The lesson that is chosen.
    pub(crate) fn chosen<'a>(&self, session: &'a Session) -> Option<&'a LessonId> {
        session.course.lessons.get(self.chosen).map(|it| &it.id)
    }

    /// Chooses this lesson again, which may have another place now; the one in its place if it is gone.
    pub(crate) fn choose_again(&mut self, lesson: Option<&LessonId>, session: &Session) {
        let same = session
            .course
            .lessons
            .iter()
            .position(|it| Some(&it.id) == lesson);
        let last = session.course.lessons.len().saturating_sub(1);
        self.chosen = same.unwrap_or(self.chosen.min(last));
    }

    fn choose(&mut self, motion: Motion, session: &Session) {
        let last = session.course.lessons.len().saturating_sub(1);
        self.chosen = match motion {
            Motion::Up => self.chosen.saturating_sub(1),
            Motion::Down => (self.chosen + 1).min(last),
            Motion::Top => 0,
            Motion::Bottom => last,
            Motion::PageUp | Motion::PageDown => self.chosen,
        };
    }

    /// The lesson whose missed questions are asked again: the chosen one, or else the first.
    fn to_review<'a>(&self, session: &'a Session) -> Option<&'a Lesson> {
        let missed = |it: &&Lesson| {
            let latest = session.learner.progress.lesson(&it.id).latest();
            it.outline().quiz.is_some() && latest.is_some_and(|it| !it.missed.is_empty())
        };
        let lessons = || session.course.lessons.iter().map(AsRef::as_ref);
        let chosen = lessons().nth(self.chosen).filter(missed);
        chosen.or_else(|| lessons().find(missed))
    }

    /// The screen that an action opens, if any.
    fn route(&self, action: Action, session: &Session) -> Option<Route> {
        let chosen = session.course.lessons.get(self.chosen);
        match action {
            Action::Open => Some(open(chosen?, session)),
            Action::Go(Destination::Quiz) => chosen
                .filter(|it| it.outline().quiz.is_some())
                .map(|it| Route::Quiz(it.id.clone())),
            Action::Go(Destination::Explain) => chosen
                .filter(|it| asks_for_words(it))
                .map(|it| Route::Explain(it.id.clone())),
            Action::Go(Destination::Problems) => Some(Route::Problems),
            Action::Go(Destination::Doctor) => Some(Route::Doctor),
            Action::Go(Destination::Program) => {
                session.labs.program.as_ref().map(|_| Route::Program)
            }
            Action::Go(Destination::RetryMissed) => {
                let lesson = self.to_review(session)?;
                let progress = session.learner.progress.lesson(&lesson.id);
                let id = lesson.id.clone();
                if progress.open.is_some() {
                    // A new round would take the place of the open one, with its answers.
                    return Some(Route::Quiz(id));
                }
                Some(match missed_before(lesson, progress) {
                    Some(before) => Route::Missed(id, Box::new(before)),
                    // All of its questions have changed since.
                    None => Route::NewQuiz(id),
                })
            }
            Action::Go(
                Destination::NextLesson
                | Destination::ReadAgain
                | Destination::WordLesson
                | Destination::RetryAll,
            )
            | Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => None,
        }
    }
}

impl Screen for Map {
    fn context(&self) -> Context {
        Context::MAP
    }

    fn title(&self, session: &Session) -> Title {
        let lessons = session.course.lessons.iter();
        let done = lessons.filter(|it| session.learner.progress.lesson(&it.id).is_done());
        let done = done.count();
        let lessons = session.course.lessons.iter();
        let handed_in = lessons.filter(|it| session.learner.progress.lesson(&it.id).is_handed_in());
        let handed_in = match handed_in.count() {
            0 => String::new(),
            some => format!(", {some} handed in"),
        };
        let all = session.course.lessons.len();
        let cells = if all <= 20 { all } else { 0 };
        let filled = done.min(cells);
        let guest = if session.learner.is_guest {
            ", guest: nothing is kept"
        } else {
            ""
        };
        let right = format!("{done} of {all} lessons done{handed_in}{guest}");
        Title {
            bar: format!("{}{}", "▰".repeat(filled), "▱".repeat(cells - filled)),
            ..Title::new(format!("warpup · {}", session.course.about.title), right)
        }
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        match action {
            Action::Go(Destination::Problems) => !session.course.problems.is_empty(),
            Action::Go(Destination::RetryMissed) => self.to_review(session).is_some(),
            Action::Open | Action::Go(_) => self.route(action, session).is_some(),
            Action::App(AppAction::NextStep) => next_step(session).is_some(),
            Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => true,
        }
    }

    fn knows(&self, action: Action, session: &Session) -> bool {
        action != Action::Go(Destination::Program) || session.labs.program.is_some()
    }

    fn word(&self, action: Action, session: &Session) -> Option<Cow<'static, str>> {
        let is_next = action == Action::App(AppAction::NextStep);
        let next = is_next.then(|| next_step(session)).flatten()?;
        Some(Cow::Owned(next.short))
    }

    fn why_not(&self, action: Action, _session: &Session) -> Option<&'static str> {
        let Action::Go(destination) = action else {
            return None;
        };
        match destination {
            Destination::Quiz => Some("This lesson has no quiz."),
            Destination::Explain => Some("This lesson asks nothing in your own words."),
            Destination::RetryMissed => {
                Some("Nothing to review: you missed no question last time.")
            }
            Destination::Problems => Some("The course files have no problems."),
            Destination::Program => Some("`warpup FILE.py` opens a program of your own."),
            Destination::Doctor
            | Destination::NextLesson
            | Destination::ReadAgain
            | Destination::WordLesson
            | Destination::RetryAll => None,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => return Step::Back,
            Action::Scroll(motion) => self.choose(motion, ctx.session),
            Action::Open | Action::Go(_) => {
                let route = self.route(action, ctx.session);
                return route.map_or(Step::Stay, Step::Open);
            }
            Action::App(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn column(&self, area: Rect) -> Rect {
        if area.width < WIDE {
            return frame::column(area);
        }
        let full = frame::full_width(area);
        let width = full.width.min(LIST + GAP + MAX_WIDTH);
        Rect {
            x: full.x + (full.width - width) / 2,
            width,
            ..full
        }
    }

    fn at(&self, place: Position, body: Rect, session: &Session) -> Option<Target> {
        let list = self.areas(session, body).list;
        self.list.row_at(place, list).map(Target::Row)
    }

    /// The first click chooses a lesson, the second one opens it.
    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        let Target::Row(lesson) = target else {
            return Step::Stay;
        };
        if lesson == self.chosen {
            return self.act(Action::Open, ctx);
        }
        self.chosen = lesson;
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let column = self.column(body);
        let chosen = session.course.lessons.get(self.chosen).map(AsRef::as_ref);
        let rows = usize::from(rows_of_head(session, body));
        self.head = home::lines(session, column.width, rows);
        let areas = self.areas(session, body);
        self.details = if is_beside(body) {
            let Rect { width, height, .. } = areas.details;
            details::long(session, chosen, width, usize::from(height))
        } else {
            let rows = usize::from(rows_of_details(session, body));
            details::short(session, chosen, column.width, rows)
        };
        let look = RowStyle::of(session, areas.list.width);
        let rows = session.course.lessons.iter().enumerate();
        let lines = rows.map(|(at, it)| {
            let is_chosen = at == self.chosen;
            row::row(session, it, RowStyle { is_chosen, ..look })
        });
        let drawn = VisibleLines {
            lines: lines.collect(),
            focus: self.chosen..self.chosen + 1,
            rows: (0..session.course.lessons.len())
                .map(|at| at..at + 1)
                .collect(),
            cursor: None,
        };
        self.list.draw(drawn, areas.list.height);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let areas = self.areas(session, body);
        styled::put_all(frame, areas.head, &self.head);
        self.list.view(frame, areas.list);
        frame::more_below(frame, areas.list, &self.list.below(), session.theme);
        styled::put_all(frame, areas.details, &self.details);
    }
}

impl Map {
    /// Called when no screen is open over the map any more.
    pub(crate) fn come_back(&mut self, session: &Session) {
        let place = session.learner.progress.place();
        // Who has read on is in another lesson now; a quiz alone does not move the choice.
        if place == self.place {
            return;
        }
        let read = place.as_ref().map(|it| &it.0);
        let mut lessons = session.course.lessons.iter();
        let at = lessons.position(|it| Some(&it.id) == read);
        self.chosen = at.unwrap_or(self.chosen);
        self.place = place;
    }
}

/// The parts of the map.
struct Areas {
    head: Rect,
    list: Rect,
    details: Rect,
}

impl Map {
    fn areas(&self, session: &Session, body: Rect) -> Areas {
        let column = self.column(body);
        let head = Rect {
            height: rows(self.head.len()).min(column.height),
            ..column
        };
        let gap = u16::from(head.height > 0 && body.height >= ROOMY);
        let top = head.height + gap;
        let rest = Rect {
            y: column.y + top,
            height: column.height.saturating_sub(top),
            ..column
        };
        let lessons = rows(session.course.lessons.len().max(1));
        if is_beside(body) {
            let list = Rect {
                width: LIST,
                height: lessons.min(rest.height),
                ..rest
            };
            let details = Rect {
                x: rest.x + LIST + GAP,
                width: rest.width.saturating_sub(LIST + GAP),
                ..rest
            };
            return Areas {
                head,
                list,
                details,
            };
        }
        // The details come after an empty row, which says how many lessons are below.
        let details = rows_of_details(session, body) + 1;
        let list = lessons.min(rest.height.saturating_sub(details));
        let below = (list + 1).min(rest.height);
        Areas {
            head,
            list: Rect {
                height: list,
                ..rest
            },
            details: Rect {
                y: rest.y + below,
                height: rest.height - below,
                ..rest
            },
        }
    }
}

/// The rows for details below the list: the fixed ones, and what a short course leaves.
fn rows_of_details(session: &Session, body: Rect) -> u16 {
    if is_beside(body) {
        return 0;
    }
    if body.height < ROOMY {
        return FEW_DETAILS;
    }
    let lessons = rows(session.course.lessons.len());
    let rest = body.height.saturating_sub(lessons.saturating_add(ENOUGH));
    rest.max(DETAILS)
}

/// The rows that the lines above the list may have: what the list and the details leave, and an empty one on each side of the list.
fn rows_of_head(session: &Session, body: Rect) -> u16 {
    let enough = if body.height < TALL || home::is_first_start(session) {
        FEW
    } else {
        ENOUGH
    };
    let list = rows(session.course.lessons.len()).min(enough);
    let gap = u16::from(body.height >= ROOMY);
    let below = if is_beside(body) {
        0
    } else {
        rows_of_details(session, body) + 1
    };
    body.height.saturating_sub(list + below + gap)
}

/// What Enter opens: a lesson where it was left. In the lesson of the next step both keys read on at one page.
fn open(lesson: &Lesson, session: &Session) -> Route {
    let next = next_step(session).filter(|it| it.page_of(&lesson.id).is_some());
    next.map_or_else(|| Route::Lesson(lesson.id.clone(), None), |it| it.route)
}

/// A number of lines as a number of rows.
fn rows(lines: usize) -> u16 {
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// Whether the details are beside the list.
fn is_beside(body: Rect) -> bool {
    body.width >= WIDE
}

fn asks_for_words(lesson: &Lesson) -> bool {
    let quiz = lesson.outline().quiz;
    quiz.is_some_and(|it| it.has_own_words)
}
