//! `warpup read LESSON`: a lesson as plain text.

use super::console::Console;
use super::context::with_learner_in;
use super::course_argument::CourseArgument;
use super::courses::Readers;
use super::failure::{Exit, Result};
use super::{courses, find, map};
use crate::cli::ReadArgs;
use warpup_course::Course;
use warpup_course::plain;

/// Prints a lesson, or one page of it.
pub(super) fn execute(
    args: &ReadArgs,
    asked: CourseArgument<'_>,
    readers: Readers,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let opened = courses::open(asked)?.shown_to(readers);
    let Some(lesson) = &args.lesson else {
        return with_learner_in(&opened, asked.dir, console, |context| {
            map::all_lessons("read", context)
        });
    };
    opened.warn(console)?;
    print(&opened.course, lesson, args.page.as_deref(), console)
}

fn print(
    course: &Course,
    lesson: &str,
    page: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let lesson = find::lesson(course, lesson)?;
    let width = console.prose_width();
    let warpup = console.warpup.clone();
    let text = match page {
        Some(page) => plain::page(lesson, find::page(lesson, page)?, &warpup, width),
        None => plain::lesson(lesson, &warpup, width),
    };
    console.text(&text)?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;
    use warpup_course::sample::course_with;

    #[test]
    fn a_lesson_is_printed_whole_with_how_to_go_on() {
        let (text, exit) = sample::console("", |console| {
            print(&sample::course(), "copies", None, console)
        });
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(text, @r#"
        What a copy costs
        =================

        Each copy crosses the bus.

        Afterwards you can:

        - Say what a copy costs before you run it.

        A copy is never free.

        The bus
        -------

        It is narrow.

        Lab: Try the bus

            import torch
            x = torch.ones(3).to("cuda")

        Run it: warpup run copies/bus

        Lab: Try the repair

            broken()

        Run it: warpup run copies/repair

        The quiz: warpup quiz copies
        "#);
    }

    #[test]
    fn a_page_is_printed_alone() {
        let (text, _) = sample::console("", |console| {
            print(&sample::course(), "copies", Some("the-bus"), console)
        });
        insta::assert_snapshot!(text, @r#"
        The bus
        -------

        It is narrow.

        Lab: Try the bus

            import torch
            x = torch.ones(3).to("cuda")

        Run it: warpup run copies/bus

        Lab: Try the repair

            broken()

        Run it: warpup run copies/repair
        "#);
    }

    #[test]
    fn a_page_has_a_number_too() {
        let printed = |page| {
            sample::console("", |console| {
                print(&sample::course(), "copies", Some(page), console)
            })
        };
        assert_eq!(printed("2"), printed("the-bus"));
        assert_eq!(printed("3").1, Exit::Arguments);
    }

    #[test]
    fn an_unknown_page_is_a_wrong_argument() {
        let (text, exit) = sample::console("", |console| {
            print(&sample::course(), "copies", Some("bus"), console)
        });
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: there is no page `bus`
        hint: there are start, the-bus
        ");
    }

    #[test]
    fn answers_are_at_the_end_of_the_page() {
        let more = "
## Why {#why}

Why is the bus slow?

<details><summary>Answer</summary>

It is narrow.

- Very.

</details>

And the disk?

<details><summary>Answer</summary>

Slower.

</details>

Now go on.
";
        let course = course_with("lessons/places.md", more);
        let (text, _) =
            sample::console("", |console| print(&course, "places", Some("why"), console));
        insta::assert_snapshot!(text, @"
        Why
        ---

        Why is the bus slow?

        Answer (at the end of the page)

        And the disk?

        Answer (at the end of the page)

        Now go on.

        Answers:

        Answer:
          It is narrow.

          - Very.

        Answer:
          Slower.
        ");
    }

    #[test]
    fn a_pause_is_an_empty_line_more() {
        let more = "\n## Why {#why}\n\nGuess.\n\n<!-- pause -->\n\nIt is narrow.\n\nVery.\n";
        let course = course_with("lessons/places.md", more);
        let (text, _) =
            sample::console("", |console| print(&course, "places", Some("why"), console));
        insta::assert_snapshot!(text, @"
        Why
        ---

        Guess.


        It is narrow.

        Very.
        ");
    }
}
