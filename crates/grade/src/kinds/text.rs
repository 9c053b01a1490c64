//! Grading a short text, and answering with one.

use super::grade_kind::{Claim, ExpectedVerdict, GradeKind, foreign};
use crate::answer_text::AnswerText;
use crate::input::{AnswerMethod, Input};
use crate::score::{NoVerdict, Verdict};
use warpup_course::Answer;
use warpup_course::kinds::ShortText;

impl GradeKind for ShortText {
    fn input(&self) -> Input<'_> {
        Input::typed(&TypedText, None)
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let Answer::Text(typed) = answer else {
            return Err(foreign("it asks for a text"));
        };
        if typed.trim().is_empty() {
            return Err(NoVerdict::Empty("type an answer"));
        }
        let key = self.key.as_ref().ok_or(NoVerdict::NoKey)?;
        let normal = |text: &str| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if key.case { text } else { text.to_lowercase() }
        };
        let typed = normal(typed);
        let is_right = key.accept.iter().any(|it| normal(it) == typed);
        let mut near = key.near.iter().filter(|_| !is_right);
        let near = near.find(|(it, _)| normal(it) == typed);
        Ok(Verdict::whole(
            is_right,
            max,
            near.map(|(_, it)| it.clone()),
        ))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        let key = self.key.as_ref()?;
        key.accept.first().cloned().map(Answer::Text)
    }

    fn claims(&self) -> Vec<Claim> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        let claim = |what: &str, text: &String, expected| {
            let answer = Answer::Text(text.clone());
            Claim::new(format!("{what}`{text}`"), answer, expected)
        };
        let good = key.accept.iter().chain(&key.samples_ok);
        let good = good.map(|it| claim("", it, ExpectedVerdict::Right));
        let bad = key.samples_bad.iter();
        let bad = bad.map(|it| claim("", it, ExpectedVerdict::Wrong));
        let near = key.near.iter();
        let near =
            near.map(|(text, said)| claim("near miss ", text, ExpectedVerdict::Near(said.clone())));
        good.chain(bad).chain(near).collect()
    }
}

/// A text as typed.
pub(super) struct TypedText;

impl AnswerMethod for TypedText {
    fn empty(&self) -> Answer {
        Answer::Text(String::new())
    }

    fn how(&self) -> &'static str {
        "a short text"
    }

    fn line(&self, _input: &Input<'_>, typed: &str) -> Result<Answer, String> {
        Ok(Answer::Text(typed.to_owned()))
    }

    fn value(&self, mut written: AnswerText<'_, '_>) -> Option<Answer> {
        written.text().map(Answer::Text)
    }

    fn words(&self, _input: &Input<'_>, answer: &Answer) -> Option<String> {
        let Answer::Text(typed) = answer else {
            return None;
        };
        Some(typed.clone())
    }
}
