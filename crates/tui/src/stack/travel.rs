//! Going to a place that the learner names: by search, or in the palette.

use super::Stack;
use crate::glossary::{self, Glossary};
use crate::hit_list::HitList;
use crate::keymap::{Action, Destination};
use crate::overlay::Overlay;
use crate::palette::{self, EntryTarget, Palette};
use crate::screen::{OpenScreen, Reader, Route, Start, Step, next_step};
use crate::search::{Index, Query, Search, TextSection};
use crate::search_line::SearchLine;
use crate::session::{Session, UpdateContext};
use warpup_progress::ReadingPosition;

impl Stack {
    /// Asks for words to search for.
    pub(super) fn open_search(&mut self, session: &Session) {
        let index = Index::of(&session.course.lessons);
        let line = SearchLine::new(index, self.place(session));
        self.overlay = Some(Overlay::Search(Box::new(line)));
    }

    /// Opens the palette, if nothing else is open over the screen.
    pub(super) fn open_palette(&mut self, session: &Session) {
        if self.overlay.is_some() {
            return;
        }
        let top = self.top();
        let context = self.context(session);
        let is_offered = |action| top.offers(action, session);
        let links = self.reader().map_or(&[][..], Reader::links);
        let mut entries = palette::entries(session, context, links, is_offered);
        if top.knows(Action::Go(Destination::Program), session) {
            entries.splice(..0, palette::program(session));
        }
        self.overlay = Some(Overlay::Palette(Box::new(Palette::new(entries))));
    }

    /// Lists the keys of the screen.
    pub(super) fn open_help(&mut self, session: &Session) {
        let entries = palette::help(session, self.context(session), self.top());
        self.overlay = Some(Overlay::Palette(Box::new(Palette::help(entries))));
    }

    /// Shows what the words on the screen mean, first the one that was named. A notice says so if the screen has no such word.
    pub(super) fn open_words(&mut self, named: Option<usize>, session: &mut Session) {
        if self.overlay.is_some() {
            return;
        }
        let words = glossary::all(session);
        let text = self.opened.last().map(|it| it.glossary_text(session));
        let text = text.unwrap_or_default();
        let on_screen = glossary::on(&words, &text);
        let chosen = on_screen.iter().position(|it| Some(*it) == named);
        let on_screen = on_screen.iter().filter_map(|it| words.get(*it).cloned());
        let on_screen: Vec<_> = on_screen.collect();
        if on_screen.is_empty() {
            let said = if words.is_empty() {
                "This course has no glossary."
            } else if self.top().context().has_panes() {
                "No word of the glossary is in this pane or in the task."
            } else {
                "No word of the glossary is on the screen."
            };
            session.view.notice = Some(said.to_owned());
            return;
        }
        let list = Glossary::new(on_screen, chosen.unwrap_or(0));
        self.overlay = Some(Overlay::Words(list));
    }

    /// Goes to the chosen word in the course.
    pub(super) fn go_to_word(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(Overlay::Words(words)) = self.overlay.take()
            && let Some(place) = words.place()
        {
            self.go_to(place, ctx);
        }
    }

    /// Goes to the lesson that introduces the chosen word, if its entry names one.
    pub(super) fn go_to_lesson_of_word(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(Overlay::Words(words)) = &self.overlay
            && let Some(place) = words.lesson(ctx.session)
        {
            self.overlay = None;
            self.go_to(place, ctx);
        }
    }

    /// Goes on with the next step of the course.
    pub(super) fn go_on(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(next) = next_step(ctx.session) {
            self.step(Step::FromMap(next.route), ctx);
        } else {
            ctx.session.view.notice = Some("Every lesson of the course is done.".to_owned());
        }
    }

    /// Goes where the chosen entry of the palette leads.
    pub(super) fn choose(&mut self, ctx: &mut UpdateContext<'_>) {
        let Some(Overlay::Palette(palette)) = &self.overlay else {
            return;
        };
        let Some(lead) = palette.lead() else {
            return;
        };
        if lead == EntryTarget::Nowhere {
            return;
        }
        self.overlay = None;
        match lead {
            EntryTarget::Nowhere => {}
            EntryTarget::Act(action) => self.act(action, ctx),
            EntryTarget::Search(words) => self.search_for(&words, ctx),
            EntryTarget::Text(place) => self.go_to(place, ctx),
            EntryTarget::Lab(lesson, lab) => {
                self.open_over_page(Route::Lab(lesson, lab, Start::Look), ctx);
            }
            EntryTarget::Quiz(lesson) => self.open_over_page(Route::Quiz(lesson), ctx),
            EntryTarget::Program => self.step(Step::FromMap(Route::Program), ctx),
        }
    }

    /// Opens a lab or a quiz. A page stays open under it; another lab or quiz does not.
    fn open_over_page(&mut self, route: Route, ctx: &mut UpdateContext<'_>) {
        let is_page = self.place(ctx.session).is_some();
        let step = if is_page {
            Step::Open(route)
        } else {
            Step::FromMap(route)
        };
        self.step(step, ctx);
    }

    /// Searches for words as if they were typed.
    fn search_for(&mut self, words: &str, ctx: &mut UpdateContext<'_>) {
        self.open_search(ctx.session);
        if let Some(Overlay::Search(line)) = &mut self.overlay {
            line.paste(words);
        }
        self.find(ctx);
    }

    /// Searches for the words that are typed: one hit is gone to, and several are listed, chosen the first one from here on.
    /// Without a hit the words stay open, and nothing typed ends the search.
    pub(super) fn find(&mut self, ctx: &mut UpdateContext<'_>) {
        let Some(Overlay::Search(line)) = &self.overlay else {
            return;
        };
        let here = self.place(ctx.session);
        let here = here.or_else(|| reading_place(ctx.session));
        let hits_above = |it: &Query| self.reader().map_or(0, |reader| reader.hits_above(it));
        let search = line.search(here.unwrap_or_default(), hits_above);
        if search.is_none() && !line.is_empty() {
            return;
        }
        let Some(Overlay::Search(line)) = self.overlay.take() else {
            return;
        };
        match search {
            Some(search) if search.number().1 > 1 => {
                let hits = HitList::new(search, line.into_index());
                self.overlay = Some(Overlay::Hits(Box::new(hits)));
            }
            Some(_) | None => self.take_search(search, ctx),
        }
    }

    /// Goes to the hit that is chosen in the list.
    pub(super) fn go_to_listed_hit(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(Overlay::Hits(hits)) = self.overlay.take() {
            self.take_search(Some(hits.into_search()), ctx);
        }
    }

    /// Opens a search, and goes to the hit that it is at.
    fn take_search(&mut self, search: Option<Search>, ctx: &mut UpdateContext<'_>) {
        ctx.session.view.search = search;
        if let Some(place) = ctx.session.view.search.as_ref().and_then(Search::hit) {
            self.go_to(place.place, ctx);
        }
    }

    /// Goes to another hit of the open search.
    pub(super) fn go_to_hit(
        &mut self,
        go: fn(&mut Search, TextSection),
        ctx: &mut UpdateContext<'_>,
    ) {
        let here = self.place(ctx.session).unwrap_or_default();
        let hit = ctx.session.view.search.as_mut().and_then(|search| {
            go(search, here);
            search.hit()
        });
        if let Some(hit) = hit {
            self.go_to(hit.place, ctx);
        }
    }

    /// Goes to a place in the text of the course: on the screen on top, if it shows the text, or over that screen, such as a
    /// lab, to which the learner then goes back.
    fn go_to(&mut self, place: TextSection, ctx: &mut UpdateContext<'_>) {
        if self.turn_to(place, ctx) {
            return;
        }
        let lesson = ctx.session.course.lessons.get(place.lesson);
        let page =
            lesson.and_then(|it| Some((it.id.clone(), it.pages.get(place.page)?.id.clone())));
        if let Some((lesson, page)) = page {
            self.step(Step::Open(Route::Lesson(lesson, Some(page))), ctx);
            self.turn_to(place, ctx);
        }
    }

    /// Turns the reader on top to a place; says whether there is one that can.
    fn turn_to(&mut self, place: TextSection, ctx: &mut UpdateContext<'_>) -> bool {
        let Some(OpenScreen::Reader(reader)) = self.opened.last_mut() else {
            return false;
        };
        reader.go_to(place, ctx)
    }

    /// Where in the text of the course the learner is, if it is on the screen.
    pub(super) fn place(&self, session: &Session) -> Option<TextSection> {
        self.reader()?.place(session)
    }
}

/// Where reading goes on, for a search from the map.
fn reading_place(session: &Session) -> Option<TextSection> {
    let (lesson, page) = session.learner.progress.place()?;
    let spot = session.learner.progress.lesson(&lesson).spot(&page);
    let number = session
        .course
        .lessons
        .iter()
        .position(|it| it.id == lesson)?;
    let pages = &session.course.lessons.get(number)?.pages;
    Some(TextSection {
        lesson: number,
        page: pages.iter().position(|it| it.id == page)?,
        block: if spot == ReadingPosition::default() {
            0
        } else {
            spot.block + 1
        },
    })
}
