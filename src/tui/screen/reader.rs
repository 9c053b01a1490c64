//! The pages of a lesson, with its labs among the text.

use std::rc::Rc;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Face, Place, Start, Step, Title};
use crate::course::{LabId, Lesson, LessonId, Page, PageId};
use crate::progress::Event;
use crate::tui::keymap::{Action, Context};
use crate::tui::page::{self, LabCard};
use crate::tui::scroll::Scroll;
use crate::tui::session::{Session, Turn};
use crate::tui::theme::{Role, Theme};
use crate::tui::{frame, ink};

/// A page and the place on it.
#[derive(Debug)]
pub(crate) struct Reader {
    lesson: Rc<Lesson>,
    page: usize,
    /// Which lab on the page is chosen.
    lab: usize,
    scroll: Scroll,
    labs: Vec<(LabId, usize)>,
    /// The width that the page is laid out for; nothing if it has to be laid out again.
    laid_out: Option<u16>,
}

impl Reader {
    /// Opens a lesson at a page, or where it was left, or at its start.
    pub(super) fn open(
        lesson: &LessonId,
        page: Option<&PageId>,
        turn: &mut Turn<'_>,
    ) -> Option<Self> {
        let lesson = Rc::clone(turn.session.lesson(lesson)?);
        let left = turn.session.progress.lesson(&lesson.id).place.clone();
        let wanted = page.or(left.as_ref());
        let at = lesson.pages.iter().position(|it| Some(&it.id) == wanted);
        let mut reader = Self {
            lesson,
            page: 0,
            lab: 0,
            scroll: Scroll::default(),
            labs: Vec::new(),
            laid_out: None,
        };
        reader.turn_to(at.unwrap_or(0), turn);
        Some(reader)
    }

    fn turn_to(&mut self, page: usize, turn: &mut Turn<'_>) {
        let Some(shown) = self.lesson.pages.get(page) else {
            return;
        };
        let id = shown.id.clone();
        let known = turn.session.progress.place();
        self.page = page;
        self.lab = 0;
        self.laid_out = None;
        self.scroll.rewind();
        if known != Some((self.lesson.id.clone(), id.clone())) {
            turn.note(Event::Read {
                lesson: self.lesson.id.clone(),
                page: id,
            });
        }
    }

    fn next_page(&mut self, turn: &mut Turn<'_>) -> Step {
        if self.page + 1 < self.lesson.pages.len() {
            self.turn_to(self.page + 1, turn);
            return Step::Stay;
        }
        self.quiz()
    }

    fn quiz(&self) -> Step {
        match self.lesson.quiz {
            Some(_) => Step::Open(Place::Quiz(self.lesson.id.clone())),
            None => Step::Stay,
        }
    }

    /// The chosen lab, if there is one on the page.
    fn open_lab(&self, start: Start) -> Step {
        match self.labs.get(self.lab) {
            Some((id, _)) => Step::Open(Place::Lab(self.lesson.id.clone(), id.clone(), start)),
            None => Step::Stay,
        }
    }

    fn choose_lab(&mut self, lab: usize) {
        if let Some((_, line)) = self.labs.get(lab) {
            self.lab = lab;
            let end = (line + self.scroll.in_sight().len()).min(self.scroll.len());
            self.scroll.show(&(*line..end));
        }
    }

    /// The lab nearest to what is in sight becomes the chosen one.
    fn notice_lab(&mut self) {
        let sight = self.scroll.in_sight();
        let chosen = self.labs.get(self.lab);
        if chosen.is_some_and(|(_, line)| sight.contains(line)) {
            return;
        }
        let seen = self.labs.iter().position(|(_, line)| sight.contains(line));
        let above = self.labs.iter().rposition(|(_, line)| *line < sight.start);
        self.lab = seen.or(above).unwrap_or(0);
    }
}

impl Face for Reader {
    fn context(&self) -> Context {
        Context::Reader
    }

    fn title(&self, _session: &Session) -> Title {
        let pages = self.lesson.pages.len();
        let title = self.lesson.pages.get(self.page).map_or("", |it| &it.title);
        let left = if title == self.lesson.title {
            title.to_owned()
        } else {
            format!("{} · {title}", self.lesson.title)
        };
        let filled = (10 * (self.page + 1)).div_ceil(pages.max(1));
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(10 - filled.min(10)));
        Title {
            left,
            right: format!("page {} of {pages}", self.page + 1),
            bar,
        }
    }

    fn act(&mut self, action: Action, turn: &mut Turn<'_>) -> Step {
        if action == Action::Back {
            return Step::Back;
        } else if action == Action::NextPage {
            return self.next_page(turn);
        } else if action == Action::PreviousPage {
            self.turn_to(self.page.saturating_sub(1), turn);
        } else if action == Action::PageDown && self.scroll.at_end() {
            if self.page + 1 < self.lesson.pages.len() {
                self.turn_to(self.page + 1, turn);
            }
        } else if action == Action::NextLab {
            let in_sight = self.labs.get(self.lab).map(|it| it.1);
            let seen = in_sight.is_some_and(|it| self.scroll.in_sight().contains(&it));
            let step = usize::from(seen || self.lab > 0);
            self.choose_lab((self.lab + step) % self.labs.len().max(1));
        } else if action == Action::PreviousLab {
            self.choose_lab(self.lab.saturating_sub(1));
        } else if action == Action::Open {
            return self.open_lab(Start::Look);
        } else if action == Action::Run {
            return self.open_lab(Start::Run);
        } else if action == Action::Edit {
            return self.open_lab(Start::Edit);
        } else if action == Action::Quiz {
            return self.quiz();
        } else if self.scroll.act(action) {
            self.notice_lab();
        }
        Step::Stay
    }

    fn come_back(&mut self, _turn: &mut Turn<'_>) {
        self.laid_out = None;
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = frame::column(body).width;
        self.scroll.fit(body.height);
        if self.laid_out == Some(width) {
            return;
        }
        let Some(page) = self.lesson.pages.get(self.page) else {
            return;
        };
        let card = |id: &LabId| card(&self.lesson, id, session);
        let mut flow = page::flow(&page.blocks, width, session.theme, &card);
        let mut lines = heading(page, session.theme);
        let shift = lines.len();
        lines.append(&mut flow.lines);
        lines.extend(self.ending(session));
        self.labs = flow
            .labs
            .into_iter()
            .map(|(id, at)| (id, at + shift))
            .collect();
        self.scroll.set(lines);
        self.laid_out = Some(width);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let column = frame::column(body);
        self.scroll.view(frame, column);
        if let Some((_, line)) = self.labs.get(self.lab)
            && let Some(row) = line.checked_sub(self.scroll.top())
            && row < usize::from(column.height)
        {
            let mark = ink::line("▶", session.theme.style(Role::Selected));
            ink::put(frame, column, row, &mark);
        }
        frame::more_below(frame, body, self.scroll.below(), session.theme);
    }
}

impl Reader {
    /// The line under a page: where to go from here.
    fn ending(&self, session: &Session) -> Vec<Line<'static>> {
        let theme = session.theme;
        let next = self.lesson.pages.get(self.page + 1);
        let words = match (next, &self.lesson.quiz) {
            (Some(next), _) => format!("n  {}", next.title),
            (None, Some(_)) if session.progress.lesson(&self.lesson.id).is_done() => {
                "● done   z  quiz again".to_owned()
            }
            (None, Some(quiz)) => format!("n  quiz: {} questions", quiz.counted().count()),
            (None, None) => "end of the lesson".to_owned(),
        };
        vec![Line::default(), ink::line(&words, theme.style(Role::Key))]
    }
}

fn heading(page: &Page, theme: Theme) -> Vec<Line<'static>> {
    vec![
        ink::line(&page.title, theme.style(Role::Heading)),
        Line::default(),
    ]
}

/// What the page says about a lab.
fn card(lesson: &Lesson, id: &LabId, session: &Session) -> Option<LabCard> {
    let lab = lesson.labs.iter().find(|it| &it.id == id)?;
    let done = session.progress.lesson(&lesson.id).lab(id);
    let (word, role) = if done.passed {
        ("● passed", Role::Good)
    } else if done.ran || done.source.is_some() {
        ("◐ begun", Role::Warn)
    } else {
        ("○ new", Role::Dim)
    };
    Some(LabCard {
        title: lab.title.clone(),
        state: ink::span(word, session.theme.style(role)),
        source: done.source.clone().unwrap_or_else(|| lab.starter.clone()),
    })
}
