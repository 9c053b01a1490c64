//! What a class has done, as one page of HTML that needs nothing else: no network, no script.
//!
//! It says what the report for terminals says. Each chart is beside its numbers, and no colour says anything that a sign does not.

mod bars;
mod code;
mod learners;
mod questions;

use super::page::document;
use bars::bar;
use code::coded;
use maud::{Markup, PreEscaped, html};
use warpup_class::{ClassReport, Enrollment, LearnerRows, PageRow, Status, StuckAt, words};
use warpup_course::Language;
use warpup_lab::units::count;

const STYLE: &str = include_str!("style.css");

/// A line's end. maud writes `<br>`, which is no XML.
const BREAK: PreEscaped<&str> = PreEscaped("<br/>");

/// So many places where learners are stuck are in the chart.
const MOST_PLACES: usize = 15;

/// The page of a report.
pub fn write(report: &ClassReport<'_>) -> String {
    let course = report.course;
    let title = format!("{}: class report", course.title);
    let body = html! {
        h1 { (title) } "\n"
        p { (words::SELF_REPORTED) " " (words::times_in(&report.zone)) } "\n"
        (tiles(report))
        (lessons(report))
        (look_at_the_key(report))
        (stuck(&report.stuck))
        (pages(report))
        (learners::heat_map(report))
        (flags(report))
        (problems(report))
        (questions::write(report))
        (learners::write(report))
    };
    let language = course.language.as_ref().map_or("en", Language::as_str);
    document(&title, language, STYLE, &body)
}

/// The numbers that come first.
fn tiles(report: &ClassReport<'_>) -> Markup {
    let learners = || report.learners.iter();
    let sum = |of: fn(&LearnerRows) -> bool| learners().filter(|it| of(it)).count();
    let handed_in = sum(|it| it.enrolled != Enrollment::HandedNothingIn);
    let tiles = [
        ("learners", learners().count(), false),
        ("handed in", handed_in, false),
        ("have begun", sum(LearnerRows::has_begun), false),
        (
            "lessons done",
            learners().map(LearnerRows::done).sum(),
            false,
        ),
        (
            "of them late",
            learners().map(LearnerRows::late).sum(),
            true,
        ),
        ("stuck somewhere", sum(LearnerRows::is_stuck), true),
        ("with a problem", sum(|it| it.problem.is_some()), true),
        (
            if report.flags.len() == 1 {
                "flag"
            } else {
                "flags"
            },
            report.flags.len(),
            true,
        ),
    ];
    html! {
        ul.tiles { "\n"
            @for (what, number, to_look_at) in tiles {
                li class=[(to_look_at && number > 0).then_some("look")] { b { (number) } (what) } "\n"
            }
        } "\n"
    }
}

/// How far the class is in each lesson, as stacked bars.
fn lessons(report: &ClassReport<'_>) -> Markup {
    let all = report.learners.len();
    let rows = report.course.lessons.iter().enumerate();
    let rows = rows.map(|(at, lesson)| {
        let rows = || report.learners.iter().filter_map(|it| it.lessons.get(at));
        let of = |status| rows().filter(|it| it.status == status).count();
        let (done, begun, new) = (of(Status::Done), of(Status::Begun), of(Status::New));
        let late = rows().filter(|it| it.is_late() == Some(true)).count();
        let parts = [("done", done), ("begun", begun), ("new", new)];
        let label = format!("{done} done, {begun} begun, {new} not begun");
        html! {
            tr {
                td.n { (at + 1) }
                td { (lesson.title) }
                td.bar { (bar(&parts, all, &label)) }
                td.n { (done) }
                td.n { (late) }
                td.n { (begun) }
                td.n { (new) }
            } "\n"
        }
    });
    html! {
        h2 #lessons { "Lessons" } "\n"
        p.legend {
            span { i.key.done {} "done" } " "
            span { i.key.begun {} "begun" } " "
            span { i.key.new {} "not begun" } " "
            span { "the rest: nothing to read" }
        } "\n"
        div.wide { table { "\n"
            caption { "How many learners have done, begun and not begun each lesson" } "\n"
            thead { tr {
                th.n { "no." }
                th { "lesson" }
                th.bar { "learners" }
                th.n { "done" }
                th.n { "late" }
                th.n { "begun" }
                th.n { "not begun" }
            } } "\n"
            tbody { "\n" @for row in rows { (row) } }
        } } "\n"
    }
}

/// The questions whose key may be wrong.
fn look_at_the_key(report: &ClassReport<'_>) -> Markup {
    let suspects = report.suspects();
    html! {
        @if !suspects.is_empty() {
            h2 #key { "Look at the key" } "\n"
            p { (words::LOOK_AT_THE_KEY) } "\n"
            ul { "\n"
                @for row in suspects { li { (words::suspect(row)) } "\n" }
            } "\n"
        }
    }
}

/// Where learners are stuck, the worst place first.
fn stuck(places: &[StuckAt]) -> Markup {
    let most = places.first().map_or(0, |it| it.learners.len());
    let more = places.len().saturating_sub(MOST_PLACES);
    html! {
        h2 #stuck { "Where learners are stuck" } "\n"
        @if places.is_empty() {
            p { "Nobody is stuck." } "\n"
        } @else {
            div.wide { table { "\n"
                caption { "Labs that were changed or run three times and never passed, and quizzes with attempts and no pass" } "\n"
                thead { tr {
                    th { "where" }
                    th.bar { "learners" }
                    th.n { "learners" }
                    th.n { "tries" }
                    th { "what stops most of them" }
                } } "\n"
                tbody { "\n" @for place in places.iter().take(MOST_PLACES) { (of_place(place, most)) } }
            } } "\n"
        }
        @if more > 0 {
            p { "And " (count(more, "more place", "more places")) "." } "\n"
        }
    }
}

/// The pages where learners stopped, those with most of them first.
fn pages(report: &ClassReport<'_>) -> Markup {
    let rows = words::stopping_pages(report);
    let most = rows.first().map_or(0, |it| it.stopped.len());
    html! {
        @if !rows.is_empty() {
            h2 #pages { "Where learners stop reading" } "\n"
            div.wide { table { "\n"
                caption { (words::PAGES) } "\n"
                thead { tr {
                    th { "where" }
                    th.bar { "learners" }
                    th.n { "stopped" }
                    th.n { "read" }
                    th.n { "time" }
                } } "\n"
                tbody { "\n" @for row in rows.into_iter().take(MOST_PLACES) { (of_page(row, most)) } }
            } } "\n"
        }
    }
}

fn of_page(row: &PageRow<'_>, most: usize) -> Markup {
    let stopped = row.stopped.len();
    let label = format!("{stopped}: {}", row.stopped.join(", "));
    html! {
        tr {
            td { (row.lesson) "#" (row.page) }
            td.bar { (bar(&[("stuck", stopped)], most, &label)) }
            td.n { (stopped) }
            td.n { (row.read) }
            td.n { (words::time(row.median_ms)) }
        } "\n"
    }
}

fn of_place(place: &StuckAt, most: usize) -> Markup {
    let learners = place.learners.len();
    let label = format!("{learners}: {}", place.learners.join(", "));
    html! {
        tr {
            td { (words::place(place)) }
            td.bar { (bar(&[("stuck", learners)], most, &label)) }
            td.n { (learners) }
            td.n { (place.tries) }
            td { @if let Some((unmet, times)) = &place.why { (unmet.words()) " (" (times) ")" } }
        } "\n"
    }
}

fn flags(report: &ClassReport<'_>) -> Markup {
    html! {
        @if !report.flags.is_empty() {
            h2 #flags { "To ask about" } "\n"
            p { (words::ASK) } "\n"
            ul { "\n"
                @for flag in &report.flags { li { (coded(&words::flag(flag))) } "\n" }
            } "\n"
        }
    }
}

fn problems(report: &ClassReport<'_>) -> Markup {
    let learners = report.learners.iter();
    let all = learners.filter_map(|it| Some((&it.name, it.problem.as_ref()?)));
    let all: Vec<_> = all.collect();
    html! {
        @if !all.is_empty() {
            h2 #problems { "Problems with what was handed in" } "\n"
            ul { "\n"
                @for (name, problem) in all { li { b { (name) } ": " (coded(problem)) } "\n" }
            } "\n"
        }
    }
}

#[cfg(test)]
mod tests;
