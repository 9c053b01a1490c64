//! Replacing what is found in the program: one hit after the other, or all at once.

use ratatui_textarea::DataCursor;

use super::Editor;
use super::find::Hit;
use super::history::Change;
use crate::field::Field;

impl Editor {
    /// Asks for what is put in place of what is found; once more goes back to the line of what is searched.
    pub(super) fn ask_for_replacement(&mut self) {
        let is_found = !self.find.hits(self.area.lines()).is_empty();
        self.find.replacement = match self.find.replacement.take() {
            None if is_found => Some(Field::default()),
            None | Some(_) => None,
        };
    }

    /// Replaces the hit at the cursor, and goes to the next one.
    pub(super) fn replace_hit(&mut self) {
        let DataCursor(row, letter) = self.area.cursor();
        let hits = self.find.hits(self.area.lines());
        let here = hits.into_iter().find(|it| it.place() == (row, letter));
        self.put_in_place_of(&Vec::from_iter(here));
        self.go_to_hit_here();
    }

    /// Replaces all hits, as one step.
    pub(super) fn replace_all_hits(&mut self) {
        let hits = self.find.hits(self.area.lines());
        self.put_in_place_of(&hits);
    }

    /// Puts the replacement in place of these hits; the cursor is behind the last one then, so that it is not found again.
    fn put_in_place_of(&mut self, hits: &[Hit]) {
        let replacement = self.find.replacement.as_ref().map(Field::text);
        let (Some(replacement), Some(last)) = (replacement, hits.last()) else {
            return;
        };
        let before = self.state();
        let mut after = before.clone();
        // From the end, so that no hit moves.
        for hit in hits.iter().rev() {
            if let Some(line) = after.lines.get_mut(hit.row) {
                let letters = || line.chars();
                let head = letters().take(hit.letters.start);
                let tail = letters().skip(hit.letters.end);
                *line = head.chain(replacement.chars()).chain(tail).collect();
            }
        }
        let above = hits.iter().filter(|it| it.row == last.row);
        let removed: usize = above.clone().map(|it| it.letters.len()).sum();
        let put_in = above.count() * replacement.chars().count();
        let letter = (last.letters.end + put_in).saturating_sub(removed);
        after.cursor = DataCursor(last.row, letter);
        if after.lines != before.lines {
            self.history.keep(before, Change::Other);
        }
        self.restore(after);
    }
}
