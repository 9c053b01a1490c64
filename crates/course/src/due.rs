//! The table `[due]`: until when each lesson is to be passed. A course, a class file and the policy of a machine write it alike.
//!
//! A deadline says nothing about points: it labels what came after it, and blocks nothing.

use super::diagnostics::{Report, Rule};
use super::model::LessonId;
use super::toml_walk::{Fields, WithSpan, read};
use std::collections::BTreeMap;
use toml::value::Datetime;
use warpup_text::utc;

/// How to write a deadline.
pub const HOW_DUE: &str =
    "write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00";

/// What a table says, whichever lessons there are.
#[derive(Clone, Debug, Default)]
pub struct DueTable(Vec<(WithSpan<String>, u64)>);

impl DueTable {
    /// Reads the table `[due]` of a file, if it has one. Dates without a time or an offset are mistakes.
    pub fn read(file: &Fields<'_>, report: &mut Report) -> Self {
        let table = file.get("due");
        let Some(table) = table.and_then(|it| Fields::of("due", it, report)) else {
            return Self::default();
        };
        let dates = table.entries().filter_map(|(lesson, value)| {
            let date = read::<Datetime>(lesson.value, value, report)?;
            if date.value.date.is_none() && date.value.time.is_none() {
                // It was said that no calendar has it.
                return None;
            }
            let at_ms = due_ms(&date.value);
            if let Err(why) = at_ms {
                report.error(Rule::WrongType, date.span, why).hint(HOW_DUE);
            }
            let name = WithSpan {
                value: lesson.value.to_owned(),
                span: lesson.span,
            };
            Some((name, at_ms.ok()?))
        });
        Self(dates.collect())
    }

    /// The deadlines of these lessons, in milliseconds since 1970 UTC. Any other lesson is a mistake.
    pub fn of_lessons(&self, known: &[&str], report: &mut Report) -> BTreeMap<LessonId, u64> {
        let mut due_ms = BTreeMap::new();
        for (lesson, at_ms) in &self.0 {
            if known.contains(&lesson.value.as_str()) {
                due_ms.insert(LessonId::new(&lesson.value), *at_ms);
                continue;
            }
            let message = format!("the course has no lesson `{}`", lesson.value);
            report
                .error(Rule::UnknownKey, lesson.span.clone(), message)
                .known(&lesson.value, known);
        }
        due_ms
    }
}

/// A deadline in milliseconds since 1970 UTC.
///
/// # Errors
/// What it lacks to be one moment everywhere.
pub fn due_ms(date: &Datetime) -> Result<u64, &'static str> {
    utc::at_ms(&date.to_string()).ok_or(match (date.date, date.time, date.offset) {
        (None, ..) => "this deadline has no date",
        (_, None, _) => "this deadline has no time of day and no offset from UTC",
        (.., None) => {
            "this deadline has no offset from UTC: the same time is another moment elsewhere"
        }
        (Some(_), Some(_), Some(_)) => "this deadline is before 1970 or after 9999",
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Diagnostic;
    use crate::manifest::MANIFEST;
    use crate::sample;

    fn read(due: &str) -> String {
        let with = |text: &str| format!("{text}[due]\n{due}");
        let (course, found) = sample::changed(|name, text| match name {
            MANIFEST => with(text),
            _ => text.to_owned(),
        });
        let text = with(&sample::sources().files[MANIFEST]);
        let deadlines = course.due_ms.iter().map(|it| format!("{} {}", it.0, it.1));
        let said = |it: &Diagnostic| {
            let hint = it.hint.clone().unwrap_or_default();
            format!("{}\n  {hint}", it.headline(&text))
        };
        let lines: Vec<_> = deadlines.chain(found.iter().map(said)).collect();
        lines.join("\n")
    }

    #[test]
    fn a_course_gives_its_lessons_deadlines_and_its_mistakes_have_a_place() {
        insta::assert_snapshot!(read("copies = 1970-01-01T01:00:01+01:00\n"), @"copies 1000");
        insta::assert_snapshot!(read("copys = 2026-12-01T18:00:00Z\nplaces = 2026-12-01\n"), @"
        lessons/course.toml:8:10: error[wrong-type]: this deadline has no time of day and no offset from UTC
          write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00
        lessons/course.toml:7:1: error[unknown-key]: the course has no lesson `copys`
          known are places, copies
        ");
    }
}
