//! Before the labs of a course run that somebody else wrote: what would run is shown, and the learner is asked.

use super::console::Console;
use super::failure::{Failure, Result};
use std::path::Path;
use warpup_course::{self as course, Course};
use warpup_store::consent::MissingConsent;
use warpup_store::course::{embedded, embedded_index};
use warpup_store::settings::Policy;

/// How the learner can agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConsentPrompt {
    /// By a flag of the command line, which was given.
    Given,
    /// By an answer.
    Ask,
    /// Only by a flag, which was not given.
    Refuse,
}

/// A program that would run.
pub(super) struct ForeignProgram<'a> {
    /// The title of its course.
    pub(super) course: &'a str,
    pub(super) source: &'a str,
    pub(super) check: Option<&'a str>,
    /// What its course asks for beyond what is usual, in a sentence.
    pub(super) memory: Option<String>,
}

/// What is missing before labs of this course may run; nothing for warpup's own course, and for one that the policy of the machine
/// trusts.
pub(super) fn missing(
    course: &Course,
    dir: Option<&Path>,
    data: Option<&Path>,
) -> Option<MissingConsent> {
    let dir = dir?;
    // A mistake in the policy has ended the program before.
    if Policy::load().is_ok_and(|it| it.trusts(dir)) {
        return None;
    }
    let own = || course::open_indexed(&embedded(), embedded_index());
    MissingConsent::of(course, own, data)
}

/// Whether a program may run: asks for the consent that is missing, and keeps it. A no is an answer, not an error.
pub(super) fn before_run(
    missing: &mut Option<MissingConsent>,
    asks: ConsentPrompt,
    program: &ForeignProgram<'_>,
    console: &mut Console<'_>,
) -> Result<bool> {
    let Some(wanted) = missing.as_ref() else {
        return Ok(true);
    };
    match asks {
        ConsentPrompt::Given => {}
        ConsentPrompt::Ask if ask(program, console)? => {}
        ConsentPrompt::Ask => {
            console.line("Nothing was run: you have not agreed.")?;
            return Ok(false);
        }
        ConsentPrompt::Refuse => {
            return Err(Failure::arguments_but(
                format!(
                    "the course \"{}\" is not part of warpup, and you have not agreed to run the programs that its author wrote",
                    program.course
                ),
                "read them, with `warpup --course DIR read LESSON`, and give the command again with --trust; you agree to the \
                 course as it is now: when one of its programs changes, you are asked again",
            ));
        }
    }
    if let Err(error) = wanted.give() {
        console.remark(&format!(
            "warning: that you agreed is not kept, so you will be asked again: {error}"
        ))?;
    }
    *missing = None;
    Ok(true)
}

fn ask(program: &ForeignProgram<'_>, console: &mut Console<'_>) -> Result<bool> {
    console.line("This course is not part of warpup: its author wrote what its labs run.")?;
    console.line("The program:")?;
    show(program.source, console)?;
    if let Some(check) = program.check {
        console.line("The check that runs after it:")?;
        show(check, console)?;
    }
    if let Some(memory) = &program.memory {
        console.line(memory)?;
    }
    console
        .confirm("Run the labs of this course, as long as none of their programs changes? [y/N] ")
}

fn show(source: &str, console: &mut Console<'_>) -> Result<()> {
    console.lines(source.lines().map(|it| format!("    {it}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;

    /// What is printed, and whether it is asked again.
    fn asked(asks: ConsentPrompt, input: &str) -> (String, bool) {
        let data = tempfile::TempDir::new().unwrap();
        let course = course::sample::course();
        let dir = Some(Path::new("/somewhere"));
        let mut wanted = missing(&course, dir, Some(data.path()));
        assert!(wanted.is_some());
        let program = ForeignProgram {
            course: "Strange things",
            source: "print(1)\nprint('\u{9b}2')",
            check: Some("lab.check('x', True)"),
            memory: Some("They want 8 GiB.".to_owned()),
        };
        let (text, _) = sample::console(input, |console| {
            before_run(&mut wanted, asks, &program, console)?;
            Ok(Exit::Fine)
        });
        (text, missing(&course, dir, Some(data.path())).is_some())
    }

    #[test]
    fn a_stranger_s_lab_is_shown_before_it_is_asked_about() {
        let (text, again) = asked(ConsentPrompt::Ask, "y\n");
        insta::assert_snapshot!(text, @r"
        This course is not part of warpup: its author wrote what its labs run.
        The program:
            print(1)
            print('<U+009B>2')
        The check that runs after it:
            lab.check('x', True)
        They want 8 GiB.
        Run the labs of this course, as long as none of their programs changes? [y/N]
        ");
        assert!(!again);
        for answer in ["n\n", "\n", ""] {
            let (text, again) = asked(ConsentPrompt::Ask, answer);
            assert!(
                text.ends_with("Nothing was run: you have not agreed.\n"),
                "{text}"
            );
            assert!(again);
        }
    }

    #[test]
    fn without_a_question_the_flag_says_it() {
        assert_eq!(asked(ConsentPrompt::Given, ""), (String::new(), false));
        let (text, again) = asked(ConsentPrompt::Refuse, "y\n");
        insta::assert_snapshot!(text, @r#"
        error: the course "Strange things" is not part of warpup, and you have not agreed to run the programs that its author wrote
        hint: read them, with `warpup --course DIR read LESSON`, and give the command again with --trust; you agree to the course as it is now: when one of its programs changes, you are asked again
        "#);
        assert!(again);
    }

    #[test]
    fn warpup_s_own_course_needs_no_consent_wherever_it_lies() {
        let data = tempfile::TempDir::new().unwrap();
        let (own, _) = course::parse(&embedded());
        let dir = Some(Path::new("."));
        assert!(missing(&own, dir, Some(data.path())).is_none());
        let foreign = course::sample::course();
        assert!(missing(&foreign, None, Some(data.path())).is_none());
    }
}
