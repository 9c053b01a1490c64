//! Edits that correct a file.

use super::diagnostic::{Diagnostic, Fix};
use std::ops::Range;

/// Bytes of a file, and the text that comes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes.
    pub span: Range<usize>,
    /// The text.
    pub text: String,
}

impl Diagnostic {
    /// The edit that corrects it; nothing where it has none, or where `text`, the text of its file, leaves open which it is.
    pub fn edit(&self, text: &str) -> Option<Edit> {
        let Fix { span, old, new } = self.fix.as_ref()?;
        let within = text.get(span.clone())?;
        let old = old.as_deref().unwrap_or(within);
        let mut places = within.match_indices(old).map(|it| it.0);
        let at = if old.is_empty() { 0 } else { places.next()? };
        if !old.is_empty() && places.next().is_some() {
            return None;
        }
        let start = span.start + at;
        Some(Edit {
            span: start..start + old.len(),
            text: new.clone(),
        })
    }
}

/// The text after as many of these edits as do not touch each other, and these edits, in the order of the text.
pub fn corrected(text: &str, mut edits: Vec<Edit>) -> (String, Vec<Edit>) {
    edits.sort_by_key(|it| (it.span.start, it.span.end));
    let mut out = String::with_capacity(text.len());
    let mut done: Vec<Edit> = Vec::new();
    let mut at = 0;
    for edit in edits {
        let touches = done.last().is_some_and(|it| edit.span.start <= it.span.end);
        let Some(before) = text.get(at..edit.span.start).filter(|_| !touches) else {
            continue;
        };
        out.push_str(before);
        out.push_str(&edit.text);
        at = edit.span.end;
        done.push(edit);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(span: Range<usize>, text: &str) -> Edit {
        Edit {
            span,
            text: text.to_owned(),
        }
    }

    #[test]
    fn edits_that_touch_each_other_are_not_both_done() {
        let edits = vec![
            edit(6..7, "C"),
            edit(0..1, "A"),
            edit(0..2, "x"),
            edit(3..3, "-"),
        ];
        let (text, done) = corrected("abcdefghi", edits);
        assert_eq!(text, "Abc-defChi");
        assert_eq!(done.len(), 3);
    }
}
