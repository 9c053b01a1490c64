//! The questions: the hardest ones, then all of them by lesson.

use super::bars::bar;
use crate::markup::escaped;
use std::fmt::Write as _;
use warpup_class::{ClassReport, QuestionRow, RowOf, words};
use warpup_course::{BlockKind, ChoiceId, Course, Question};
use warpup_grade as grade;

/// So many of the hardest questions are shown at once.
const HARDEST: usize = 10;

/// A longer prompt or option is cut.
const MOST_LETTERS: usize = 120;

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
        out.push_str(&of_question(row, &name, report.course));
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
            out.push_str(&of_question(row, &name, report.course));
        }
        out.push_str("</tbody></table></div>\n</details>\n");
    }
    out
}

/// Whether it is one of several versions of a question, which has a row of its own.
fn is_version(row: &QuestionRow<'_>) -> bool {
    row.of == RowOf::Version
}

/// The question of a row; of one in versions, the first version.
fn asked<'a>(row: &QuestionRow<'_>, course: &'a Course) -> Option<&'a Question> {
    let lesson = course.lessons.iter().find(|it| it.id == *row.lesson)?;
    let mut questions = lesson.quiz.iter().flat_map(|it| &it.questions);
    questions.find(|it| it.id == *row.question || it.name() == row.question)
}

/// The first sentence or two of what it asks.
fn prompt(question: &Question) -> String {
    let first = question.prompt.iter().find_map(|it| match &it.kind {
        BlockKind::Paragraph(text) => Some(text.plain()),
        BlockKind::Heading { .. }
        | BlockKind::Code { .. }
        | BlockKind::Figure { .. }
        | BlockKind::Table { .. }
        | BlockKind::Lab(_)
        | BlockKind::Rule => None,
    });
    cut(&first.unwrap_or_default())
}

fn cut(text: &str) -> String {
    let text = text.replace('\n', " ");
    if text.chars().count() <= MOST_LETTERS {
        return text;
    }
    let start = text.chars().take(MOST_LETTERS - 1);
    start.chain(['\u{2026}']).collect()
}

/// The text of an option that can be chosen.
fn option_text(question: &Question, option: &ChoiceId) -> Option<String> {
    let input = grade::input(question);
    let row = input.rows.iter().find(|it| it.id == option)?;
    Some(cut(&row.text.plain()))
}

fn of_question(row: &QuestionRow<'_>, name: &str, course: &Course) -> String {
    let question = asked(row, course);
    let prompt = question.map(prompt).filter(|it| !it.is_empty());
    let prompt = prompt.map_or_else(String::new, |it| {
        format!("<br/><small>{}</small>", escaped(&it))
    });
    let nothing = || "\u{2013}".to_owned();
    let percent = words::percent(row.right, row.answered).unwrap_or_default();
    let wrong = row.wrong.as_ref();
    let wrong = wrong.map_or_else(String::new, |(option, times)| {
        let text = question.and_then(|it| option_text(it, option));
        let text = text.unwrap_or_else(|| option.to_string());
        format!("{} ({times})", escaped(&text))
    });
    let label = format!("{} of {} right", row.right, row.answered);
    let chart = bar(&[("done", row.right)], row.answered, &label);
    format!(
        "<tr><td class=\"name\">{}{prompt}</td><td class=\"bar\">{chart}</td><td class=\"n\">{percent} %</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{wrong}</td></tr>\n",
        escaped(name),
        row.answered,
        row.discrimination
            .map_or_else(nothing, |it| format!("{it:.2}")),
        row.median_ms.map_or_else(nothing, words::time),
    )
}
