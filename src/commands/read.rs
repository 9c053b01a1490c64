//! `warpup read LESSON`: a lesson as plain text.

use super::{Console, Exit, Failure, find};
use crate::course::{Course, plain};

/// Lines wider than this are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// Prints a lesson, or one page of it.
pub(super) fn print(
    course: &Course,
    lesson: &str,
    page: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let lesson = find::lesson(course, lesson)?;
    let width = console.width.min(WIDEST);
    let text = match page {
        Some(page) => plain::page(lesson, find::page(lesson, page)?, width),
        None => plain::lesson(lesson, width),
    };
    console.text(&text)?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;

    #[test]
    fn a_lesson_is_printed_whole_with_how_to_go_on() {
        let (text, exit) = sample::console("", |console| {
            print(&sample::course(), "copies", None, console)
        });
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(text, @"");
    }

    #[test]
    fn a_page_is_printed_alone() {
        let (text, _) = sample::console("", |console| {
            print(&sample::course(), "copies", Some("the-bus"), console)
        });
        insta::assert_snapshot!(text, @"");
    }

    #[test]
    fn an_unknown_page_is_a_wrong_argument() {
        let (text, exit) = sample::console("", |console| {
            print(&sample::course(), "copies", Some("bus"), console)
        });
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @"");
    }
}
