//! The learners: all of them at a glance, then each with its lessons.

use super::BREAK;
use super::code::coded;
use maud::{Markup, html};
use warpup_class::{ClassReport, Enrollment, LearnerRows, LessonRow, Status, words};
use warpup_course::Lesson;
use warpup_text::zone::Zone;

/// Learners by lessons. A sign says what a colour says.
pub(super) fn heat_map(report: &ClassReport<'_>) -> Markup {
    let lessons = || report.course.lessons.iter().enumerate();
    html! {
        h2 #map { "Learners and lessons" } "\n"
        p.legend {
            span { "\u{2713} done" } " "
            span { "L done late" } " "
            span { "\u{25d1} begun, half of the points or more" } " "
            span { "\u{25cb} begun" } " "
            span { "! stuck" } " "
            span { "\u{b7} not begun" } " "
            span { "\u{2013} nothing to read" }
        } "\n"
        div.wide { table.heat { "\n"
            caption { "How far each learner is in each lesson, by the number of the lesson" } "\n"
            thead { tr {
                th.who { "learner" }
                @for (at, lesson) in lessons() { th title=(lesson.title) { (at + 1) } }
            } } "\n"
            tbody { "\n"
                @for learner in &report.learners {
                    tr {
                        th.who title=(learner.name) { (learner.name) }
                        @for (at, lesson) in lessons() { (cell(lesson, learner.lessons.get(at))) }
                    } "\n"
                }
            }
        } } "\n"
    }
}

fn cell(lesson: &Lesson, row: Option<&LessonRow>) -> Markup {
    let (class, sign, said) = shown(row);
    html! { td class=(class) title={ (lesson.title) ": " (said) } { (sign) } }
}

/// The class, the sign and the words of a cell.
fn shown(row: Option<&LessonRow>) -> (&'static str, &'static str, String) {
    let Some(row) = row else {
        return ("h-absent", "\u{2013}", "nothing to read".to_owned());
    };
    let points = format!("{} points", row.best);
    let is_half = row.best.max > 0 && row.best.earned.saturating_mul(2) >= row.best.max;
    match row.status {
        Status::Done if row.is_late() == Some(true) => {
            ("h-done", "L", format!("done late, {points}"))
        }
        Status::Done => ("h-done", "\u{2713}", format!("done, {points}")),
        Status::Begun if row.is_stuck() => ("h-stuck", "!", format!("stuck, {points}")),
        Status::Begun if is_half => ("h-half", "\u{25d1}", format!("begun, {points}")),
        Status::Begun => ("h-begun", "\u{25cb}", format!("begun, {points}")),
        Status::New => ("h-new", "\u{b7}", "not begun".to_owned()),
    }
}

/// Each learner with the lessons that were begun.
pub(super) fn write(report: &ClassReport<'_>) -> Markup {
    html! {
        h2 #learners { "Learners" } "\n"
        @for learner in &report.learners { (of_learner(learner, &report.course.lessons, &report.zone)) }
    }
}

fn of_learner(learner: &LearnerRows, lessons: &[Lesson], zone: &Zone) -> Markup {
    let marks = match learner.enrolled {
        Enrollment::Unlisted | Enrollment::Listed => "",
        Enrollment::NotListed => ", not in the class file",
        Enrollment::HandedNothingIn => ", handed nothing in",
    };
    let begun = lessons.iter().zip(&learner.lessons);
    let begun: Vec<_> = begun.filter(|it| it.1.status != Status::New).collect();
    html! {
        details {
            summary {
                (learner.name) ": " (learner.done()) " of " (lessons.len()) " lessons done" (marks)
                @if learner.problem.is_some() { " " span.problem { "with a problem" } }
            } "\n"
            @if let Some(problem) = &learner.problem { p.problem { (problem) } "\n" }
            @if begun.is_empty() {
                p { "No lesson is begun." } "\n"
            } @else {
                div.wide { table { "\n"
                    thead { tr {
                        th { "lesson" }
                        th { "status" }
                        th.n { "points" }
                        th.n { "tries" }
                        th.n { "labs" }
                        th { "first" }
                        th { "last" }
                        th { "remarks" }
                    } } "\n"
                    tbody { "\n" @for (lesson, row) in begun { (of_lesson(lesson, row, zone)) } }
                } } "\n"
            }
        } "\n"
    }
}

fn of_lesson(lesson: &Lesson, row: &LessonRow, zone: &Zone) -> Markup {
    let day = |it: Option<u64>| it.map_or_else(|| "\u{2013}".to_owned(), |it| zone.day(it));
    html! {
        tr {
            td { (lesson.title) }
            td { (row.status.word()) }
            td.n { (row.best.to_string()) }
            td.n { (row.attempts) }
            td.n { (row.labs_passed) "/" (row.labs) }
            td { (day(row.active_ms.map(|it| it.0))) }
            td { (day(row.active_ms.map(|it| it.1))) }
            td {
                @for (at, remark) in words::remarks(row, zone).enumerate() {
                    @if at > 0 { (BREAK) }
                    (coded(&remark))
                }
            }
        } "\n"
    }
}
