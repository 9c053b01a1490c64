//! `warpup preview --plain`: the lesson as text, and each page again that has changed.

use super::edited_file::EditedFile;
use super::status;
use crate::cli::PreviewArgs;
use crate::commands::console::Console;
use crate::commands::courses::{OpenCourse, Readers};
use crate::commands::failure::{Exit, Failure, Result};
use warpup_course::{FrontEnd, Lesson, plain};
use warpup_tui::FolderWatch;

/// Prints the lesson, and then what changes in it, until the command is stopped.
pub(in crate::commands) fn execute(
    args: &PreviewArgs,
    readers: Readers,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let place = EditedFile::of(&args.file, FrontEnd::Plain)?;
    if place.file.is_none() {
        return Err(Failure::arguments_but(
            "a whole course is not previewed as text",
            "give the file of a lesson, or use `warpup --course DIR --plain`",
        ));
    }
    // Before the first look, so that no change is missed.
    let watch = FolderWatch::new(&place.root);
    let mut before = place.read()?.shown_to(readers);
    show(None, &before, &place, console)?;
    while watch.as_ref().is_some_and(FolderWatch::wait_for_change) {
        let Ok(now) = place.read() else {
            // A file that is being saved may be missing for a moment.
            continue;
        };
        let now = now.shown_to(readers);
        if now.sources != before.sources || now.diagnostics != before.diagnostics {
            show(lesson(&before, &place), &now, &place, console)?;
            before = now;
        }
    }
    Ok(Exit::Fine)
}

/// Prints the pages that differ from those before, and what is wrong.
fn show(
    before: Option<&Lesson>,
    now: &OpenCourse,
    place: &EditedFile,
    console: &mut Console<'_>,
) -> Result<()> {
    let width = console.prose_width();
    let warpup = console.warpup.clone();
    if let Some(lesson) = lesson(now, place) {
        match before {
            None => console.text(&plain::lesson(lesson, &warpup, width))?,
            Some(before) => {
                for page in &lesson.pages {
                    let old = before.pages.iter().find(|it| it.id == page.id);
                    let text = plain::page(lesson, page, &warpup, width);
                    let is_new =
                        old.is_none_or(|it| plain::page(before, it, &warpup, width) != text);
                    if is_new {
                        console.text(&text)?;
                    }
                }
            }
        }
    }
    console.line("")?;
    console.line(&status::status(now, place.file.as_deref()).said)
}

fn lesson<'a>(opened: &'a OpenCourse, place: &EditedFile) -> Option<&'a Lesson> {
    let (id, _) = place.start(opened)?;
    opened.course.lessons.iter().find(|it| it.id == id)
}
