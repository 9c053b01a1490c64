//! What the palette offers: the keys of the screen, lessons, pages, labs, quizzes and the words of the glossary.

use super::said::{SAID, said};
use crate::keymap::{Action, AppAction, Context, Destination, PageAction};
use crate::search::TextSection;
use crate::session::Session;
use warpup_course::glossary::terms;
use warpup_course::{LabId, Lesson, LessonId};

/// Something to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What kind of thing it is, in a word.
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) about: String,
    pub(super) lead: EntryTarget,
    /// The keys that do the same, as people spell them.
    pub(super) keys: Vec<String>,
}

impl Entry {
    /// Whether it is listed before something is typed.
    pub(super) fn is_listed(&self) -> bool {
        self.kind != SAID
    }
}

/// Where an entry leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryTarget {
    /// The action of a key.
    Act(Action),
    /// A place in the text of the course.
    Text(TextSection),
    Lab(LessonId, LabId),
    Quiz(LessonId),
    /// The learner's own program.
    Program,
    /// The hits of these words in the text of the course.
    Search(String),
    /// Nowhere: it only says something.
    Nowhere,
}

/// All entries: the keys that do something now, the links on screen, then the course in its order, and what is
/// said of other words.
pub(crate) fn entries(
    session: &Session,
    context: Context,
    addresses: &[String],
    is_offered: impl Fn(Action) -> bool,
) -> Vec<Entry> {
    let mut entries = keys(session, context, is_offered);
    entries.extend(links(addresses, session));
    let lessons = || session.course.lessons.iter().map(AsRef::as_ref).enumerate();
    entries.extend(lessons().map(|(at, it)| lesson(at, it, session.course.lessons.len())));
    entries.extend(lessons().flat_map(|(at, it)| pages(at, it)));
    entries.extend(lessons().flat_map(|(_, it)| labs(it)));
    entries.extend(lessons().filter_map(|(_, it)| quiz(it)));
    entries.extend(lessons().flat_map(|(at, it)| words(at, it)));
    entries.extend(said(session, context));
    entries
}

/// The return to the learner's own program.
pub(crate) fn program(session: &Session) -> Option<Entry> {
    let opened = session.labs.program.as_ref()?;
    Some(Entry {
        kind: "file",
        name: format!("back to {}", opened.program.name),
        about: String::new(),
        lead: EntryTarget::Program,
        keys: Vec::new(),
    })
}

fn keys(session: &Session, context: Context, is_offered: impl Fn(Action) -> bool) -> Vec<Entry> {
    let keys = &session.keys;
    let all = keys.bindings(context).chain(keys.everywhere(context));
    let mut entries: Vec<Entry> = Vec::new();
    for it in all {
        // Digits have no words of their own, and each link has an entry, as the program has.
        let is_pointless = matches!(
            it.action,
            Action::Scroll(_)
                | Action::App(AppAction::Palette)
                | Action::Go(Destination::Program)
                | Action::Page(PageAction::Digit(_))
        );
        let is_known = entries
            .iter()
            .any(|known| known.lead == EntryTarget::Act(it.action));
        if !is_pointless && !is_known && is_offered(it.action) {
            entries.push(Entry {
                kind: "key",
                name: it.help.to_owned(),
                about: it.names(),
                lead: EntryTarget::Act(it.action),
                keys: it.spellings(),
            });
        }
    }
    entries
}

fn links(addresses: &[String], session: &Session) -> impl Iterator<Item = Entry> {
    addresses.iter().zip(1..).map(|(address, number)| Entry {
        kind: "link",
        name: title_of(address, session).unwrap_or_else(|| address.clone()),
        about: format!("[{number}]"),
        lead: EntryTarget::Act(Action::Page(PageAction::OpenLink(number))),
        keys: Vec::new(),
    })
}

/// The title of the lesson and the page that an address names, such as `the-queue.md#waits`.
fn title_of(address: &str, session: &Session) -> Option<String> {
    let (lesson, page) = session.page_of(address, None)?;
    let lesson = session.course.lessons.get(lesson)?;
    let page = lesson.pages.get(page).filter(|_| address.contains('#'));
    let page = page.map_or_else(String::new, |it| format!(": {}", it.title));
    Some(format!("{}{page}", lesson.title))
}

fn lesson(at: usize, lesson: &Lesson, of: usize) -> Entry {
    Entry {
        kind: "lesson",
        name: lesson.title.clone(),
        about: format!("{} of {of}", at + 1),
        lead: EntryTarget::Text(TextSection {
            lesson: at,
            ..TextSection::default()
        }),
        keys: Vec::new(),
    }
}

fn pages(at: usize, lesson: &Lesson) -> impl Iterator<Item = Entry> {
    // The first page usually has the name of its lesson.
    let pages = lesson.pages.iter().enumerate();
    let pages = pages.filter(|(_, it)| it.title != lesson.title);
    pages.map(move |(page, it)| Entry {
        kind: "page",
        name: it.title.clone(),
        about: lesson.title.clone(),
        lead: EntryTarget::Text(TextSection {
            lesson: at,
            page,
            block: 0,
        }),
        keys: Vec::new(),
    })
}

fn labs(lesson: &Lesson) -> impl Iterator<Item = Entry> {
    lesson.labs.iter().map(|it| Entry {
        kind: "lab",
        name: it.title.clone(),
        about: lesson.title.clone(),
        lead: EntryTarget::Lab(lesson.id.clone(), it.id.clone()),
        keys: Vec::new(),
    })
}

fn quiz(lesson: &Lesson) -> Option<Entry> {
    lesson.quiz.as_ref()?;
    Some(Entry {
        kind: "quiz",
        name: format!("Quiz: {}", lesson.title),
        about: String::new(),
        lead: EntryTarget::Quiz(lesson.id.clone()),
        keys: Vec::new(),
    })
}

fn words(at: usize, lesson: &Lesson) -> impl Iterator<Item = Entry> {
    terms(lesson).map(move |it| Entry {
        kind: "word",
        name: it.word,
        about: it.meaning,
        lead: EntryTarget::Text(TextSection {
            lesson: at,
            page: it.at.0,
            block: it.at.1 + 1,
        }),
        keys: Vec::new(),
    })
}
