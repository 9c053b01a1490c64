//! A console of strings, and a context in the sample course, for the commands' tests.

use super::console::{Console, Prompt, TerminalStreams};
use super::context::CommandContext;
use super::failure::{Exit, Result};
use super::learner::Learner;
use tempfile::TempDir;
use warpup_course::{Course, LessonId, sample};
use warpup_grade::Score;
use warpup_progress::Event;
use warpup_text::shown::Letters;

/// Runs something with a console; gives what it printed, errors last, and how it ended.
pub(super) fn console(
    input: &str,
    work: impl FnOnce(&mut Console<'_>) -> Result<Exit>,
) -> (String, Exit) {
    let (mut out, err, exit) = streams(input, work);
    out.push_str(&err);
    (out, exit)
}

/// Runs something with a console; gives what it printed as results, as remarks, and how it ended.
pub(super) fn streams(
    input: &str,
    work: impl FnOnce(&mut Console<'_>) -> Result<Exit>,
) -> (String, String, Exit) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = work(&mut Console {
        warpup: "warpup".to_owned(),
        built_in: "warpup".to_owned(),
        prompt: Prompt::Shell,
        input: &mut input.as_bytes(),
        out: &mut out,
        err: &mut err,
        is_terminal: false,
        draws: TerminalStreams::default(),
        has_colours: false,
        width: 60,
        letters: Letters::Unicode,
    });
    let exit = exit.unwrap_or_else(|failure| failure.report(&mut err, None));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(out), text(err), exit)
}

/// The same with a learner who has done nothing yet in [`course`].
pub(super) fn with_context(
    input: &str,
    work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> (String, Exit) {
    console(input, |console| sit(console, work))
}

/// Gives a console a learner who has done nothing yet.
pub(super) fn sit(
    console: &mut Console<'_>,
    work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> Result<Exit> {
    let dir = TempDir::new().unwrap();
    let course = course();
    let mut learner = Learner::load(Some(dir.path().to_owned()), &course.id);
    work(&mut CommandContext {
        course: &course,
        learner: &mut learner,
        console,
        consent: None,
        clock: || 951_782_400_000,
    })
}

/// The lesson `copies` of the sample course, alone: two pages, two labs and four questions.
pub(super) fn course() -> Course {
    alone(sample::course())
}

/// The same with more questions in its quiz.
pub(super) fn course_with(questions: &str) -> Course {
    alone(sample::course_with("quizzes/copies.toml", questions))
}

fn alone(mut course: Course) -> Course {
    course.lessons.retain(|it| it.id.as_str() == "copies");
    course
}

/// A prediction about the lab `bus` that does not count.
pub(super) const PREDICTION: &str = r##"
[[question]]
id = "q-guess"
type = "predict"
prompt = "How many MiB?"
lab = "bus"
metric = "batch_mib"
explain = "Because it is so."
see = "#the-bus"
"##;

/// Two questions for the learner's own words.
pub(super) const OWN_WORDS: &str = r##"
[[question]]
id = "q-why"
type = "words"
prompt = "Why does it return at once?"
hints = ["Think of a road."]
explain = "Because it is so."
see = "#the-bus"
parts = ["It waits in a queue.", "The card runs it later."]

[[question]]
id = "q-when"
type = "words"
prompt = "Why does it return at once?"
hints = ["Think of a road."]
explain = "Because it is so."
see = "#the-bus"
parts = ["It waits in a queue.", "The card runs it later."]
"##;

/// As [`with_context`], with a course of the test's own.
pub(super) fn with_context_in(
    course: &Course,
    input: &str,
    work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit>,
) -> (String, Exit) {
    with_context(input, |context| {
        work(&mut CommandContext {
            course,
            learner: &mut *context.learner,
            console: &mut *context.console,
            consent: context.consent.clone(),
            clock: context.clock,
        })
    })
}

/// An attempt at the quiz of `copies` that earned so many hundredths of a point, of 400.
pub(super) fn attempted(earned: u64) -> Event {
    Event::Attempted {
        lesson: LessonId::new("copies"),
        attempt: format!("attempt-{earned}"),
        score: Score { earned, max: 400 },
        above_percent: 75,
        passed: earned > 300,
        took_ms: 1000,
        missed: Vec::new(),
        drawn: Vec::new(),
    }
}
