//! The words that a course explains: the lists on its pages with the id `glossary`, or one that begins with `glossary-`.
//!
//! An entry is an item of a list that begins with the word in bold: `- **card**: the GPU in the machine.` A last part in
//! italics names the lesson that introduces the word.

use std::ops::Range;

use super::{Block, BlockKind, Container, Lesson, Page, Piece, Text};

/// A word and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word, as it is written in a text.
    pub word: String,
    /// What it means, in one sentence.
    pub meaning: String,
    /// The title of the lesson that introduces it, if the entry names one.
    pub lesson: Option<String>,
    /// Where it is explained: the index of the page in the lesson, and of the block on the page.
    pub at: (usize, usize),
}

/// The words that a lesson explains.
pub fn terms(lesson: &Lesson) -> impl Iterator<Item = Term> {
    let pages = lesson.pages.iter().enumerate();
    let pages = pages.filter(|(_, it)| it.is_glossary());
    pages.flat_map(|(page, it)| {
        let blocks = it.blocks.iter().enumerate();
        blocks.filter_map(move |(at, block)| term(item(block)?, (page, at)))
    })
}

/// The items of the lists on a page that explain no word, and whether any item does. What is in a list of an item belongs to the
/// item.
pub(crate) fn without_word(page: &Page) -> (Vec<(&Block, &Text)>, bool) {
    let is_item = |it: &&Container| matches!(it, Container::Item { .. });
    let blocks = page.blocks.iter();
    let blocks = blocks.filter(|it| it.within.iter().filter(is_item).count() == 1);
    let items = blocks.filter_map(|it| Some((it, item(it)?)));
    let all: Vec<_> = items.collect();
    let count = all.len();
    let without: Vec<_> = all
        .into_iter()
        .filter(|(_, text)| term(text, (0, 0)).is_none())
        .collect();
    let has_word = without.len() < count;
    (without, has_word)
}

/// The first text of an item of a list.
fn item(block: &Block) -> Option<&Text> {
    let BlockKind::Paragraph(text) = &block.kind else {
        return None;
    };
    let last = block.within.last();
    matches!(last, Some(Container::Item { first: true, .. })).then_some(text)
}

/// The word in bold at the start, and what follows it.
fn term(text: &Text, at: (usize, usize)) -> Option<Term> {
    let is_word = |it: &&Piece| it.strong;
    let words = text.pieces.iter().take_while(is_word).count();
    let (word, meaning) = text.pieces.split_at_checked(words)?;
    let of = |pieces: &[Piece]| pieces.iter().map(|it| it.text.as_str()).collect::<String>();
    let word = of(word);
    let (meaning, lesson) = match meaning.split_last() {
        Some((lesson, before)) if lesson.emphasis => {
            let said = of(before);
            let said = said.trim_end().trim_end_matches('.').to_owned();
            (
                format!("{said} ({})", lesson.text),
                Some(lesson.text.clone()),
            )
        }
        Some(_) | None => (of(meaning), None),
    };
    let meaning = meaning.trim_start_matches([':', ' ']).replace('\n', " ");
    (!word.is_empty()).then_some(Term {
        word,
        meaning,
        lesson,
        at,
    })
}

/// Where words of the glossary are in a text, from left to right: the index of the word, and the bytes. Where two overlap,
/// the longer one counts: `kernel launch`, not `kernel`. Forms such as `cards` and `synchronized` count; a word with a
/// capital matches only as it is written.
pub fn found(words: &[&str], text: &str) -> Vec<(usize, Range<usize>)> {
    let spoken = tokens(text);
    let wanted: Vec<Vec<&str>> = words
        .iter()
        .map(|it| tokens(it).into_iter().map(|it| it.1).collect())
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < spoken.len() {
        let rest = spoken.get(at..).unwrap_or_default();
        let fitting = wanted
            .iter()
            .enumerate()
            .filter(|it| begins(rest, it.1, text));
        let longest = fitting.max_by_key(|it| it.1.len());
        let Some((index, words)) = longest else {
            at += 1;
            continue;
        };
        let last = rest.get(words.len() - 1);
        if let (Some(first), Some(last)) = (rest.first(), last) {
            found.push((index, first.0.start..last.0.end));
        }
        at += words.len();
    }
    found
}

/// Whether a text begins with these words, only space and the marks of continued lines between them.
fn begins(text: &[(Range<usize>, &str)], words: &[&str], whole: &str) -> bool {
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    let Some(spoken) = text.get(..words.len()) else {
        return false;
    };
    let is_gap = |pair: &[(Range<usize>, &str)]| {
        let [one, other] = pair else { return true };
        let between = whole.get(one.0.end..other.0.start).unwrap_or_default();
        between
            .chars()
            .all(|it| it.is_whitespace() || "│↪-".contains(it))
    };
    spoken.windows(2).all(is_gap)
        && before
            .iter()
            .zip(spoken)
            .all(|(word, it)| is_same(word, it.1))
        && spoken.last().is_some_and(|it| is_form(last, it.1))
}

fn is_same(word: &str, spoken: &str) -> bool {
    word == spoken || (!word.chars().any(char::is_uppercase) && spoken.to_lowercase() == word)
}

/// Whether this is the word, or the usual plural or past of it.
fn is_form(word: &str, spoken: &str) -> bool {
    let of_y = word.strip_suffix('y').map_or("", |it| it);
    let endings = ["s", "es", "d", "ed"].into_iter().map(|it| (word, it));
    let endings = endings.chain(["ies", "ied"].map(|it| (of_y, it)));
    let is_ended = |(stem, ending)| {
        let begin = spoken.strip_suffix(ending);
        begin.is_some_and(|it| !it.is_empty() && is_same(stem, it))
    };
    is_same(word, spoken) || endings.into_iter().any(is_ended)
}

/// The words of a text with their bytes.
fn tokens(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut tokens = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (letter.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                tokens.extend(text.get(from..at).map(|it| (from..at, it)));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn words_are_read_from_the_pages_whose_ids_begin_with_glossary() {
        let course = sample::course_with(
            "lessons/copies.md",
            "## Words {#glossary}\n\nEach **word** once.\n\n- **card**: the GPU, with *its own* memory. *Two workers*\n\
             - **bus**: between\n  the memories.\n- no word\n\n## More words {#glossary-m}\n\n- **warp**: 32 threads.\n",
        );
        let terms: Vec<_> = course.lessons.iter().flat_map(terms).collect();
        let said: Vec<_> = terms
            .iter()
            .map(|it| format!("{}: {}", it.word, it.meaning))
            .collect();
        insta::assert_snapshot!(said.join("\n"), @"
        card: the GPU, with its own memory (Two workers)
        bus: between the memories.
        warp: 32 threads.
        ");
        assert_eq!(terms.first().map(|it| it.at), Some((2, 1)));
    }

    #[test]
    fn words_are_found_in_their_usual_forms_and_the_longer_one_counts() {
        let words = [
            "card",
            "kernel",
            "kernel launch",
            "copy",
            "GiB",
            "synchronize",
        ];
        let said = |text: &str| {
            let found = found(&words, text).into_iter();
            let found =
                found.map(|(at, bytes)| format!("{}:{}", words[at], text.get(bytes).unwrap()));
            found.collect::<Vec<_>>().join(", ")
        };
        insta::assert_snapshot!(said("Cards, discards; copies. A kernel\n│ launch"), @"
        card:Cards, copy:copies, kernel launch:kernel
        │ launch
        ");
        insta::assert_snapshot!(said("kernel. Launch 3 GiB, gib; it synchronized."), @"kernel:kernel, GiB:GiB, synchronize:synchronized");
    }
}
