//! The state of the reader: the page, the chosen lab, and where they lead.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::links::{self, LinkNumber, Target};
use super::open_folds::{FoldPath, OpenFolds, SinceTurned};
use super::page_view::PageView;
use super::text::PageText;
use crate::keymap::PageAction;
use crate::screen::behaviour::{Start, Step};
use crate::scroll::Scroll;
use crate::search::{Hit, Query, Search, TextSection};
use crate::session::{Session, UpdateContext};
use warpup_course::{Lesson, LessonId, PageId};
use warpup_progress::{Event, ReadingPosition};

/// The pages of a lesson, of which one is on screen.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(super) lesson: Rc<Lesson>,
    pub(super) page: usize,
    /// Which lab on the page is chosen.
    pub(super) lab: usize,
    pub(super) since_turned: SinceTurned,
    pub(super) text: PageText,
    /// The pages of the lesson, on a wide terminal.
    pub(super) outline: Scroll,
    /// Whether the learner jumped here and has not read on: the place where reading goes on is kept until they do.
    pub(super) is_visit: bool,
    /// The word that was looked up on this page, until it is turned or a lab or the quiz is opened.
    pub(super) word: Option<LookedUp>,
    /// Whether it was opened to look something up: before the first jump lies the screen under this one.
    is_looked_up: bool,
    /// The folded parts that were opened, while the lesson is.
    pub(super) opened: OpenFolds,
    /// Where pages were left since the lesson was opened.
    pub(super) left: BTreeMap<usize, ReadingPosition>,
    /// The text that comes into sight with the next frame.
    pub(super) goal: Option<Goal>,
    /// Where links, the palette and searches were followed, or Tab led past pages, the newest last.
    pub(super) jumps: Vec<Jump>,
    /// The digits of a link's number so far; 0 if none are typed.
    pub(super) number: usize,
}

/// A word of the glossary that was looked up.
#[derive(Clone, Debug)]
pub(super) struct LookedUp {
    pub(super) word: String,
    /// The text of the page that explains it, as in a [`TextSection`].
    pub(super) number: usize,
}

/// A place to go back to.
#[derive(Debug)]
pub(super) struct Jump {
    pub(super) lesson: Rc<Lesson>,
    pub(super) page: usize,
    lab: usize,
    since_turned: SinceTurned,
    spot: ReadingPosition,
    is_visit: bool,
    word: Option<LookedUp>,
    /// The search that led away, if one did. All its hits together are one jump.
    search: Option<Query>,
}

/// What is brought into sight once the page is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The text with this number, as in a [`TextSection`], or the hit of the open search in it.
    Text(usize),
    /// The lab with this index, or the last one.
    Lab(usize),
    /// What follows the lab with this index.
    BehindLab(usize),
    /// What follows a pause, from this block on.
    Rest(usize),
    /// A folded part, by its first block and the containers around it, with its summary in this row.
    Fold { part: FoldPath, row: usize },
}

impl Reader {
    /// Opens a lesson at the top of a page, or where it was left, or at its start.
    pub(in crate::screen) fn open(
        lesson: &LessonId,
        page: Option<&PageId>,
        ctx: &mut UpdateContext<'_>,
    ) -> Option<Self> {
        let lesson = Rc::clone(ctx.session.lesson(lesson)?);
        let progress = ctx.session.learner.progress.lesson(&lesson.id);
        let place = progress.place.clone();
        let wanted = page.or(place.as_ref());
        let at = lesson.pages.iter().position(|it| Some(&it.id) == wanted);
        let spot = match (page, wanted) {
            (None, Some(left)) => progress.spot(left),
            (Some(_), _) | (None, None) => ReadingPosition::default(),
        };
        let mut reader = Self {
            lesson,
            page: 0,
            lab: 0,
            since_turned: SinceTurned::default(),
            text: PageText::default(),
            outline: Scroll::default(),
            is_visit: page.is_some(),
            word: None,
            is_looked_up: page.is_some(),
            opened: OpenFolds::default(),
            left: BTreeMap::new(),
            goal: None,
            jumps: Vec::new(),
            number: 0,
        };
        reader.show(at.unwrap_or(0), spot);
        reader.note_place(ctx);
        Some(reader)
    }

    /// Opens a lesson at a page from which reading goes on: where it was left, if that was the place read last.
    pub(in crate::screen) fn read_on_at(
        lesson: &LessonId,
        page: &PageId,
        ctx: &mut UpdateContext<'_>,
    ) -> Option<Self> {
        if ctx.session.learner.progress.lesson(lesson).place.as_ref() == Some(page) {
            return Self::open(lesson, None, ctx);
        }
        let mut reader = Self::open(lesson, Some(page), ctx)?;
        reader.is_visit = false;
        reader.is_looked_up = false;
        reader.note_place(ctx);
        Some(reader)
    }

    /// The page on screen.
    pub(super) fn shown<'a>(&'a self, session: &'a Session) -> Option<PageView<'a>> {
        let shown = PageView::new(&self.lesson, self.page, &self.opened, session)?;
        Some(shown.looked_up(self.word.is_some()))
    }

    /// Turns to the top of a page. Only who turns on reads on.
    pub(super) fn turn_to(&mut self, page: usize, ctx: &mut UpdateContext<'_>) {
        self.is_visit &= page <= self.page;
        self.left.insert(self.page, self.text.spot());
        self.show(page, ReadingPosition::default());
        self.note_place(ctx);
    }

    /// Turns back to the page before, where it was left.
    fn turn_back(&mut self, ctx: &mut UpdateContext<'_>) {
        let page = self.page.saturating_sub(1);
        let spot = self.left.get(&page).copied();
        self.left.insert(self.page, self.text.spot());
        self.show(page, spot.unwrap_or_default());
        self.note_place(ctx);
    }

    fn show(&mut self, page: usize, spot: ReadingPosition) {
        if page < self.lesson.pages.len() {
            self.page = page;
            self.word = None;
            self.lab = 0;
            self.since_turned = SinceTurned::default();
            self.opened.newest = None;
            self.goal = None;
            self.text.open(spot);
        }
    }

    /// The learner reads on here: from now on reading goes on at this place. Who looked a word up, or goes from hit to hit,
    /// only looks around.
    pub(super) fn read_on(&mut self, ctx: &mut UpdateContext<'_>) {
        self.is_visit &= self.word.is_some() || ctx.session.view.search.is_some();
        self.note_place(ctx);
    }

    /// Records the page on screen as the one where reading goes on, unless it is only visited.
    pub(super) fn note_place(&self, ctx: &mut UpdateContext<'_>) {
        let Some(page) = self.lesson.pages.get(self.page) else {
            return;
        };
        let known = ctx.session.learner.progress.place();
        if !self.is_visit && known != Some((self.lesson.id.clone(), page.id.clone())) {
            ctx.note(Event::Read {
                lesson: self.lesson.id.clone(),
                page: page.id.clone(),
            });
        }
    }

    /// Goes to a place of any lesson.
    pub(crate) fn go_to(&mut self, place: TextSection, ctx: &mut UpdateContext<'_>) -> bool {
        let lesson = ctx.session.course.lessons.get(place.lesson);
        let Some(lesson) = lesson.filter(|it| place.page < it.pages.len()) else {
            return false;
        };
        let lesson = Rc::clone(lesson);
        let is_here = lesson.id == self.lesson.id && place.page == self.page;
        // Going from word to word of a page that is only looked at is one visit.
        if !is_here || !self.is_visit {
            self.note_jump(place, ctx.session);
        }
        if is_here {
            self.record_spot(ctx);
        } else {
            self.enter(lesson, place.page, ReadingPosition::default(), ctx);
        }
        self.is_visit = true;
        self.set_word(self.word_at(place));
        self.reveal(place.block.saturating_sub(1), ctx);
        self.uncover(place);
        self.goal = Some(Goal::Text(place.block));
        true
    }

    /// Notes where the learner is before going to another page.
    fn note_jump(&mut self, to: TextSection, session: &Session) {
        let search = session.view.search.as_ref();
        let search = search.filter(|it| it.hit().is_some_and(|it| it.place == to));
        let search = search.map(|it| it.query.clone());
        let last = self.jumps.last().and_then(|it| it.search.as_ref());
        if search.is_none() || last != search.as_ref() {
            self.push_jump(search);
        }
    }

    /// Keeps the place as the one to go back to.
    pub(super) fn push_jump(&mut self, search: Option<Query>) {
        self.jumps.push(Jump {
            lesson: Rc::clone(&self.lesson),
            page: self.page,
            lab: self.lab,
            since_turned: self.since_turned.clone(),
            spot: self.text.spot(),
            is_visit: self.is_visit,
            word: self.word.clone(),
            search,
        });
    }

    /// Goes to a page of any lesson, and notes where this one is left.
    fn enter(
        &mut self,
        lesson: Rc<Lesson>,
        page: usize,
        spot: ReadingPosition,
        ctx: &mut UpdateContext<'_>,
    ) {
        self.record_spot(ctx);
        if lesson.id == self.lesson.id {
            self.left.insert(self.page, self.text.spot());
        } else {
            self.lesson = lesson;
            self.left.clear();
        }
        self.show(page, spot);
    }

    /// Goes back to where a link was followed.
    pub(super) fn return_from_jump(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        let Some(jump) = self.jumps.pop() else {
            return if self.is_looked_up {
                Step::Back
            } else {
                Step::Stay
            };
        };
        self.enter(jump.lesson, jump.page, jump.spot, ctx);
        self.lab = jump.lab;
        self.since_turned = jump.since_turned;
        self.is_visit = jump.is_visit;
        self.word = jump.word;
        self.note_place(ctx);
        Step::Stay
    }

    /// Whether there is a place to go back to.
    pub(super) fn has_jumped(&self) -> bool {
        self.is_looked_up || !self.jumps.is_empty()
    }

    /// Takes a digit of a link's number.
    fn digit(&mut self, digit: usize, ctx: &mut UpdateContext<'_>) -> Step {
        self.lay_out_all(ctx.session);
        let count = self.text.links().len();
        match links::typed(self.number, digit, count) {
            LinkNumber::Open(number) => return self.open_link(number, ctx),
            LinkNumber::Wait(number) => self.number = number,
            LinkNumber::Nothing => self.number = 0,
        }
        Step::Stay
    }

    /// Opens the link with a number.
    pub(super) fn open_link(&mut self, number: usize, ctx: &mut UpdateContext<'_>) -> Step {
        self.number = 0;
        self.lay_out_all(ctx.session);
        let address = number
            .checked_sub(1)
            .and_then(|it| self.text.links().get(it));
        let Some(address) = address.cloned() else {
            return Step::Stay;
        };
        match links::target(&address, &self.lesson, ctx.session) {
            Target::Page(place) => {
                self.go_to(place, ctx);
                Step::Stay
            }
            Target::Outside => Step::Address(address),
        }
    }

    /// Brings what was asked for into sight, once the page is laid out.
    pub(super) fn reach_goal(&mut self, session: &Session) {
        match self.goal.take() {
            Some(Goal::Text(number)) => {
                self.lay_out_all(session);
                let hit = session.view.search.as_ref().and_then(Search::hit);
                let hit = hit.filter(|it| Some(it.place) == self.place_of(number, session));
                self.text.show_text(number, hit.map(|it| it.nth));
                self.notice_lab();
            }
            Some(Goal::Lab(number)) => {
                self.lay_out_all(session);
                let last = self.text.labs().count().saturating_sub(1);
                self.choose_lab(number.min(last));
            }
            Some(Goal::BehindLab(number)) => {
                self.lay_out_all(session);
                self.show_behind_lab(number);
            }
            Some(Goal::Rest(block)) => {
                self.lay_out_all(session);
                self.show_rest(block);
                self.notice_lab();
            }
            Some(Goal::Fold { part, row }) => {
                self.lay_out_all(session);
                self.show_fold(part, row);
            }
            None => {}
        }
    }

    /// The hit of the open search that the learner is at, if it is on this page.
    pub(super) fn hit(&self, session: &Session) -> Option<Hit> {
        let hit = session.view.search.as_ref()?.hit()?;
        let here = self.place_of(hit.place.block, session);
        (here == Some(hit.place)).then_some(hit)
    }

    /// The place of a text on this page.
    pub(super) fn place_of(&self, block: usize, session: &Session) -> Option<TextSection> {
        let lesson = session
            .course
            .lessons
            .iter()
            .position(|it| it.id == self.lesson.id)?;
        Some(TextSection {
            lesson,
            page: self.page,
            block,
        })
    }

    /// Records the line that is left, if reading would not go on there anyway, and if the page is not only visited.
    pub(in crate::screen) fn record_spot(&self, ctx: &mut UpdateContext<'_>) {
        let page = self.lesson.pages.get(self.page);
        let Some(page) = page.filter(|_| !self.is_visit) else {
            return;
        };
        let at = self.text.spot();
        if ctx
            .session
            .learner
            .progress
            .lesson(&self.lesson.id)
            .spot(&page.id)
            != at
        {
            ctx.note(Event::Left {
                lesson: self.lesson.id.clone(),
                page: page.id.clone(),
                at,
            });
        }
    }

    pub(super) fn turn_pages(&mut self, action: PageAction, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            PageAction::Next => return self.next_page(ctx),
            PageAction::Previous => self.turn_back(ctx),
            PageAction::NextLab => self.next_lab(ctx),
            PageAction::PreviousLab => self.previous_lab(ctx),
            PageAction::Fold => self.fold_next(),
            PageAction::Digit(digit) => return self.digit(digit, ctx),
            PageAction::OpenLink(number) => return self.open_link(number, ctx),
            PageAction::Return => return self.return_from_jump(ctx),
            PageAction::RunLab => return self.open_lab(Start::Run, ctx),
            PageAction::EditLab => return self.open_lab(Start::Edit, ctx),
        }
        Step::Stay
    }

    pub(super) fn lay_out_all(&mut self, session: &Session) {
        if let Some(shown) = PageView::new(&self.lesson, self.page, &self.opened, session) {
            let shown = shown.looked_up(self.word.is_some());
            self.text.lay_out_all(shown);
        }
    }
}
