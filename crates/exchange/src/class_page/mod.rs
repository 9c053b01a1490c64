//! What a class has done, as one page of HTML that needs nothing else: no network, no script.
//!
//! It says what the report for terminals says. Each chart is beside its numbers, and no colour says anything that a sign does not.

mod bars;
mod code;
mod learners;
mod questions;

use super::markup::escaped;
use super::page::document;
use bars::bar;
use code::coded;
use std::fmt::Write as _;
use warpup_class::{ClassReport, Enrolled, LearnerRows, Status, StuckAt, words};
use warpup_course::Language;
use warpup_lab::units::count;

const STYLE: &str = include_str!("style.css");

/// So many places where learners are stuck are in the chart.
const MOST_PLACES: usize = 15;

/// The page of a report.
pub fn write(report: &ClassReport<'_>) -> String {
    let course = report.course;
    let mut body = format!(
        "<h1>{}: class report</h1>\n<p>{}</p>\n",
        escaped(&course.title),
        words::SELF_REPORTED
    );
    body.push_str(&tiles(report));
    body.push_str(&lessons(report));
    body.push_str(&stuck(&report.stuck));
    body.push_str(&learners::heat_map(report));
    body.push_str(&flags(report));
    body.push_str(&problems(report));
    body.push_str(&questions::write(report));
    body.push_str(&learners::write(report));
    let language = course.language.as_ref().map_or("en", Language::as_str);
    let title = format!("{}: class report", course.title);
    document(&title, language, STYLE, &body)
}

/// The numbers that come first.
fn tiles(report: &ClassReport<'_>) -> String {
    let learners = || report.learners.iter();
    let sum = |of: fn(&LearnerRows) -> bool| learners().filter(|it| of(it)).count();
    let handed_in = sum(|it| it.enrolled != Enrolled::HandedNothingIn);
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
    let mut out = "<ul class=\"tiles\">\n".to_owned();
    for (what, number, to_look_at) in tiles {
        let class = if to_look_at && number > 0 {
            " class=\"look\""
        } else {
            ""
        };
        let _ = writeln!(out, "<li{class}><b>{number}</b>{what}</li>");
    }
    out.push_str("</ul>\n");
    out
}

/// How far the class is in each lesson, as stacked bars.
fn lessons(report: &ClassReport<'_>) -> String {
    let all = report.learners.len();
    let mut out = "<h2 id=\"lessons\">Lessons</h2>\n<p class=\"legend\"><span><i class=\"key done\"></i>done</span> \
<span><i class=\"key begun\"></i>begun</span> <span><i class=\"key new\"></i>not begun</span> <span>the rest: nothing to read</span></p>\n\
<div class=\"wide\"><table>\n<caption>How many learners have done, begun and not begun each lesson</caption>\n\
<thead><tr><th class=\"n\">no.</th><th>lesson</th><th class=\"bar\">learners</th><th class=\"n\">done</th><th class=\"n\">late</th>\
<th class=\"n\">begun</th><th class=\"n\">not begun</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for (at, lesson) in report.course.lessons.iter().enumerate() {
        let rows = || report.learners.iter().filter_map(|it| it.lessons.get(at));
        let of = |status| rows().filter(|it| it.status == status).count();
        let (done, begun, new) = (of(Status::Done), of(Status::Begun), of(Status::New));
        let late = rows().filter(|it| it.is_late() == Some(true)).count();
        let label = format!("{done} done, {begun} begun, {new} not begun");
        let chart = bar(
            &[("done", done), ("begun", begun), ("new", new)],
            all,
            &label,
        );
        let _ = writeln!(
            out,
            "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"bar\">{chart}</td><td class=\"n\">{done}</td><td class=\"n\">{late}</td>\
<td class=\"n\">{begun}</td><td class=\"n\">{new}</td></tr>",
            at + 1,
            escaped(&lesson.title)
        );
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// Where learners are stuck, the worst place first.
fn stuck(places: &[StuckAt]) -> String {
    let mut out = "<h2 id=\"stuck\">Where learners are stuck</h2>\n".to_owned();
    let Some(most) = places.first().map(|it| it.learners.len()) else {
        out.push_str("<p>Nobody is stuck: all that was tried has passed.</p>\n");
        return out;
    };
    out.push_str(
        "<div class=\"wide\"><table>\n<caption>Labs that were run and never passed, and quizzes with attempts and no pass</caption>\n\
<thead><tr><th>where</th><th class=\"bar\">learners</th><th class=\"n\">learners</th><th class=\"n\">tries</th><th>what stops most of them</th></tr></thead>\n<tbody>\n",
    );
    for place in places.iter().take(MOST_PLACES) {
        let learners = place.learners.len();
        let names = place.learners.join(", ");
        let chart = bar(
            &[("stuck", learners)],
            most,
            &format!("{learners}: {names}"),
        );
        let why = place
            .why
            .as_ref()
            .map_or_else(String::new, |(unmet, times)| {
                format!("{} ({times})", escaped(&unmet.words()))
            });
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"bar\">{chart}</td><td class=\"n\">{learners}</td><td class=\"n\">{}</td><td>{why}</td></tr>",
            escaped(&words::place(place)),
            place.tries
        );
    }
    out.push_str("</tbody></table></div>\n");
    let more = places.len().saturating_sub(MOST_PLACES);
    if more > 0 {
        let _ = writeln!(
            out,
            "<p>And {}.</p>",
            count(more, "more place", "more places")
        );
    }
    out
}

fn flags(report: &ClassReport<'_>) -> String {
    if report.flags.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<h2 id=\"flags\">To ask about</h2>\n<p>{}</p>\n<ul>\n",
        words::ASK
    );
    for flag in &report.flags {
        let _ = writeln!(out, "<li>{}</li>", coded(&words::flag(flag)));
    }
    out.push_str("</ul>\n");
    out
}

fn problems(report: &ClassReport<'_>) -> String {
    let learners = report.learners.iter();
    let all = learners.filter_map(|it| Some((&it.name, it.problem.as_ref()?)));
    let all: Vec<_> = all.collect();
    if all.is_empty() {
        return String::new();
    }
    let mut out = "<h2 id=\"problems\">Problems with what was handed in</h2>\n<ul>\n".to_owned();
    for (name, problem) in all {
        let _ = writeln!(out, "<li><b>{}</b>: {}</li>", escaped(name), coded(problem));
    }
    out.push_str("</ul>\n");
    out
}

#[cfg(test)]
mod tests;
