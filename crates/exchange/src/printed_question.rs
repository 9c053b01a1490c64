//! The parts of a question on paper as blocks, which each format writes with its own writer.
//!
//! Each part is written by itself: of two lists after one another, a tree of blocks makes one.

use warpup_course::{Block, BlockKind, Container, Marker, Piece, Question, Sheet, Text};

/// Blocks that are written by themselves.
pub(super) type SheetPart = Vec<Block>;

/// The question on paper.
pub(super) fn sheet(question: &Question) -> Sheet {
    question.sheet()
}

/// How to answer, and what there is to choose from, each choice behind what it is called by its place.
pub(super) fn offered(sheet: &Sheet, label: fn(usize) -> String) -> Vec<SheetPart> {
    let how = emphasised(&Text::of(&sheet.how));
    let lists = [&sheet.choices, &sheet.others];
    let lists = lists.map(|choices| {
        let choices = choices.iter().enumerate();
        bullets(choices.map(|(at, it)| text([Text::of(label(at)), it.clone()])))
    });
    let parts = std::iter::once(vec![paragraph(how, Vec::new())]).chain(lists);
    parts.filter(|it| !it.is_empty()).collect()
}

/// The hints, each folded.
pub(super) fn hints(question: &Question) -> Vec<SheetPart> {
    let hints = question.hints.iter().map(|it| {
        let hint = Container::Details {
            summary: "Hint".to_owned(),
            first: true,
        };
        vec![paragraph(it.clone(), vec![hint])]
    });
    hints.collect()
}

/// What is right and why, and what is said to wrong answers, each of which is marked like this.
pub(super) fn answer(
    question: &Question,
    sheet: &Sheet,
    mark: fn(&Text) -> Text,
) -> Vec<SheetPart> {
    let key = sheet.key.iter().cloned();
    let mut parts = vec![
        if sheet.is_ordered {
            items((1..).map(Marker::Number).zip(key))
        } else {
            bullets(key)
        },
        question.explain.clone(),
    ];
    if !sheet.feedback.is_empty() {
        parts.push(vec![paragraph(Text::of("About the answers:"), Vec::new())]);
        let said = sheet.feedback.iter();
        let said = said.map(|(answer, said)| text([mark(answer), Text::of(" "), said.clone()]));
        parts.push(bullets(said));
    }
    parts.retain(|it| !it.is_empty());
    parts
}

/// A wrong answer with emphasis.
pub(super) fn emphasised(answer: &Text) -> Text {
    let pieces = answer.pieces.iter().map(|it| Piece {
        emphasis: true,
        ..it.clone()
    });
    Text {
        pieces: pieces.collect(),
    }
}

/// A wrong answer in quotes.
pub(super) fn quoted(answer: &Text) -> Text {
    text([Text::of("“"), answer.clone(), Text::of("”")])
}

fn bullets(texts: impl Iterator<Item = Text>) -> SheetPart {
    items(texts.map(|it| (Marker::Bullet, it)))
}

fn items(items: impl Iterator<Item = (Marker, Text)>) -> SheetPart {
    let items = items.map(|(marker, text)| {
        let item = Container::Item {
            marker,
            first: true,
        };
        paragraph(text, vec![item])
    });
    items.collect()
}

fn paragraph(text: Text, within: Vec<Container>) -> Block {
    Block {
        within,
        kind: BlockKind::Paragraph(text),
        span: 0..0,
    }
}

fn text<const N: usize>(texts: [Text; N]) -> Text {
    Text {
        pieces: texts.into_iter().flat_map(|it| it.pieces).collect(),
    }
}
