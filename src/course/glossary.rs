//! The words that a course explains: the list on its pages with the id `glossary`.
//!
//! An entry is an item of a list that begins with the word in bold: `- **card**: the GPU in the machine.` A last part in
//! italics names the lesson that introduces the word.

use super::{BlockKind, Container, Lesson, Piece, Text};

/// A word and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) word: String,
    pub(crate) meaning: String,
    /// Where it is explained: the index of the page in the lesson, and of the block on the page.
    pub(crate) at: (usize, usize),
}

/// The words that a lesson explains.
pub(crate) fn terms(lesson: &Lesson) -> impl Iterator<Item = Term> {
    let pages = lesson.pages.iter().enumerate();
    let pages = pages.filter(|(_, it)| it.id.as_str() == "glossary");
    pages.flat_map(|(page, it)| {
        let blocks = it.blocks.iter().enumerate();
        blocks.filter_map(move |(at, block)| {
            let is_item = matches!(
                block.within.last(),
                Some(Container::Item { first: true, .. })
            );
            let BlockKind::Paragraph(text) = &block.kind else {
                return None;
            };
            let (word, meaning) = is_item.then(|| split(text))??;
            Some(Term {
                word,
                meaning,
                at: (page, at),
            })
        })
    })
}

/// The word in bold at the start, and what follows it.
fn split(text: &Text) -> Option<(String, String)> {
    let is_word = |it: &&Piece| it.strong;
    let words = text.pieces.iter().take_while(is_word).count();
    let (word, meaning) = text.pieces.split_at_checked(words)?;
    let of = |pieces: &[Piece]| pieces.iter().map(|it| it.text.as_str()).collect::<String>();
    let word = of(word);
    let meaning = match meaning.split_last() {
        Some((lesson, before)) if lesson.emphasis => {
            let said = of(before);
            let said = said.trim_end().trim_end_matches('.').to_owned();
            format!("{said} ({})", lesson.text)
        }
        Some(_) | None => of(meaning),
    };
    let meaning = meaning.trim_start_matches([':', ' ']).replace('\n', " ");
    (!word.is_empty()).then_some((word, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::sample;

    #[test]
    fn words_are_read_from_the_page_with_the_id_glossary() {
        let course = sample::course_with(
            "lessons/copies.md",
            "## Words {#glossary}\n\nEach **word** once.\n\n- **card**: the GPU, with *its own* memory. *Two workers*\n\
             - **bus**: between\n  the memories.\n- no word\n",
        );
        let terms: Vec<_> = course.lessons.iter().flat_map(terms).collect();
        let said: Vec<_> = terms
            .iter()
            .map(|it| format!("{}: {}", it.word, it.meaning))
            .collect();
        insta::assert_snapshot!(said.join("\n"), @"
        card: the GPU, with its own memory (Two workers)
        bus: between the memories.
        ");
        assert_eq!(terms.first().map(|it| it.at), Some((2, 1)));
    }
}
