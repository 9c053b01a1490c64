//! A word of the glossary that was looked up: its page is only visited.

use super::Reader;
use super::state::LookedUp;
use crate::search::TextSection;
use crate::session::UpdateContext;
use warpup_course::glossary::terms;

impl Reader {
    /// The learner works here, and no longer only visits.
    pub(super) fn begin_here(&mut self, ctx: &mut UpdateContext<'_>) {
        self.set_word(None);
        self.is_visit = false;
        self.note_place(ctx);
    }

    /// Notes the word that was looked up here, on which the line under the page depends.
    pub(super) fn set_word(&mut self, word: Option<LookedUp>) {
        if word.is_some() != self.word.is_some() {
            self.text.begin_again();
        }
        self.word = word;
    }

    /// The word of the glossary that a text of this lesson explains.
    pub(super) fn word_at(&self, place: TextSection) -> Option<LookedUp> {
        let at = (place.page, place.block.checked_sub(1)?);
        let term = terms(&self.lesson).find(|it| it.at == at)?;
        Some(LookedUp {
            word: term.word,
            number: place.block,
        })
    }
}
