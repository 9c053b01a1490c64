//! The report for people, at most 80 columns wide.

use crate::commands::console::Console;
use crate::commands::failure::Result;
use warpup_class::{
    ClassReport, Enrollment, Flag, LearnerRows, LessonRow, QuestionRow, RowOf, Status, StuckAt,
    words,
};
use warpup_course::{ChoiceId, LessonId};
use warpup_lab::units::count;
use warpup_text::zone::Zone;

/// So many places where learners are stuck are printed.
const MOST_PLACES: usize = 10;

/// Prints a summary, the rows of all learners, then those of the questions.
pub(super) fn print(report: &ClassReport<'_>, console: &mut Console<'_>) -> Result<()> {
    let learners = count(report.learners.len(), "learner", "learners");
    console.wrapped("", "", &format!("{}: {learners}", report.course.title))?;
    console.wrapped("", "", words::SELF_REPORTED)?;
    console.wrapped("", "", &words::times_in(&report.zone))?;
    summary(report, console)?;
    look_at_the_key(report, console)?;
    where_stuck(&report.stuck, console)?;
    pages(report, console)?;
    for learner in &report.learners {
        of_learner(learner, &report.zone, console)?;
    }
    flags(&report.flags, console)?;
    console.line("\nQuestions, by the first answer of each learner")?;
    let mut lesson: Option<&LessonId> = None;
    for row in report.questions.iter().filter(|it| it.answered > 0) {
        if lesson != Some(row.lesson) {
            console.line(&format!(
                "\n  {:<26}  answered  right  disc.   time  most chosen wrong",
                cut(row.lesson.as_str(), 26)
            ))?;
            lesson = Some(row.lesson);
        }
        of_question(row, console)?;
    }
    if lesson.is_none() {
        console.line("  Nobody has answered one yet.")?;
    }
    Ok(())
}

/// How far the class is, and who needs a look.
fn summary(report: &ClassReport<'_>, console: &mut Console<'_>) -> Result<()> {
    let learners = || report.learners.iter();
    let passes = learners().map(LearnerRows::done).sum::<usize>();
    let late = learners().map(LearnerRows::late).sum::<usize>();
    let stuck = learners().filter(|it| it.is_stuck()).count();
    let begun = learners().filter(|it| it.has_begun()).count();
    let mut lessons = learners().flat_map(|it| &it.lessons);
    let has_deadlines = lessons.any(|it| it.due_ms.is_some());
    let late = if has_deadlines {
        format!(", {late} of them late")
    } else {
        String::new()
    };
    console.line("")?;
    let said = format!("Begun: {begun}. Lessons done: {passes}{late}. Stuck somewhere: {stuck}.");
    console.wrapped("", "  ", &said)?;
    let not_begun = learners().filter(|it| !it.lessons.is_empty() && !it.has_begun());
    names("Not begun", not_begun, console)?;
    let missing = learners().filter(|it| it.enrolled == Enrollment::HandedNothingIn);
    names("Handed nothing in", missing, console)?;
    let unlisted = learners().filter(|it| it.enrolled == Enrollment::NotListed);
    names("Not in the class file", unlisted, console)?;
    let problems = learners().filter(|it| it.problem.is_some());
    names("With a problem", problems, console)
}

/// The questions whose key may be wrong.
fn look_at_the_key(report: &ClassReport<'_>, console: &mut Console<'_>) -> Result<()> {
    let suspects = report.suspects();
    if suspects.is_empty() {
        return Ok(());
    }
    console.line("\nLook at the key")?;
    console.wrapped("  ", "  ", words::LOOK_AT_THE_KEY)?;
    for row in suspects {
        console.wrapped("  ", "    ", &words::suspect(row))?;
    }
    Ok(())
}

/// The places where most learners are stuck.
fn where_stuck(stuck: &[StuckAt], console: &mut Console<'_>) -> Result<()> {
    if stuck.is_empty() {
        return Ok(());
    }
    console.line("\nWhere learners are stuck: changed or run three times, and never passed")?;
    console.line("  learners  tries  where")?;
    for place in stuck.iter().take(MOST_PLACES) {
        let first = format!("  {:>8}  {:>5}  ", place.learners.len(), place.tries);
        let under = " ".repeat(first.len());
        console.wrapped(&first, &under, &words::place(place))?;
        if let Some((unmet, learners)) = &place.why {
            let learners = count(*learners, "learner", "learners");
            console.wrapped(&under, &under, &format!("{learners}: {}", unmet.words()))?;
        }
    }
    let more = stuck.len().saturating_sub(MOST_PLACES);
    if more > 0 {
        console.line(&format!(
            "  and {}",
            count(more, "more place", "more places")
        ))?;
    }
    Ok(())
}

/// The pages where most learners stopped.
fn pages(report: &ClassReport<'_>, console: &mut Console<'_>) -> Result<()> {
    let rows = words::stopping_pages(report);
    if rows.is_empty() {
        return Ok(());
    }
    console.line(&format!("\n{}", words::PAGES))?;
    console.line("  stopped  read   time  where")?;
    for row in rows.into_iter().take(MOST_PLACES) {
        let stopped = row.stopped.len();
        let time = words::time(row.median_ms);
        let first = format!("  {stopped:>7}  {:>4}  {time:>5}  ", row.read);
        let under = " ".repeat(first.len());
        console.wrapped(&first, &under, &format!("{}#{}", row.lesson, row.page))?;
    }
    Ok(())
}

/// What to ask about.
fn flags(flags: &[Flag], console: &mut Console<'_>) -> Result<()> {
    if flags.is_empty() {
        return Ok(());
    }
    console.line("\nTo ask about")?;
    console.wrapped("  ", "  ", words::ASK)?;
    for flag in flags {
        console.wrapped("  ", "    ", &words::flag(flag))?;
    }
    Ok(())
}

/// Names learners in a line, if there are any.
fn names<'a>(
    what: &str,
    learners: impl Iterator<Item = &'a LearnerRows>,
    console: &mut Console<'_>,
) -> Result<()> {
    let names: Vec<&str> = learners.map(|it| it.name.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    let said = format!("{what} ({}): {}", names.len(), names.join(", "));
    console.wrapped("", "  ", &said)
}

fn of_learner(learner: &LearnerRows, zone: &Zone, console: &mut Console<'_>) -> Result<()> {
    console.line("")?;
    console.wrapped("", "", &learner.name)?;
    match learner.enrolled {
        Enrollment::Unlisted | Enrollment::Listed => {}
        Enrollment::NotListed => console.line("  not in the class file")?,
        Enrollment::HandedNothingIn => console.line("  handed nothing in")?,
    }
    if let Some(problem) = &learner.problem {
        console.wrapped("  problem: ", "           ", problem)?;
    }
    let is_new =
        |it: &&LessonRow| it.status == Status::New && words::remarks(it, zone).next().is_none();
    let new = learner.lessons.iter().filter(is_new).count();
    if new == learner.lessons.len() && new > 0 {
        return console.line("  nothing begun");
    }
    if !learner.lessons.is_empty() {
        console
            .line("  lesson                status     points  tries    labs  first       last")?;
    }
    for lesson in learner.lessons.iter().filter(|it| !is_new(it)) {
        console.line(&of_lesson(lesson, zone))?;
        for said in words::remarks(lesson, zone) {
            console.wrapped("    ", "      ", &said)?;
        }
    }
    if new > 0 {
        let lessons = count(new, "other lesson", "other lessons");
        console.line(&format!("  not begun: {lessons}"))?;
    }
    Ok(())
}

fn of_lesson(row: &LessonRow, zone: &Zone) -> String {
    let day = |it: Option<u64>| it.map_or_else(|| "-".to_owned(), |it| zone.day(it));
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
    let percent = words::percent(row.right, row.answered).unwrap_or_default();
    let wrong = row.wrong.as_ref();
    let wrong = wrong.map_or_else(String::new, |(mistake, times)| {
        format!("{} ({times})", cut(&mistake.words(ChoiceId::to_string), 13))
    });
    let name = match row.of {
        RowOf::Question => row.question.to_string(),
        RowOf::Version => format!("  version {}", row.question),
    };
    let nothing = || "-".to_owned();
    let discrimination = row.discrimination;
    let line = format!(
        "    {:<24}  {:>8}  {percent:>3} %  {:>5}  {:>5}  {wrong}",
        cut(&name, 24),
        row.answered,
        discrimination.map_or_else(nothing, |it| format!("{it:.2}")),
        row.median_ms.map_or_else(nothing, words::time),
    );
    console.line(line.trim_end())
}

/// A name of at most so many letters.
fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let start = name.chars().take(room.saturating_sub(1));
    start.chain(['…']).collect()
}
