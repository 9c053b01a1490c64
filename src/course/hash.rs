//! The hash of a question: it changes when an old answer would no longer answer it.
//!
//! Over the prompt, the choices and the key; not over feedback, hints, explanation or points, so mending
//! those keeps answers. Stored with learners' progress: never change what is fed in for a type that
//! exists, or every answer given so far is asked again.

use super::{Choice, PredictForm, QuestionKind, Text, Tolerance};
use std::fmt::Write as _;

/// Eight hex digits.
pub(super) fn of(prompt: &str, kind: &QuestionKind) -> String {
    let mut fed = Fed(String::new());
    fed.add(&prompt.split_whitespace().collect::<Vec<_>>().join(" "));
    fed.kind(kind);
    format!("{:08x}", crc32c::crc32c(fed.0.as_bytes()))
}

/// What is hashed: fields with a separator that no text of one line contains.
struct Fed(String);

impl Fed {
    fn add(&mut self, field: &str) {
        self.0.push_str(field);
        self.0.push('\n');
    }

    fn number(&mut self, number: f64) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{number}");
    }

    fn text(&mut self, text: &Text) {
        self.add(&text.plain());
    }

    fn choices(&mut self, choices: &[Choice]) {
        for choice in choices {
            self.add(choice.id.as_str());
            self.text(&choice.text);
            self.add(if choice.correct { "+" } else { "-" });
        }
    }

    fn tolerance(&mut self, tolerance: Tolerance) {
        match tolerance {
            Tolerance::Exact => self.add("exact"),
            Tolerance::Abs(off) => {
                self.add("abs");
                self.number(off);
            }
            Tolerance::Rel(off) => {
                self.add("rel");
                self.number(off);
            }
            Tolerance::Range(low, high) => {
                self.add("range");
                self.number(low);
                self.number(high);
            }
        }
    }

    fn kind(&mut self, kind: &QuestionKind) {
        match kind {
            QuestionKind::Single { options, .. } => {
                self.add("single");
                self.choices(options);
            }
            QuestionKind::Multi { options, .. } => {
                self.add("multi");
                self.choices(options);
            }
            QuestionKind::Numeric(numeric) => {
                self.add("numeric");
                self.number(numeric.answer);
                self.tolerance(numeric.tolerance);
                self.add(numeric.unit.as_deref().unwrap_or_default());
            }
            QuestionKind::Text { accept, .. } => {
                self.add("text");
                for text in accept {
                    self.add(text);
                }
            }
            QuestionKind::Order { items, .. } => {
                self.add("order");
                self.choices(items);
            }
            QuestionKind::Match { pairs } => {
                self.add("match");
                for pair in pairs {
                    self.add(pair.id.as_str());
                    self.text(&pair.left);
                    self.text(&pair.right);
                }
            }
            QuestionKind::Predict { lab, metric, form } => {
                self.add("predict");
                self.add(lab.as_str());
                self.add(metric);
                self.form(form);
            }
            QuestionKind::Words { parts } => {
                self.add("words");
                for part in parts {
                    self.text(part);
                }
            }
        }
    }

    fn form(&mut self, form: &PredictForm) {
        match form {
            PredictForm::Number { unit, .. } => self.add(unit.as_deref().unwrap_or_default()),
            PredictForm::Bins(bins) => {
                for bin in bins {
                    self.add(bin.id.as_str());
                    self.text(&bin.text);
                    self.number(bin.from);
                    self.number(bin.to);
                }
            }
        }
    }
}
