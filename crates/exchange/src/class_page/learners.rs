//! The learners: all of them at a glance, then each with its lessons.

use super::code::coded;
use crate::markup::escaped;
use std::fmt::Write as _;
use warpup_class::{ClassReport, Enrolled, LearnerRows, LessonRow, Status, words};
use warpup_text::utc;

/// Learners by lessons. A sign says what a colour says.
pub(super) fn heat_map(report: &ClassReport<'_>) -> String {
    let mut out = "<h2 id=\"map\">Learners and lessons</h2>\n<p class=\"legend\"><span>\u{2713} done</span> <span>L done late</span> \
<span>\u{25d1} begun, half of the points or more</span> <span>\u{25cb} begun</span> <span>! stuck</span> <span>\u{b7} not begun</span> <span>\u{2013} nothing to read</span></p>\n\
<div class=\"wide\"><table class=\"heat\">\n<caption>How far each learner is in each lesson, by the number of the lesson</caption>\n<thead><tr><th class=\"who\">learner</th>"
        .to_owned();
    for (at, lesson) in report.course.lessons.iter().enumerate() {
        let _ = write!(
            out,
            "<th title=\"{}\">{}</th>",
            escaped(&lesson.title),
            at + 1
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for learner in &report.learners {
        let name = escaped(&learner.name);
        let _ = write!(out, "<tr><th class=\"who\" title=\"{name}\">{name}</th>");
        for (at, lesson) in report.course.lessons.iter().enumerate() {
            let (class, sign, said) = cell(learner.lessons.get(at));
            let _ = write!(
                out,
                "<td class=\"{class}\" title=\"{}: {}\">{sign}</td>",
                escaped(&lesson.title),
                escaped(&said)
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// The class, the sign and the words of a cell.
fn cell(row: Option<&LessonRow>) -> (&'static str, &'static str, String) {
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
        Status::Begun if row.is_stuck_in_quiz() || !row.stuck.is_empty() => {
            ("h-stuck", "!", format!("stuck, {points}"))
        }
        Status::Begun if is_half => ("h-half", "\u{25d1}", format!("begun, {points}")),
        Status::Begun => ("h-begun", "\u{25cb}", format!("begun, {points}")),
        Status::New => ("h-new", "\u{b7}", "not begun".to_owned()),
    }
}

/// Each learner with the lessons that were begun.
pub(super) fn write(report: &ClassReport<'_>) -> String {
    let mut out = "<h2 id=\"learners\">Learners</h2>\n".to_owned();
    for learner in &report.learners {
        out.push_str(&of_learner(learner, report));
    }
    out
}

fn of_learner(learner: &LearnerRows, report: &ClassReport<'_>) -> String {
    let marks = match learner.enrolled {
        Enrolled::Unlisted | Enrolled::Listed => "",
        Enrolled::NotListed => ", not in the class file",
        Enrolled::HandedNothingIn => ", handed nothing in",
    };
    let problem = if learner.problem.is_some() {
        " <span class=\"problem\">with a problem</span>"
    } else {
        ""
    };
    let done = learner.done();
    let all = report.course.lessons.len();
    let mut out = format!(
        "<details><summary>{}: {done} of {all} lessons done{marks}{problem}</summary>\n",
        escaped(&learner.name)
    );
    if let Some(problem) = &learner.problem {
        let _ = writeln!(out, "<p class=\"problem\">{}</p>", escaped(problem));
    }
    let begun = report.course.lessons.iter().zip(&learner.lessons);
    let begun: Vec<_> = begun.filter(|it| it.1.status != Status::New).collect();
    if begun.is_empty() {
        out.push_str("<p>No lesson is begun.</p>\n</details>\n");
        return out;
    }
    out.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>lesson</th><th>status</th><th class=\"n\">points</th><th class=\"n\">tries</th>\
<th class=\"n\">labs</th><th>first</th><th>last</th><th>remarks</th></tr></thead>\n<tbody>\n",
    );
    for (lesson, row) in begun {
        let day = |it: Option<u64>| it.map_or_else(|| "\u{2013}".to_owned(), utc::day);
        let remarks: Vec<_> = words::remarks(row).map(|it| coded(&it)).collect();
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}/{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&lesson.title),
            row.status.word(),
            row.best,
            row.attempts,
            row.labs_passed,
            row.labs,
            day(row.active_ms.map(|it| it.0)),
            day(row.active_ms.map(|it| it.1)),
            remarks.join("<br/>")
        );
    }
    out.push_str("</tbody></table></div>\n</details>\n");
    out
}
