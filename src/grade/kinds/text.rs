//! Grading a short text.

use super::graded::{Claim, Graded, Judged, foreign};
use crate::course::kinds::ShortText;
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::Input;

impl Graded for ShortText {
    fn input(&self) -> Input<'_> {
        Input::Text
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let Answer::Text(typed) = answer else {
            return Err(foreign("it asks for a text"));
        };
        let normal = |text: &str| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if self.case { text } else { text.to_lowercase() }
        };
        let typed = normal(typed);
        if typed.is_empty() {
            return Err(Unreadable::Empty);
        }
        if self.accept.iter().any(|it| normal(it) == typed) {
            return Ok(Judged::whole(true, max, Vec::new()));
        }
        let near = self.near.iter().find(|(it, _)| normal(it) == typed);
        let feedback = near.map(|(_, it)| it.clone()).into_iter().collect();
        Ok(Judged::whole(false, max, feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        self.accept.first().cloned().map(Answer::Text)
    }

    fn claims(&self) -> Vec<Claim> {
        let answer = |text: &String| Answer::Text(text.clone());
        let good = self.accept.iter().chain(&self.samples_ok);
        let good = good.map(|it| Claim::right(format!("`{it}`"), answer(it)));
        let bad = self.samples_bad.iter();
        let bad = bad.map(|it| Claim::wrong(format!("`{it}`"), answer(it)));
        let near = self
            .near
            .iter()
            .map(|(text, said)| Claim::near(format!("near miss `{text}`"), answer(text), said));
        good.chain(bad).chain(near).collect()
    }
}
