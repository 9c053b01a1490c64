//! What is wrong with a glossary: items of which nobody reads that they explain a word.

use super::Fold;
use crate::diagnostics::Rule;
use crate::glossary;

/// Between a word and what it means, as people write it.
const BETWEEN: [&str; 5] = [": ", " – ", " — ", " - ", " = "];

/// Longer words are the beginning of a sentence.
const MAX_WORD: usize = 40;

impl Fold<'_, '_> {
    /// Warns of items of the glossary without a word in bold, and of a glossary without words.
    pub(super) fn check_glossary(&mut self) {
        for (page, start) in self.pages.iter().zip(&self.starts) {
            if !page.is_glossary() {
                continue;
            }
            let (without, has_word) = glossary::without_word(page);
            if without.is_empty() && !has_word {
                self.report
                    .warning(
                        Rule::GlossaryItem,
                        start.clone(),
                        "this page has the id of a glossary, and explains no word",
                    )
                    .hint("write each word as an item of a list: `- **card**: the GPU in the machine.`");
            }
            for (block, text) in without {
                let is_plain = text.pieces.first().is_some_and(|it| !it.emphasis);
                let text = text.plain();
                let found = word(&text);
                let written = self.written(block.span.start);
                let rest = found.and_then(|(word, _)| written.strip_prefix(word));
                let is_plain = is_plain && rest.is_some_and(|it| it.starts_with(':'));
                let said = self.report.warning(
                    Rule::GlossaryItem,
                    block.span.clone(),
                    "this item is not in the glossary: it begins with no word in bold",
                );
                let Some((word, meaning)) = found else {
                    said.hint("begin it with the word: `- **card**: the GPU in the machine.`");
                    continue;
                };
                let at = block.span.start..block.span.start + word.len();
                let said = if is_plain {
                    said.fixed_at(at, word, format!("**{word}**"))
                } else {
                    said
                };
                said.hint(format!("write `- **{word}**: {meaning}`"));
            }
        }
    }

    /// The text from a byte of the file on.
    fn written(&self, at: usize) -> &str {
        let body = self.spot.span(&(0..0)).start;
        let text = self.text.get(at.saturating_sub(body)..);
        text.unwrap_or_default()
    }
}

/// A word and what it means.
fn word(text: &str) -> Option<(&str, &str)> {
    let found = BETWEEN.iter().filter_map(|it| text.split_once(it));
    let (word, meaning) = found.min_by_key(|it| it.0.len())?;
    (word.chars().count() <= MAX_WORD && !word.is_empty()).then_some((word.trim(), meaning.trim()))
}
