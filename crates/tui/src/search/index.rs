//! The text of the course in reading order, as far as a learner sees it on its pages.
//!
//! Hints, checks and solutions are left out: a search must not give them away.

use std::rc::Rc;

use warpup_course::{Block, BlockKind, Lab, Lesson, Page, Text};

/// A part of a page. Places are ordered as they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TextSection {
    /// The index of the lesson in the course.
    pub(crate) lesson: usize,
    /// The index of the page in its lesson.
    pub(crate) page: usize,
    /// The number of the block on its page, from 1; 0 is the title of the page.
    pub(crate) block: usize,
}

/// The texts of the course with their places, in reading order.
#[derive(Debug)]
pub(crate) struct Index(pub(super) Vec<(TextSection, String)>);

impl Index {
    /// The texts of these lessons.
    pub(crate) fn of(lessons: &[Rc<Lesson>]) -> Self {
        let mut texts = Vec::new();
        for (number, lesson) in lessons.iter().enumerate() {
            for (page_number, page) in lesson.pages.iter().enumerate() {
                let place = |block| TextSection {
                    lesson: number,
                    page: page_number,
                    block,
                };
                let all = texts_of(page, &lesson.labs).into_iter().enumerate();
                texts.extend(all.map(|(block, text)| (place(block), text)));
            }
        }
        Self(texts)
    }

    /// The text at a place, or an empty text.
    pub(crate) fn text(&self, place: TextSection) -> &str {
        let at = self.0.binary_search_by_key(&place, |it| it.0);
        let found = at.ok().and_then(|it| self.0.get(it));
        found.map_or("", |it| it.1.as_str())
    }
}

/// The title of a page and the text of each block.
fn texts_of(page: &Page, labs: &[Lab]) -> Vec<String> {
    let blocks = page.blocks.iter().map(|it| text_of(it, labs));
    std::iter::once(page.title.clone()).chain(blocks).collect()
}

/// The text of a block as it is on the page, lines separated by line feeds.
pub(crate) fn text_of(block: &Block, labs: &[Lab]) -> String {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => text.plain(),
        BlockKind::Code { code, .. } => code.clone(),
        BlockKind::Figure { art, .. } => art.clone(),
        BlockKind::Table { head, rows, .. } => {
            let cells = head.iter().chain(rows.iter().flatten());
            let cells: Vec<_> = cells.map(Text::plain).collect();
            cells.join("\n")
        }
        BlockKind::Lab(id) => {
            let lab = labs.iter().find(|it| &it.id == id);
            lab.map_or_else(String::new, |it| format!("{}\n{}", it.title, it.starter))
        }
        BlockKind::Rule => String::new(),
    }
}
