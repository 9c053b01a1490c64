//! The words of a report of a class, which every form of it uses.

use super::{Basis, ClassReport, Flag, LessonRow, PageRow, QuestionRow, StuckAt};
use std::cmp::Reverse;
use warpup_course::{ChoiceId, QuestionId};
use warpup_text::count::count;
use warpup_text::zone::Zone;

/// What every report says of itself.
pub const SELF_REPORTED: &str =
    "Attempts are self-reported: the files are the learners' own, and nothing proves who answered.";

/// In which zone the times of a report are.
pub fn times_in(zone: &Zone) -> String {
    format!("Times are those of {}.", zone.name())
}

/// What every flag says of itself.
pub const ASK: &str =
    "A flag is a question to ask, and no verdict: friends learn together, and some read fast.";

/// What the list of pages says of itself.
pub const PAGES: &str = "Pages where learners stopped: read last, and the lesson not passed";

/// The pages where learners stopped, those with most of them first, and then in the order of the course.
pub fn stopping_pages<'r, 'a>(report: &'r ClassReport<'a>) -> Vec<&'r PageRow<'a>> {
    let rows = report.pages.iter().filter(|it| !it.stopped.is_empty());
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|it| Reverse(it.stopped.len()));
    rows
}

/// What the list of questions with a doubtful key says of itself.
pub const LOOK_AT_THE_KEY: &str =
    "Those who know the rest of the quiz get these wrong, more than chance explains.";

/// A question with a doubtful key: `copies › q-which: 5 of 12 right, discrimination -0.91, most chosen wrong: b (7)`.
pub fn suspect(row: &QuestionRow<'_>) -> String {
    let wrong = row.wrong.as_ref();
    let wrong = wrong.map_or_else(String::new, |(mistake, times)| {
        let mistake = mistake.words(ChoiceId::to_string);
        format!(", most chosen wrong: {mistake} ({times})")
    });
    let low = row.discrimination.unwrap_or(0.0);
    format!(
        "{} \u{203a} {}: {} of {} right, discrimination {low:.2}{wrong}",
        row.lesson, row.question, row.right, row.answered
    )
}

/// Where learners are stuck: `what-a-copy-costs/pinned`, or `quiz what-a-copy-costs`.
pub fn place(place: &StuckAt) -> String {
    place.lab.as_ref().map_or_else(
        || format!("quiz {}", place.lesson),
        |lab| format!("{}/{lab}", place.lesson),
    )
}

/// What is to be said of a lesson of a learner, beside its row.
pub fn remarks(row: &LessonRow, zone: &Zone) -> impl Iterator<Item = String> {
    let remarks = late(row, zone).into_iter().chain(unpassed(row));
    let remarks = remarks.chain(graded_here(row)).chain(as_claimed(row));
    remarks.chain(not_graded(row))
}

/// That a pass or attempts came after the deadline. Their points count as they are.
fn late(row: &LessonRow, zone: &Zone) -> Option<String> {
    let due = zone.minute(row.due_ms?);
    let late = count(row.late_attempts, "attempt", "attempts");
    match (row.is_late(), row.late_attempts) {
        (Some(true), _) => {
            let passed = zone.minute(row.passed_ms?);
            Some(format!("late: passed {passed}, due {due}"))
        }
        (None, 1..) => Some(format!("late: {late} after {due}")),
        (None, 0) => Some(format!("due: {due}")),
        (Some(false), _) => None,
    }
}

/// The labs that were run and never passed: stuck, or only tried.
fn unpassed(row: &LessonRow) -> impl Iterator<Item = String> {
    row.unpassed.iter().map(|it| {
        let how = if it.is_stuck() { "stuck" } else { "tried" };
        let runs = count(it.runs, "run", "runs");
        let why = it.why.as_ref();
        let why = why.map_or_else(String::new, |it| format!(", the newest: {}", it.words()));
        format!("{how}: {runs} of `{}`{why}", it.lab)
    })
}

/// That attempts from a course without keys were graded for this report.
fn graded_here(row: &LessonRow) -> Option<String> {
    (row.graded_here > 0).then(|| {
        let attempts = count(row.graded_here, "attempt", "attempts");
        format!("graded here: {attempts} from a course without keys")
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
        };
        format!("as claimed: {attempts} {why}")
    })
}

/// That answers do not count, since their questions are not those of the course any more.
fn not_graded(row: &LessonRow) -> Option<String> {
    (row.not_graded > 0).then(|| {
        let answers = count(row.not_graded, "answer", "answers");
        format!("not graded: {answers}, since the question has changed or is gone, or the answer does not belong to it")
    })
}

/// A flag as a sentence without a full stop.
pub fn flag(flag: &Flag) -> String {
    match flag {
        Flag::Copied {
            learners: [one, other],
            attempts,
        } => {
            let attempts = count(*attempts, "attempt", "attempts");
            format!(
                "{one}, {other}: {attempts} with the same random name: one file has records of the other"
            )
        }
        Flag::Same {
            learners: [one, other],
            shared,
            of: [left, right],
            questions,
        } => {
            let named: Vec<_> = questions.iter().take(5).map(QuestionId::as_str).collect();
            let more = questions.len().saturating_sub(named.len());
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            format!(
                "{one}, {other}: {shared} same wrong first answers, of {left} and {right}: {}{more}",
                named.join(", ")
            )
        }
        Flag::Fast {
            learner,
            lesson,
            took_ms,
            words,
        } => {
            let seconds = *took_ms as f64 / 1000.0;
            let from = if *took_ms < 1000 {
                ", as with `quiz --answers`"
            } else {
                ""
            };
            format!("{learner}, {lesson}: a first attempt of {words} words in {seconds:.1} s{from}")
        }
    }
}

/// A time as `45 s` or `3 min`.
pub fn time(ms: u64) -> String {
    match (ms + 500) / 1000 {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}

/// A share in whole percent; nothing of nothing.
pub fn percent(part: usize, all: usize) -> Option<usize> {
    (100 * part + all / 2).checked_div(all)
}
