//! The body of a lesson file, folded into pages, labs and hints.

mod fences;
mod glossary_items;
mod helper_names;
mod hints;

use super::model::{Lab, Note, Page, Pause};
use super::programs::Programs;
use crate::diagnostics::{Report, Rule};
use crate::markdown::{self, Document, Link, Part, PartKind, ReadIn};
use crate::model::{Block, Container, FrontEnd, LabId, PageId, QuestionId, Text};
use crate::quiz::PageNames;
use crate::toml_walk::{FileOffsets, WithSpan, name};
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;

/// What the summary of a hint begins with.
const HINT: &str = "hint";

/// What is under the head of a lesson, and what has to be looked up in other files.
#[derive(Debug)]
pub(crate) struct Body {
    /// The pages.
    pub(crate) pages: Vec<Page>,
    /// The labs.
    pub(crate) labs: Vec<Lab>,
    /// Index of a lab, and the prediction it asks for.
    pub(crate) predicts: Vec<(usize, WithSpan<QuestionId>)>,
    /// Where it links to.
    pub(crate) links: Vec<Link>,
    /// Where each page starts in the file, for messages about it.
    pub(crate) page_spans: Vec<Range<usize>>,
    /// The labs that were left out because of a mistake.
    pub(crate) left_out: LeftOut,
}

impl Body {
    /// What other files may call its pages.
    pub(crate) fn page_names(&self) -> PageNames {
        let pages = self.pages.iter();
        PageNames::of(pages.map(|it| (&it.id, it.title.as_str())))
    }
}

/// Labs that are written and cannot be read. That other places name them is no mistake of those.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    ids: BTreeSet<String>,
    has_nameless: bool,
    /// Whether a check, a solution or a `same-as` block belongs to no lab because of a mistake in it.
    pub(crate) has_block: bool,
    /// Whether a page has another id than its author thinks, or none.
    pub(crate) has_page: bool,
}

impl LeftOut {
    /// Whether a lab of this id may be among them.
    pub(crate) fn may_have(&self, id: &str) -> bool {
        self.has_nameless || self.ids.contains(id)
    }
}

/// What a lesson is read with.
#[derive(Clone, Copy)]
pub(crate) struct ReadWith<'a> {
    /// The lesson's title, where it is known: that of the first page.
    pub(crate) title: Option<&'a str>,
    /// The programs in files of their own.
    pub(crate) programs: &'a Programs,
    /// Where it is read; `None` for the text of all front ends.
    pub(crate) front_end: Option<FrontEnd>,
}

/// Reads the body of a lesson, which starts at this byte of its file.
pub(crate) fn read(text: &str, body: usize, with: ReadWith<'_>, report: &mut Report) -> Body {
    let ReadWith {
        title,
        programs,
        front_end,
    } = with;
    let body_text = text.get(body..).unwrap_or_default();
    let spot = FileOffsets::From(body);
    let document = markdown::read(body_text, &spot, ReadIn::Lesson(front_end), report);
    let mut fold = Fold {
        text: body_text,
        spot: &spot,
        programs,
        report,
        pages: vec![Page {
            id: PageId::new("start"),
            title: title.unwrap_or_default().to_owned(),
            blocks: Vec::new(),
            pauses: Vec::new(),
            notes: Vec::new(),
        }],
        starts: iter::once(body..body).collect(),
        ids: BTreeSet::from(["start".to_owned()]),
        labs: Vec::new(),
        left_out: LeftOut::default(),
        predicts: Vec::new(),
        hints_of: BTreeMap::new(),
        notes: Vec::new(),
        pause: None,
        page_of_part: Vec::new(),
    };
    let Document {
        parts,
        links,
        references,
        unclosed,
        lost_page,
        lost_block,
    } = document;
    if let Some(from) = unclosed {
        fold.report.lose_track(from);
    }
    fold.left_out.has_page = lost_page;
    fold.left_out.has_nameless = lost_block;
    fold.left_out.has_block = lost_block;
    for part in parts {
        fold.part(part);
    }
    fold.end_page();
    fold.place_notes(&references);
    fold.check_pages_of_hints();
    fold.check_glossary();
    fold.drop_empty_start();
    if fold
        .pages
        .iter()
        .all(|it| it.blocks.is_empty() && it.notes.is_empty())
        && title.is_some()
    {
        fold.report
            .warning(
                Rule::LessonWithoutText,
                body..body,
                "the lesson has no text",
            )
            .hint("write a page, which begins with `## Heading`");
    }
    Body {
        pages: fold.pages,
        labs: fold.labs,
        predicts: fold.predicts,
        links,
        page_spans: fold.starts,
        left_out: fold.left_out,
    }
}

/// The lesson so far, while its parts are folded into pages.
struct Fold<'r, 'a> {
    text: &'a str,
    spot: &'a FileOffsets,
    /// The programs in files of their own.
    programs: &'a Programs,
    report: &'r mut Report,
    pages: Vec<Page>,
    /// Where each page starts in the file.
    starts: Vec<Range<usize>>,
    ids: BTreeSet<String>,
    labs: Vec<Lab>,
    left_out: LeftOut,
    predicts: Vec<(usize, WithSpan<QuestionId>)>,
    /// The last lab of an earlier page whose hint is on a page, by that page's number.
    hints_of: BTreeMap<usize, LabId>,
    /// Blocks of footnotes: label, page they were written on, block.
    notes: Vec<(String, usize, Block)>,
    /// Where the last pause of the page so far is in the file.
    pause: Option<Range<usize>>,
    /// The page of each part so far.
    page_of_part: Vec<usize>,
}

impl Fold<'_, '_> {
    fn part(&mut self, part: Part) {
        if let PartKind::Heading { level, text, id } = &part.kind
            && *level <= 2
            && part.within.is_empty()
        {
            self.heading(*level, text, id.as_deref(), &part.span);
            self.page_of_part.push(self.pages.len() - 1);
            return;
        }
        self.page_of_part.push(self.pages.len() - 1);
        if let PartKind::Pause = part.kind {
            return self.pause(part.span);
        }
        let note = part.within.iter().any(Container::is_for_instructors);
        let hint = part.within.iter().position(|it| it.is_called(HINT));
        let inside = match (note, hint) {
            (true, _) => Some("an instructor's note"),
            (false, Some(_)) => Some("a hint"),
            (false, None) => None,
        };
        let block =
            part.into_block(|info, code, span| self.fence(info, code, span.clone(), inside));
        let Some(block) = block else {
            return;
        };
        if !note {
            return self.place(block, hint);
        }
        if let Some(page) = self.pages.last_mut() {
            let before = page.blocks.len();
            page.notes.push(Note { before, block });
        }
    }

    /// Puts a block on the page, into a hint, or among the footnotes.
    fn place(&mut self, mut block: Block, hint: Option<usize>) {
        let hint = hint.and_then(|at| Some((at, block.within.get(at)?.clone())));
        if let Some((at, Container::Details { first, .. })) = hint {
            if let Some(lab) = self.labs.last_mut() {
                if self.pages.last().is_some_and(|it| it.id != lab.page) {
                    self.hints_of.insert(self.pages.len() - 1, lab.id.clone());
                }
                block.within.drain(..=at);
                match lab.hints.last_mut().filter(|_| !first) {
                    Some(hint) => hint.push(block),
                    None => lab.hints.push(vec![block]),
                }
                return;
            }
            if first && self.left_out.ids.is_empty() && !self.left_out.has_nameless {
                self.hint_without_lab(&block);
            }
        }
        self.hint_by_another_word(&block);
        let page = self.pages.len() - 1;
        let label = block.within.iter().find_map(|it| match it {
            Container::Footnote { label, .. } => Some(label.clone()),
            Container::Quote
            | Container::Callout(_)
            | Container::Item { .. }
            | Container::Details { .. } => None,
        });
        if let Some(label) = label {
            self.notes.push((label, page, block));
        } else if let Some(page) = self.pages.last_mut() {
            page.blocks.push(block);
        }
    }

    fn pause(&mut self, span: Range<usize>) {
        let Some(page) = self.pages.last_mut() else {
            return;
        };
        let (before, notes) = (page.blocks.len(), page.notes.len());
        let last = page.pauses.last().map_or(0, |it| it.before);
        if before == last {
            let message = if last == 0 {
                "there is nothing to read before this pause"
            } else {
                "there is nothing to read between the last pause and this one"
            };
            self.report
                .error(Rule::PausePlace, span, message)
                .hint("a pause is between two parts of a page; leave this one out");
            return;
        }
        page.pauses.push(Pause { before, notes });
        self.pause = Some(span);
    }

    /// The page so far is whole.
    fn end_page(&mut self) {
        let Some(page) = self.pages.last_mut() else {
            return;
        };
        let all = page.blocks.len();
        if let Some(span) = self.pause.take()
            && page.pauses.pop_if(|it| it.before == all).is_some()
        {
            self.report
                .error(
                    Rule::PausePlace,
                    span,
                    "there is nothing to read after this pause",
                )
                .hint("a pause is between two parts of a page; leave this one out");
        }
    }

    fn heading(&mut self, level: u8, text: &Text, id: Option<&str>, span: &Range<usize>) {
        self.end_page();
        let title = text.plain();
        if level == 1 {
            self.report
                .error(
                    Rule::HeadingLevel,
                    span.clone(),
                    "a lesson has no `#` heading: its title is in the head",
                )
                .fixed_by("# ", "## ")
                .hint("start a page with `##`");
        }
        self.left_out.has_page |= id.is_some_and(|it| !name::is_name(it));
        let id = id
            .filter(|id| name::check(id, "page", span.clone(), self.report))
            .map_or_else(|| name::slug(&title), str::to_owned);
        let id = self.free_page_id(id, span);
        self.ids.insert(id.clone());
        self.pages.push(Page {
            id: PageId::new(id),
            title,
            blocks: Vec::new(),
            pauses: Vec::new(),
            notes: Vec::new(),
        });
        self.starts.push(span.clone());
    }

    /// The id, or another one if it is taken or empty.
    fn free_page_id(&mut self, id: String, span: &Range<usize>) -> String {
        if id.is_empty() {
            self.report
                .warning(
                    Rule::HeadingWithoutId,
                    span.clone(),
                    "this heading has no letters or digits for an id",
                )
                .hint("write `## heading {#some-id}`");
        } else if !self.ids.contains(&id) {
            return id;
        } else {
            self.report
                .error(
                    Rule::DuplicateId,
                    span.clone(),
                    format!("there is a page `{id}` already"),
                )
                .hint("write `## heading {#another-id}`");
        }
        let stem = if id.is_empty() { "page" } else { &id };
        let mut number = self.pages.len();
        while self.ids.contains(&format!("{stem}-{number}")) {
            number += 1;
        }
        format!("{stem}-{number}")
    }

    /// Puts each footnote at the end of the first page that refers to it.
    fn place_notes(&mut self, references: &[(String, usize)]) {
        let mut first_page = BTreeMap::new();
        for (label, part) in references {
            if let Some(page) = self.page_of_part.get(*part) {
                first_page.entry(label.as_str()).or_insert(*page);
            }
        }
        for (label, written_on, block) in std::mem::take(&mut self.notes) {
            let page = first_page
                .get(label.as_str())
                .copied()
                .unwrap_or(written_on);
            if let Some(page) = self.pages.get_mut(page) {
                page.blocks.push(block);
            }
        }
    }

    /// A lesson that starts with a heading has no page in front of it.
    fn drop_empty_start(&mut self) {
        let is_empty = self
            .pages
            .first()
            .is_some_and(|it| it.blocks.is_empty() && it.notes.is_empty());
        if is_empty && self.pages.len() > 1 {
            self.pages.remove(0);
            self.starts.remove(0);
        }
    }
}
