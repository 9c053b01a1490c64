//! `warpup progress show|reset`.

use super::map::state;
use super::{CommandContext, Exit, Failure, Format, find};
use crate::course::{Course, Lesson, QuestionId};
use crate::grade::{HUNDREDTHS, Score};
use crate::progress::{AttemptRecord, Event, LessonProgress, Progress};
use crate::store::utc;
use serde::Serialize;

/// Whether the learner has agreed to forgetting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// PlainCommand on the command line.
    Given,
    /// To be asked for.
    Asked,
}

impl From<bool> for Consent {
    /// The value of a `--yes` flag.
    fn from(yes: bool) -> Self {
        if yes { Self::Given } else { Self::Asked }
    }
}

/// Shows what is done in each lesson.
pub(super) fn show(seat: &mut CommandContext<'_, '_>, format: Format) -> Result<Exit, Failure> {
    match format {
        Format::Text => show_text(seat)?,
        Format::Json => {
            let shown = Shown::of(seat.course, &seat.learner.progress);
            seat.console.json(&shown)?;
        }
    }
    Ok(Exit::Fine)
}

fn show_text(seat: &mut CommandContext<'_, '_>) -> Result<(), Failure> {
    let (course, progress) = (seat.course, &seat.learner.progress);
    let of = |lesson: &Lesson| progress.lesson(&lesson.id).is_done();
    let done = course.lessons.iter().filter(|it| of(it)).count();
    let all = course.lessons.len();
    seat.console
        .line(&format!("{}: {done} of {all} lessons done", course.title))?;
    if let Some((lesson, page)) = progress.place() {
        seat.console
            .line(&format!("You left off at {lesson}#{page}."))?;
    }
    for lesson in &course.lessons {
        let progress = progress.lesson(&lesson.id);
        seat.console
            .line(&format!("\n{:<6} {}", state(progress), lesson.title))?;
        for line in details(lesson, progress) {
            seat.console.line(&format!("       {line}"))?;
        }
    }
    Ok(())
}

fn details(lesson: &Lesson, progress: &LessonProgress) -> Vec<String> {
    let mut lines = vec![format!("id {}", lesson.id)];
    if !lesson.labs.is_empty() {
        let passed = lesson
            .labs
            .iter()
            .filter(|it| progress.lab(&it.id).has_passed());
        lines.push(format!(
            "labs passed: {} of {}",
            passed.count(),
            lesson.labs.len()
        ));
    }
    if let (Some(best), Some(latest)) = (progress.best(), progress.latest()) {
        lines.push(format!("quiz: best {}", attempt_in_words(best)));
        if latest != best {
            lines.push(format!("      latest {}", attempt_in_words(latest)));
        }
        lines.push(format!("attempts: {}", progress.attempts.len()));
    }
    if let Some(open) = &progress.open {
        lines.push(format!(
            "quiz left open after {} answers",
            open.answers.len()
        ));
    }
    lines
}

fn attempt_in_words(attempt: &AttemptRecord) -> String {
    let verdict = if attempt.passed {
        "passed"
    } else {
        "not passed"
    };
    let (earned, max) = (points(attempt.score.earned), points(attempt.score.max));
    format!(
        "{earned} of {max} points, {verdict}, {} UTC",
        utc::minute(attempt.at_ms)
    )
}

/// Hundredths of a point as points: `7`, `0.5`.
pub(super) fn points(hundredths: u64) -> String {
    let (whole, rest) = (hundredths / HUNDREDTHS, hundredths % HUNDREDTHS);
    let text = format!("{whole}.{rest:02}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Forgets a lesson, or the whole course.
pub(super) fn reset(
    seat: &mut CommandContext<'_, '_>,
    lesson: Option<&str>,
    consent: Consent,
) -> Result<Exit, Failure> {
    let lesson = lesson.map(|it| find::lesson(seat.course, it)).transpose()?;
    let what = match lesson {
        Some(lesson) => format!("the lesson `{}`", lesson.id),
        None => format!("the whole course `{}`", seat.course.id),
    };
    match consent {
        Consent::Given => {}
        Consent::Asked if !seat.console.is_terminal => {
            return Err(Failure::arguments_but(
                format!("nobody can be asked whether to forget {what}"),
                "say --yes",
            ));
        }
        Consent::Asked => {
            let question = format!("Forget what you did in {what}? [y/N] ");
            let answer = seat.console.ask(&question)?.unwrap_or_default();
            if !matches!(answer.as_str(), "y" | "Y" | "yes") {
                seat.console.line("Nothing is forgotten.")?;
                return Ok(Exit::Fine);
            }
        }
    }
    let event = Event::Reset {
        lesson: lesson.map(|it| it.id.clone()),
    };
    seat.learner.note(event, (seat.clock)());
    seat.console.line(&format!("Forgotten: {what}."))?;
    Ok(Exit::Fine)
}

/// Progress for programs.
#[derive(Serialize)]
struct Shown<'a> {
    course: &'a str,
    lessons: Vec<ShownLesson<'a>>,
}

#[derive(Serialize)]
struct ShownLesson<'a> {
    lesson: &'a str,
    title: &'a str,
    done: bool,
    first_try: bool,
    labs_passed: Vec<&'a str>,
    labs: usize,
    attempts: Vec<ShownAttempt<'a>>,
}

#[derive(Serialize)]
struct ShownAttempt<'a> {
    attempt: &'a str,
    at_ms: u64,
    earned: f64,
    max: f64,
    above_percent: u32,
    passed: bool,
    took_ms: u64,
    missed: Vec<&'a str>,
}

impl<'a> Shown<'a> {
    fn of(course: &'a Course, progress: &'a Progress) -> Self {
        let lessons = course.lessons.iter();
        let lesson = |lesson: &'a Lesson| {
            let progress = progress.lesson(&lesson.id);
            let passed = lesson
                .labs
                .iter()
                .filter(|it| progress.lab(&it.id).has_passed());
            ShownLesson {
                lesson: lesson.id.as_str(),
                title: &lesson.title,
                done: progress.is_done(),
                first_try: progress.first_try(),
                labs_passed: passed.map(|it| it.id.as_str()).collect(),
                labs: lesson.labs.len(),
                attempts: progress.attempts.iter().map(ShownAttempt::of).collect(),
            }
        };
        Self {
            course: course.id.as_str(),
            lessons: lessons.map(lesson).collect(),
        }
    }
}

impl<'a> ShownAttempt<'a> {
    fn of(attempt: &'a AttemptRecord) -> Self {
        let Score { earned, max } = attempt.score;
        Self {
            attempt: &attempt.attempt,
            at_ms: attempt.at_ms,
            earned: earned as f64 / HUNDREDTHS as f64,
            max: max as f64 / HUNDREDTHS as f64,
            above_percent: attempt.above_percent,
            passed: attempt.passed,
            took_ms: attempt.took_ms,
            missed: attempt.missed.iter().map(QuestionId::as_str).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;
    use crate::course::{LessonId, PageId};

    fn attempted(earned: u64) -> Event {
        Event::Attempted {
            lesson: LessonId::new("copies"),
            attempt: format!("attempt-{earned}"),
            score: Score { earned, max: 400 },
            above_percent: 75,
            passed: earned > 300,
            took_ms: 1000,
            missed: Vec::new(),
        }
    }

    #[test]
    fn an_untouched_course_is_all_new() {
        let (text, _) = sample::seat("", |seat| show(seat, Format::Text));
        insta::assert_snapshot!(text, @r"
        CUDA, understood: 0 of 1 lessons done

        new    What a copy costs
               id copies
               labs passed: 0 of 2
        ");
    }

    #[test]
    fn the_best_and_the_latest_attempt_are_shown() {
        let (text, _) = sample::seat("", |seat| {
            let read = Event::Read {
                lesson: LessonId::new("copies"),
                page: PageId::new("the-bus"),
            };
            seat.learner.note(read, 1);
            seat.learner.note(attempted(350), 951_782_400_000);
            seat.learner.note(attempted(100), 951_782_500_000);
            show(seat, Format::Text)
        });
        insta::assert_snapshot!(text, @r"
        CUDA, understood: 1 of 1 lessons done
        You left off at copies#the-bus.

        done   What a copy costs
               id copies
               labs passed: 0 of 2
               quiz: best 3.5 of 4 points, passed, 2000-02-29 00:00 UTC
                     latest 1 of 4 points, not passed, 2000-02-29 00:01 UTC
               attempts: 2
        ");
    }

    #[test]
    fn programs_get_the_same_as_json() {
        let (text, _) = sample::seat("", |seat| {
            seat.learner.note(attempted(350), 951_782_400_000);
            show(seat, Format::Json)
        });
        insta::assert_snapshot!(text, @r#"
        {
          "course": "warpup",
          "lessons": [
            {
              "lesson": "copies",
              "title": "What a copy costs",
              "done": true,
              "first_try": true,
              "labs_passed": [],
              "labs": 2,
              "attempts": [
                {
                  "attempt": "attempt-350",
                  "at_ms": 951782400000,
                  "earned": 3.5,
                  "max": 4.0,
                  "above_percent": 75,
                  "passed": true,
                  "took_ms": 1000,
                  "missed": []
                }
              ]
            }
          ]
        }
        "#);
    }

    #[test]
    fn forgetting_asks_first_and_takes_only_yes() {
        let forget = |input: &str| {
            sample::seat(input, |seat| {
                seat.console.is_terminal = true;
                seat.learner.note(attempted(400), 1);
                reset(seat, Some("copies"), Consent::Asked)?;
                let done = seat
                    .learner
                    .progress
                    .lesson(&LessonId::new("copies"))
                    .is_done();
                Ok(Exit::of(Some(done)))
            })
        };
        assert_eq!(forget("n\n").1, Exit::Fine);
        assert_eq!(forget("").1, Exit::Fine);
        let (text, exit) = forget("y\n");
        assert_eq!(exit, Exit::Wrong);
        assert_eq!(
            text,
            "Forget what you did in the lesson `copies`? [y/N] Forgotten: the lesson `copies`.\n"
        );
    }

    #[test]
    fn forgetting_needs_yes_where_nobody_can_be_asked() {
        let (text, exit) = sample::seat("y\n", |seat| reset(seat, None, Consent::Asked));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: nobody can be asked whether to forget the whole course `warpup`
        hint: say --yes
        ");
        let (_, exit) = sample::seat("", |seat| reset(seat, None, Consent::Given));
        assert_eq!(exit, Exit::Fine);
    }

    #[test]
    fn points_have_no_more_digits_than_they_need() {
        let shown = [0, 50, 125, 700, 1010].map(points);
        assert_eq!(shown, ["0", "0.5", "1.25", "7", "10.1"]);
    }
}
