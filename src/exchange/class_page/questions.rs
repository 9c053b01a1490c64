//! The questions: the hardest ones, then all of them by lesson.

use super::bars::bar;
use super::words;
use crate::class::{ClassReport, QuestionRow, RowOf};
use crate::exchange::markup::escaped;
use std::fmt::Write as _;

/// So many of the hardest questions are shown at once.
const HARDEST: usize = 10;

const HEAD: &str = "<thead><tr><th>question</th><th class=\"bar\">right at the first try</th><th class=\"n\">right</th><th class=\"n\">answered</th>\
<th class=\"n\">discrimination</th><th class=\"n\">time</th><th>most chosen wrong</th></tr></thead>\n";

pub(super) fn write(report: &ClassReport<'_>) -> String {
    let mut out =
        "<h2 id=\"questions\">Questions, by the first answer of each learner</h2>\n".to_owned();
    let answered = || report.questions.iter().filter(|it| it.answered > 0);
    let mut hardest: Vec<_> = answered().filter(|it| !is_version(it)).collect();
    if hardest.is_empty() {
        out.push_str("<p>Nobody has answered one yet.</p>\n");
        return out;
    }
    hardest.sort_by_key(|it| 1000 * it.right / it.answered.max(1));
    out.push_str("<div class=\"wide\"><table>\n<caption>The questions that fewest learners had right at the first try</caption>\n");
    out.push_str(HEAD);
    out.push_str("<tbody>\n");
    for row in hardest.into_iter().take(HARDEST) {
        let name = format!("{} \u{203a} {}", row.lesson, row.question);
        out.push_str(&of_question(row, &name));
    }
    out.push_str("</tbody></table></div>\n");
    for lesson in &report.course.lessons {
        let rows: Vec<_> = answered().filter(|it| *it.lesson == lesson.id).collect();
        if rows.is_empty() {
            continue;
        }
        let (right, all) = rows
            .iter()
            .filter(|it| !is_version(it))
            .fold((0, 0), |sum, it| (sum.0 + it.right, sum.1 + it.answered));
        let percent = words::percent(right, all).unwrap_or_default();
        let _ = write!(
            out,
            "<details><summary>{}: {percent} % of first answers right</summary>\n<div class=\"wide\"><table>\n{HEAD}<tbody>\n",
            escaped(&lesson.title)
        );
        for row in rows {
            let name = match row.of {
                RowOf::Question => row.question.to_string(),
                RowOf::Version => format!("version {}", row.question),
            };
            out.push_str(&of_question(row, &name));
        }
        out.push_str("</tbody></table></div>\n</details>\n");
    }
    out
}

/// Whether it is one of several versions of a question, which has a row of its own.
fn is_version(row: &QuestionRow<'_>) -> bool {
    row.of == RowOf::Version
}

fn of_question(row: &QuestionRow<'_>, name: &str) -> String {
    let nothing = || "\u{2013}".to_owned();
    let percent = words::percent(row.right, row.answered).unwrap_or_default();
    let wrong = row.wrong.as_ref();
    let wrong = wrong.map_or_else(String::new, |(option, times)| {
        format!("{} ({times})", escaped(option.as_str()))
    });
    let label = format!("{} of {} right", row.right, row.answered);
    let chart = bar(&[("done", row.right)], row.answered, &label);
    format!(
        "<tr><td class=\"name\">{}</td><td class=\"bar\">{chart}</td><td class=\"n\">{percent} %</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{wrong}</td></tr>\n",
        escaped(name),
        row.answered,
        row.discrimination
            .map_or_else(nothing, |it| format!("{it:.2}")),
        row.median_ms.map_or_else(nothing, words::time),
    )
}
