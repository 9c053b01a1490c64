//! The class file: who is in the class, and until when each lesson is to be passed.
//!
//! ```toml
//! learners = ["ada", "bob"]
//!
//! [due]
//! what-a-copy-costs = 2026-12-01T18:00:00+01:00
//! ```
//!
//! It says nothing about points: a deadline labels what came after it, and blocks nothing.

use std::collections::{BTreeMap, BTreeSet};
use warpup_course::toml_walk::{Fields, document};
use warpup_course::{Course, Diagnostic, DueTable, LessonId, Report, Rule};

/// The keys of the file.
const KEYS: [&str; 2] = ["learners", "due"];

/// What a class file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassFile {
    /// The learners of the class, in the order of the file; nothing where the file has no list.
    pub learners: Option<Vec<String>>,
    /// The deadlines that it sets instead of those of the course, in milliseconds since 1970 UTC.
    pub due_ms: BTreeMap<LessonId, u64>,
}

impl ClassFile {
    /// Reads the text of a class file for a course.
    ///
    /// # Errors
    /// What is wrong with it, with places: unknown keys and lessons, names twice, dates without a time or an offset.
    pub fn read(text: &str, file: &str, course: &Course) -> Result<Self, Vec<Diagnostic>> {
        let mut report = Report::new(file);
        let (table, _) = document(text, &mut report);
        let fields = Fields::new("class file", table.get_ref(), 0..0);
        fields.check_keys(&KEYS, &mut report);
        let learners = fields
            .get("learners")
            .map(|_| learners(&fields, &mut report));
        let known: Vec<_> = course.lessons.iter().map(|it| it.id.as_str()).collect();
        let due_ms = DueTable::read(&fields, &mut report).of_lessons(&known, &mut report);
        if report.errors() > 0 {
            return Err(report.into_diagnostics());
        }
        Ok(Self { learners, due_ms })
    }
}

fn learners(fields: &Fields<'_>, report: &mut Report) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut learners = Vec::new();
    for name in fields.texts("learners", report) {
        if name.value.trim().is_empty() {
            report
                .error(Rule::EmptyText, name.span, "a learner has no name")
                .hint("name each learner as their file is called without its ending");
            continue;
        }
        if !names.insert(name.value) {
            let message = format!("the learner `{}` is in the list twice", name.value);
            report
                .error(Rule::ListedTwice, name.span, message)
                .hint("name each learner once, as their file is called without its ending");
            continue;
        }
        learners.push(name.value.to_owned());
    }
    learners
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::sample;
    use warpup_text::utc;

    fn read(text: &str) -> String {
        match ClassFile::read(text, "class.toml", &sample::course()) {
            Ok(file) => {
                let due = file.due_ms.iter();
                let due = due.map(|(lesson, at_ms)| format!("{lesson} {}", utc::minute(*at_ms)));
                format!("{:?} {:?}", file.learners, due.collect::<Vec<_>>())
            }
            Err(wrong) => {
                let lines = wrong.iter().map(|it| {
                    let hint = it.hint.as_deref().unwrap_or_default();
                    format!("{}\n  {hint}", it.headline(text))
                });
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn a_class_has_learners_and_deadlines_and_may_have_neither() {
        let text = "learners = [\"bob\", \"ada\"]\n[due]\ncopies = 2026-12-01T18:00:00+01:00\nplaces = 2026-12-01 18:00:00Z\n";
        insta::assert_snapshot!(read(text), @r#"Some(["bob", "ada"]) ["copies 2026-12-01 17:00", "places 2026-12-01 18:00"]"#);
        insta::assert_snapshot!(read(""), @"None []");
    }

    #[test]
    fn a_mistake_is_an_error_with_its_place_and_what_to_write() {
        let all = [
            "learner = [\"ada\"]\n[due]\ncopys = 2026-12-01T18:00:00Z\n",
            "[due]\ncopies = 2026-12-01T18:00:00\nplaces = 2026-12-01\n",
            "[due]\ncopies = \"2026-12-01T18:00:00Z\"\nplaces = 18:00:00\n",
            "[due]\ncopies = 1900-01-01T00:00:00Z\n",
            "[due]\ncopies = 2026-02-30T18:00:00Z\n",
            "[due]\ncopies = 2026-12-01T24:00:00Z\n",
            "learners = [\"ada\", \"\", \"ada\", 7]\n",
            "learners = [\n",
        ];
        insta::assert_snapshot!(all.map(read).join("\n---\n"), @r#"
        class.toml:1:1: error[unknown-key]: unknown key `learner` in a class file
          did you mean `learners`?
        class.toml:3:1: error[unknown-key]: the course has no lesson `copys`
          known are places, copies
        ---
        class.toml:2:10: error[wrong-type]: this deadline has no offset from UTC: the same time is another moment elsewhere
          write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00
        class.toml:3:10: error[wrong-type]: this deadline has no time of day and no offset from UTC
          write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00
        ---
        class.toml:2:10: error[wrong-type]: `copies` should be a date and a time, not this string
          write it without quotes, such as `2026-12-01T18:00:00+01:00`
        class.toml:3:10: error[wrong-type]: this deadline has no date
          write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00
        ---
        class.toml:2:10: error[wrong-type]: this deadline is before 1970 or after 9999
          write the date, the time and the offset from UTC, without quotes: 2026-12-01T18:00:00+01:00
        ---
        class.toml:2:10: error[not-toml]: this is not TOML: invalid date, expected day between 01 and 28
          write a day of the calendar and a time before 24:00, such as `copies = 2026-12-01T18:00:00+01:00`
        ---
        class.toml:2:10: error[not-toml]: this is not TOML: invalid time, expected hour between 00 and 23
          write a day of the calendar and a time before 24:00, such as `copies = 2026-12-01T18:00:00+01:00`
        ---
        class.toml:1:20: error[empty-text]: a learner has no name
          name each learner as their file is called without its ending
        class.toml:1:24: error[listed-twice]: the learner `ada` is in the list twice
          name each learner once, as their file is called without its ending
        class.toml:1:31: error[wrong-type]: `learners` should be a text in quotes, not this integer
          put it in quotes: `"7"`
        ---
        class.toml:1:12: error[not-toml]: this is not TOML: unclosed array, expected `]`
          write the `]` that ends the list which begins here
        "#);
    }
}
