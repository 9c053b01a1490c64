//! What a lesson shows, read from its files when it is first asked for.
//!
//! The app starts with the heads of all lessons; the one that it opens is read then.

use super::body::ReadWith;
use super::model::{Lab, Page};
use super::outline::Outline;
use super::programs::Programs;
use super::{body, cross_references, head, repairs};
use crate::diagnostics::Report;
use crate::model::{Block, BlockKind, Callout, Container, FrontEnd, PassRule, Rules, Text};
use crate::quiz::{self, PageNames, Quiz};
use std::borrow::Cow;
use std::sync::OnceLock;
use std::time::Duration;

/// The pages, the labs and the quiz of a lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// The pages, in order; never empty.
    pub pages: Vec<Page>,
    /// The labs, in order of appearance. Blocks refer to them by id.
    pub labs: Vec<Lab>,
    /// The quiz, if the lesson names one and it could be read.
    pub quiz: Option<Quiz>,
}

/// The files of a lesson.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// The text of its own file.
    pub(crate) lesson: Cow<'static, str>,
    /// The path of its quiz, relative to the course folder, and the text.
    pub(crate) quiz: Option<(String, Cow<'static, str>)>,
    /// What passing the quiz takes where it does not say.
    pub(crate) pass: PassRule,
    /// What holds whatever lesson and quiz say.
    pub(crate) rules: Rules,
    /// The programs in files of their own.
    pub(crate) programs: Programs,
    /// The text of its file in `repairs/`, if it has one.
    pub(crate) repairs: Option<Cow<'static, str>>,
    /// Where it is read; `None` for the text of all front ends.
    pub(crate) front_end: Option<FrontEnd>,
    /// Whether the reader is an instructor, who sees the notes.
    pub(crate) has_notes: bool,
}

/// Content that is read once, when it is first asked for.
#[derive(Clone, Debug)]
pub struct LazyContent {
    files: Files,
    outline: OnceLock<Outline>,
    content: OnceLock<Content>,
}

impl LazyContent {
    /// Content that is still in its files.
    pub(crate) fn unread(files: Files) -> Self {
        Self {
            files,
            outline: OnceLock::new(),
            content: OnceLock::new(),
        }
    }

    /// The same, where somebody knows already what is in the files.
    pub(crate) fn with_outline(self, outline: Outline) -> Self {
        let outline = OnceLock::from(outline);
        Self { outline, ..self }
    }

    /// The path of the quiz, relative to the course folder.
    pub(crate) fn quiz_file(&self) -> Option<&str> {
        self.files.quiz.as_ref().map(|it| it.0.as_str())
    }

    /// The names of what is in it.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(self.get()))
    }

    /// The content.
    pub(crate) fn get(&self) -> &Content {
        self.content.get_or_init(|| self.files.read())
    }

    /// Whether it was asked for.
    pub fn is_read(&self) -> bool {
        self.content.get().is_some()
    }

    /// Puts the notes for instructors among the text, also where that is not read yet.
    pub(crate) fn show_notes(&mut self) {
        self.files.has_notes = true;
        if let Some(content) = self.content.get_mut() {
            content.pages.iter_mut().for_each(Page::show_notes);
        }
    }

    /// Puts it under these rules, also where it is not read yet.
    pub(crate) fn rule(&mut self, rules: &Rules) {
        self.files.rules.clone_from(rules);
        if let Some(content) = self.content.get_mut() {
            content.rule(rules);
        }
    }

    /// The content, to be changed.
    pub(crate) fn get_mut(&mut self) -> &mut Content {
        self.get();
        self.outline = OnceLock::new();
        #[expect(clippy::expect_used, reason = "the line above has read it")]
        self.content.get_mut().expect("the content was read")
    }
}

impl From<Content> for LazyContent {
    fn from(content: Content) -> Self {
        Self {
            files: Files::default(),
            outline: OnceLock::new(),
            content: OnceLock::from(content),
        }
    }
}

impl PartialEq for LazyContent {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Files {
    /// Reads the content. What is wrong with it is for [`crate::parse()`] to say.
    fn read(&self) -> Content {
        let mut report = Report::new("");
        let Some(start) = head::start(&self.lesson, &mut report) else {
            return Content::default();
        };
        let title = start.head.as_ref().map(|it| it.title.as_str());
        let with = ReadWith {
            title,
            programs: &self.programs,
            front_end: self.front_end,
        };
        let mut body = body::read(&self.lesson, start.body, with, &mut report);
        let repairs = self.repairs.as_deref().unwrap_or_default();
        repairs::give_other_ways(repairs, &mut body.labs, &mut report);
        let quiz = self.quiz.as_ref();
        let mut quiz = quiz.and_then(|(file, text)| {
            let pages = PageNames::default();
            quiz::read(text, self.pass, &pages, &mut Report::new(file))
        });
        if self.has_notes {
            body.pages.iter_mut().for_each(Page::show_notes);
        }
        cross_references::join(&mut body, quiz.as_mut(), &mut report, &mut Report::new(""));
        let mut content = Content::new(body.pages, body.labs, quiz.map(|it| it.quiz));
        content.rule(&self.rules);
        content
    }
}

impl Content {
    /// The content of these parts. A quiz without a question that can be asked is left out.
    pub(crate) fn new(pages: Vec<Page>, labs: Vec<Lab>, quiz: Option<Quiz>) -> Self {
        let quiz = quiz.filter(|it| !it.questions.is_empty());
        Self { pages, labs, quiz }
    }

    fn rule(&mut self, rules: &Rules) {
        if let (Some(quiz), Some(rule)) = (&mut self.quiz, rules.pass) {
            quiz.pass = rule;
        }
        let Some((seconds, by)) = rules.seconds else {
            return;
        };
        let most = Duration::from_secs(seconds);
        for lab in self.labs.iter_mut().filter(|it| it.time_limit > most) {
            lab.time_limit = most;
            lab.limited_by = by;
        }
    }

    /// The same, and the first page begins with a remark.
    pub(crate) fn with_remark(mut self, remark: Option<&str>) -> Self {
        if let (Some(remark), Some(page)) = (remark, self.pages.first_mut()) {
            page.begin_with(Block {
                within: vec![Container::Callout(Callout::Note)],
                kind: BlockKind::Paragraph(Text::of(remark)),
                span: 0..0,
            });
        }
        self
    }
}
