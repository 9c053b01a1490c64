//! The report for people, at most 80 columns wide.

use crate::class::{Basis, ClassReport, LearnerRows, LessonRow, QuestionRow, RowOf};
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::course::{Course, LessonId};
use crate::lab::units::count;
use crate::utc;

/// What every report says of itself.
pub(super) const SELF_REPORTED: &str =
    "Attempts are self-reported: the files are the learners' own, and nothing proves who answered.";

/// Prints the rows of all learners, then those of the questions.
pub(super) fn print(
    course: &Course,
    report: &ClassReport<'_>,
    console: &mut Console<'_>,
) -> Result<()> {
    let learners = count(report.learners.len(), "learner", "learners");
    console.wrapped("", "", &format!("{}: {learners}", course.title))?;
    console.wrapped("", "", SELF_REPORTED)?;
    for learner in &report.learners {
        of_learner(learner, console)?;
    }
    console.line("\nQuestions, by the first answer of each learner")?;
    let mut lesson: Option<&LessonId> = None;
    for row in report.questions().filter(|it| it.answered > 0) {
        if lesson != Some(row.lesson) {
            console.line(&format!(
                "\n  {:<30}  answered  right  most chosen wrong",
                cut(row.lesson.as_str(), 30)
            ))?;
            lesson = Some(row.lesson);
        }
        of_question(&row, console)?;
    }
    if lesson.is_none() {
        console.line("  Nobody has answered one yet.")?;
    }
    Ok(())
}

fn of_learner(learner: &LearnerRows, console: &mut Console<'_>) -> Result<()> {
    console.line("")?;
    console.wrapped("", "", &learner.name)?;
    if let Some(problem) = &learner.problem {
        console.wrapped("  problem: ", "           ", problem)?;
    }
    if !learner.lessons.is_empty() {
        console
            .line("  lesson                status     points  tries    labs  first       last")?;
    }
    let lessons = learner.lessons.iter();
    let lines = lessons.flat_map(|it| {
        let more = graded_here(it).into_iter().chain(as_claimed(it));
        let more = more.chain(not_graded(it));
        std::iter::once(of_lesson(it)).chain(more)
    });
    console.lines(lines)
}

/// That attempts from a course without keys were graded for this report.
fn graded_here(row: &LessonRow) -> Option<String> {
    (row.graded_here > 0).then(|| {
        let attempts = count(row.graded_here, "attempt", "attempts");
        format!("    graded here: {attempts} from a course without keys")
    })
}

/// That the points of attempts are what their records claim.
fn as_claimed(row: &LessonRow) -> impl Iterator<Item = String> {
    row.as_claimed.iter().map(|(basis, attempts)| {
        let attempts = count(*attempts, "attempt", "attempts");
        let why = match basis {
            Basis::Answers => "graded by its answers",
            Basis::Measured => "with a prediction measured on the learner's machine",
            Basis::AnotherEdition => "graded with another edition",
            Basis::NoAnswers => "without an answer in the file",
        };
        format!("    as claimed: {attempts} {why}")
    })
}

/// That answers do not count, since their questions are not those of the course any more.
fn not_graded(row: &LessonRow) -> Option<String> {
    (row.not_graded > 0).then(|| {
        let answers = count(row.not_graded, "answer", "answers");
        format!("    not graded: {answers}, since the question has changed or is gone, or the answer does not belong to it")
    })
}

fn of_lesson(row: &LessonRow) -> String {
    let day = |it: Option<u64>| it.map_or_else(|| "-".to_owned(), utc::day);
    let line = format!(
        "  {:<20}  {:<6}{:>11} {:>6} {:>7}  {:<10}  {}",
        cut(row.lesson.as_str(), 20),
        row.status.word(),
        cut(&row.best.to_string(), 11),
        row.attempts,
        format!("{}/{}", row.labs_passed, row.labs),
        day(row.active_ms.map(|it| it.0)),
        day(row.active_ms.map(|it| it.1)),
    );
    line.trim_end().to_owned()
}

fn of_question(row: &QuestionRow<'_>, console: &mut Console<'_>) -> Result<()> {
    let percent = percent(row.right, row.answered).unwrap_or_default();
    let wrong = row.wrong.as_ref();
    let wrong = wrong.map_or_else(String::new, |(option, times)| {
        format!("{} ({times})", cut(option.as_str(), 18))
    });
    let name = match row.of {
        RowOf::Question => row.question.to_string(),
        RowOf::Version => format!("  version {}", row.question),
    };
    let line = format!(
        "    {:<28}  {:>8}  {:>3} %  {wrong}",
        cut(&name, 28),
        row.answered,
        percent
    );
    console.line(line.trim_end())
}

/// A share in whole percent; nothing of nothing.
pub(super) fn percent(part: usize, all: usize) -> Option<usize> {
    (100 * part + all / 2).checked_div(all)
}

/// A name of at most so many letters.
fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let start = name.chars().take(room.saturating_sub(1));
    start.chain(['…']).collect()
}
