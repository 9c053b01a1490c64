//! What is done, for people: a line for each lesson, or all about one.

use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Result};
use crate::commands::find;
use crate::commands::map::state;
use warpup_course::Lesson;
use warpup_lab::text::cut_line;
use warpup_lab::units::count;
use warpup_progress::{AttemptRecord, GradedQuiz, LessonProgress, WayOn};
use warpup_text::utc;

/// The most columns of a lesson's id: the row fits in 80 columns.
const MOST_OF_ID: usize = 34;

/// Shows a line for each lesson, as far as the learner is: a long course is no wall of what is new.
pub(super) fn all(context: &mut CommandContext<'_, '_>) -> Result<Exit> {
    context.learner.look_for_feedback();
    let (course, learner) = (context.course, &context.learner);
    let (progress, feedback) = (&learner.progress, &learner.feedback);
    let console = &mut *context.console;
    let is_done = |lesson: &&Lesson| progress.lesson(&lesson.id).is_done();
    let done = course.lessons.iter().filter(is_done).count();
    let all = count(course.lessons.len(), "lesson", "lessons");
    console.line(&format!("{}: {done} of {all} done", course.title))?;
    if let Some(way) = WayOn::of(course.lessons.iter(), progress) {
        console.line(&format!("Next: {way}."))?;
    }
    let ids = course.lessons.iter().map(|it| it.id.as_str().len());
    let columns = ids.max().unwrap_or(0).clamp("lesson".len(), MOST_OF_ID);
    let row = |[id, state, labs, quiz]: [&str; 4]| {
        let id = cut_line(id, columns);
        let row = format!("{id:<columns$}  {state:<9}  {labs:<8}  {quiz}");
        row.trim_end().to_owned()
    };
    console.line("")?;
    console.line(&row(["lesson", "state", "labs", "quiz"]))?;
    let is_new = |it: &&Lesson| !progress.lesson(&it.id).is_begun();
    let new = course.lessons.iter().rev().take_while(is_new);
    // The next of those at the end is listed as well, and the last one alone needs no row that stands for it.
    let rest = new.count().saturating_sub(1);
    let rest = if rest > 1 { rest } else { 0 };
    let listed = course.lessons.len() - rest;
    console.lines(course.lessons.iter().take(listed).map(|lesson| {
        let progress = progress.lesson(&lesson.id);
        let labs = labs_passed(lesson, progress).unwrap_or_default();
        let graded = feedback.graded(&lesson.id, progress);
        row([
            lesson.id.as_str(),
            state(learner, lesson),
            &labs,
            &quiz(progress, graded).unwrap_or_default(),
        ])
    }))?;
    let warpup = console.warpup.clone();
    if rest > 0 {
        console.line(&format!("{rest} more are new: {warpup} read lists them"))?;
    }
    console.line(&format!("All about one: {warpup} progress show LESSON"))?;
    Ok(Exit::Fine)
}

/// Shows all about one lesson.
pub(super) fn one(context: &mut CommandContext<'_, '_>, name: &str) -> Result<Exit> {
    let lesson = find::lesson(context.course, name)?;
    context.learner.look_for_feedback();
    let graded = &context.learner.feedback;
    let progress = context.learner.progress.lesson(&lesson.id);
    let console = &mut *context.console;
    console.line(&format!(
        "{} ({}): {}",
        lesson.title,
        lesson.id,
        state(context.learner, lesson)
    ))?;
    let graded = graded.graded(&lesson.id, progress);
    console.lines(details(lesson, progress, graded))?;
    Ok(Exit::Fine)
}

/// How many labs are passed; nothing for a lesson without labs.
fn labs_passed(lesson: &Lesson, progress: &LessonProgress) -> Option<String> {
    let labs = lesson.outline().labs.iter();
    let passed = labs.filter(|it| progress.lab(&it.id).has_passed()).count();
    let all = lesson.outline().labs.len();
    (all > 0).then(|| format!("{passed} of {all}"))
}

/// What is to be said first about the quiz; nothing if it was never begun.
fn quiz(progress: &LessonProgress, graded: Option<&GradedQuiz>) -> Option<String> {
    let open = progress.open.as_ref().map(|it| left_open(it.answers.len()));
    if let Some(best) = progress.best() {
        let attempts = count(progress.attempts.len(), "attempt", "attempts");
        return Some(format!("{}, {attempts}", best.score));
    }
    open.or_else(|| graded.map(|it| it.score.to_string()))
}

/// That a quiz was begun and not handed in.
fn left_open(answers: usize) -> String {
    format!("open after {}", count(answers, "answer", "answers"))
}

fn details(lesson: &Lesson, progress: &LessonProgress, graded: Option<&GradedQuiz>) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(labs_passed(lesson, progress).map(|it| format!("labs passed: {it}")));
    if let (Some(best), Some(latest)) = (progress.best(), progress.latest()) {
        lines.push(format!("quiz: best {}", attempt_in_words(best)));
        if latest != best {
            lines.push(format!("      latest {}", attempt_in_words(latest)));
        }
        lines.push(format!("attempts: {}", progress.attempts.len()));
    }
    if let Some(latest) = progress.handed_in.last() {
        let at = utc::minute(latest.at_ms);
        let graded = match graded {
            Some(graded) => format!("graded: {}", graded.words()),
            None => "your instructor grades it".to_owned(),
        };
        lines.push(format!("quiz: handed in, {at} UTC; {graded}"));
    }
    if let Some(open) = &progress.open {
        lines.push(format!("quiz: {}", left_open(open.answers.len())));
    }
    lines
}

fn attempt_in_words(attempt: &AttemptRecord) -> String {
    let not = if attempt.passed { "" } else { "not " };
    let (score, at) = (attempt.score, utc::minute(attempt.at_ms));
    format!("{score} points, {not}passed, {at} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample::{self, attempted};
    use warpup_course::{LessonId, PageId};
    use warpup_progress::Event;

    #[test]
    fn an_untouched_course_is_all_new() {
        let (text, _) = sample::with_context("", all);
        insta::assert_snapshot!(text, @"
        CUDA, understood: 0 of 1 lesson done
        Next: What a copy costs, 20 min.

        lesson  state      labs      quiz
        copies  new        0 of 2
        All about one: warpup progress show LESSON
        ");
    }

    /// A learner who has read a page and tried the quiz twice.
    fn after_two_attempts(context: &mut CommandContext<'_, '_>) {
        let read = Event::Read {
            lesson: LessonId::new("copies"),
            page: PageId::new("the-bus"),
        };
        context.learner.note(read, 1);
        context.learner.note(attempted(350), 951_782_400_000);
        context.learner.note(attempted(100), 951_782_500_000);
    }

    #[test]
    fn a_lesson_is_one_line_with_the_best_attempt() {
        let (text, _) = sample::with_context("", |context| {
            after_two_attempts(context);
            all(context)
        });
        insta::assert_snapshot!(text, @"
        CUDA, understood: 1 of 1 lesson done

        lesson  state      labs      quiz
        copies  done       0 of 2    3.5 of 4, 2 attempts
        All about one: warpup progress show LESSON
        ");
    }

    #[test]
    fn what_is_new_behind_the_next_lesson_is_one_line() {
        let listed = |lessons: usize| {
            let mut course = sample::course();
            for number in 2..=lessons {
                let mut lesson = course.lessons[0].clone();
                lesson.id = LessonId::new(format!("copies-{number}"));
                course.lessons.push(lesson);
            }
            let course = Box::leak(Box::new(course));
            let (text, _) = sample::with_context("", |context| {
                after_two_attempts(context);
                context.course = course;
                all(context)
            });
            text
        };
        insta::assert_snapshot!(listed(27), @"
        CUDA, understood: 1 of 27 lessons done
        Next: What a copy costs, 20 min.

        lesson     state      labs      quiz
        copies     done       0 of 2    3.5 of 4, 2 attempts
        copies-2   new        0 of 2
        25 more are new: warpup read lists them
        All about one: warpup progress show LESSON
        ");
        let three = listed(3);
        assert!(
            three.contains("copies-3") && !three.contains("more"),
            "{three}"
        );
        let terminal = 24;
        assert!(listed(27).lines().count() < terminal);
    }

    #[test]
    fn one_lesson_is_shown_with_its_best_and_its_latest_attempt() {
        let (text, _) = sample::with_context("", |context| {
            after_two_attempts(context);
            one(context, "copies")
        });
        insta::assert_snapshot!(text, @"
        What a copy costs (copies): done
        labs passed: 0 of 2
        quiz: best 3.5 of 4 points, passed, 2000-02-29 00:00 UTC
              latest 1 of 4 points, not passed, 2000-02-29 00:01 UTC
        attempts: 2
        ");
    }

    #[test]
    fn a_quiz_that_was_left_open_counts_its_answers() {
        assert_eq!(left_open(1), "open after 1 answer");
        assert_eq!(left_open(2), "open after 2 answers");
    }
}
