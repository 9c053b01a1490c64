//! What `warpup new` writes: pure, from what was asked and the files of the course.
//!
//! A change of a file counts only if the course that comes of it has no mistake that it did not have before.

use crate::commands::courses::{MANIFEST, OpenCourse};
use crate::commands::failure::{Failure, Result};
use crate::commands::find;
use std::borrow::Cow;
use warpup_course::toml_walk::name::{is_name, slug};
use warpup_course::{self as course, Sources, template};
use warpup_store::course::BUILT_IN_ID;
use warpup_store::course_edit;

/// The files to write, relative to the course folder.
#[derive(Debug)]
pub(super) struct Plan {
    /// Path and text of each new file.
    pub(super) created: Vec<(String, String)>,
    /// The files that change.
    pub(super) changed: Vec<FileChange>,
}

/// A file that changes.
#[derive(Debug)]
pub(super) struct FileChange {
    pub(super) file: String,
    /// Its new text.
    pub(super) text: String,
    /// What is new in it, for people.
    pub(super) what: String,
}

/// A course with one lesson of this id, for a folder of this name.
pub(super) fn course(folder: &str, first: &str) -> Result<Plan> {
    check_name("lesson", first)?;
    let mut id = slug(folder);
    if id.is_empty() || id == BUILT_IN_ID {
        "my-course".clone_into(&mut id);
    }
    let quiz = format!("{first}.toml");
    let lesson = template::lesson(first);
    // The template has a head, so this cannot fail.
    let lesson = course_edit::with_quiz(&lesson, &quiz).unwrap_or(lesson);
    Ok(Plan {
        created: vec![
            (MANIFEST.to_owned(), template::course(&id, first)),
            (format!("lessons/{first}.md"), lesson),
            (format!("quizzes/{quiz}"), template::quiz(first, "try-it")),
        ],
        changed: Vec::new(),
    })
}

/// One more lesson.
pub(super) fn lesson(opened: &OpenCourse, id: &str) -> Result<Plan> {
    check_name("lesson", id)?;
    if opened.course.lessons.iter().any(|it| it.id.as_str() == id) {
        return Err(taken("lesson", id));
    }
    let name = format!("{id}.md");
    let text = course_edit::with_lesson(text_of(opened, MANIFEST)?, &name);
    let changed = FileChange {
        file: MANIFEST.to_owned(),
        text: text.map_err(|why| by_hand(MANIFEST, &why))?,
        what: format!("lists {name} as the last lesson"),
    };
    let created = vec![(format!("lessons/{name}"), template::lesson(id))];
    proven(opened, created, changed)
}

/// The quiz of a lesson.
pub(super) fn quiz(opened: &OpenCourse, lesson: &str) -> Result<Plan> {
    let lesson = find::lesson(&opened.course, lesson)?;
    let head = text_of(opened, &lesson.file)?;
    let page = lesson.pages.first().map_or("start", |it| it.id.as_str());
    let name = format!("{}.toml", lesson.id);
    if lesson.quiz.is_some() {
        return Err(Failure::arguments_but(
            format!("the lesson `{}` has a quiz already", lesson.id),
            "add a `[[question]]` to that file",
        ));
    }
    let changed = FileChange {
        file: lesson.file.clone(),
        text: course_edit::with_quiz(head, &name).map_err(|why| by_hand(&lesson.file, &why))?,
        what: format!("names {name} as its quiz"),
    };
    let text = template::quiz(lesson.id.as_str(), page);
    proven(opened, vec![(format!("quizzes/{name}"), text)], changed)
}

/// A page with a lab, at the end of a lesson.
pub(super) fn lab(opened: &OpenCourse, lab: &str) -> Result<Plan> {
    let Some((lesson, id)) = lab.split_once('/') else {
        return Err(Failure::arguments_but(
            format!("`{lab}` does not say in which lesson the lab is to be"),
            format!("write LESSON/{lab}"),
        ));
    };
    let lesson = find::lesson(&opened.course, lesson)?;
    check_name("lab", id)?;
    if lesson.labs.iter().any(|it| it.id.as_str() == id) {
        return Err(taken("lab", lab));
    }
    let is_free = |page: &String| !lesson.pages.iter().any(|it| it.id.as_str() == page);
    let mut pages = (1..).map(|it| format!("{id}-{it}"));
    let page = Some(id.to_owned()).filter(is_free);
    let page = page.or_else(|| pages.find(is_free)).unwrap_or_default();
    let before = text_of(opened, &lesson.file)?;
    let section = template::section(id, &page);
    let text = course_edit::with_section(before, template::LAB_MINUTES, &section);
    let changed = FileChange {
        file: lesson.file.clone(),
        text: text.map_err(|why| by_hand(&lesson.file, &why))?,
        what: format!(
            "ends with a page `{page}` for the lab, and takes {} minutes longer",
            template::LAB_MINUTES
        ),
    };
    proven(opened, Vec::new(), changed)
}

/// The plan, if the course has no more mistakes afterwards than before.
fn proven(opened: &OpenCourse, created: Vec<(String, String)>, change: FileChange) -> Result<Plan> {
    let mut sources: Sources = opened.sources.clone();
    let before = course::parse(&sources).1.len();
    let changed = [(change.file.clone(), change.text.clone())];
    for (file, text) in created.iter().cloned().chain(changed) {
        sources.files.insert(file, Cow::Owned(text));
    }
    let after = course::parse(&sources).1;
    if after.len() > before {
        return Err(by_hand(&change.file, "the change would break the course"));
    }
    Ok(Plan {
        created,
        changed: vec![change],
    })
}

fn text_of<'a>(opened: &'a OpenCourse, file: &str) -> Result<&'a str> {
    match opened.sources.files.get(file) {
        Some(text) => Ok(text),
        None => Err(by_hand(file, "it cannot be read")),
    }
}

fn check_name(what: &str, name: &str) -> Result<()> {
    if is_name(name) {
        return Ok(());
    }
    let slug = slug(name);
    let hint = if slug.is_empty() {
        "use lower-case letters, digits and single `-`".to_owned()
    } else {
        format!("write `{slug}`; the title can be changed in the file")
    };
    Err(Failure::arguments_but(
        format!("`{name}` cannot be the id of a {what}"),
        hint,
    ))
}

fn taken(what: &str, name: &str) -> Failure {
    Failure::arguments_but(
        format!("there is a {what} `{name}` already, and nothing was written"),
        "choose another name",
    )
}

/// A file that warpup does not dare to change.
fn by_hand(file: &str, why: &str) -> Failure {
    Failure::arguments_but(
        format!("{file} cannot be changed, and nothing was written: {why}"),
        "`warpup check` says what is wrong with it",
    )
}
