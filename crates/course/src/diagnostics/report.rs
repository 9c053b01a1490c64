//! Gathers what is wrong with one file while it is read.

use super::diagnostic::{Diagnostic, Fix, Severity};
use super::rule::Rule;
use std::ops::Range;

/// More than this from one file is noise; the rest is counted.
const MAX_DIAGNOSTICS: usize = 100;

/// So many names are given where none is near.
const FEW: usize = 10;

/// Words longer than this are not compared: nobody mistypes them, and comparing costs their product.
const MAX_WORD: usize = 64;

/// The diagnostics of one file so far.
#[derive(Debug)]
pub struct Report {
    file: String,
    /// Added to every span: where the part that is read starts in the file.
    shift: usize,
    errors: usize,
    dropped: usize,
    /// From this byte on, what the file says is not known.
    lost: Option<usize>,
    /// Whether nothing more is taken.
    closed: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Nothing wrong with this file yet.
    pub fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            shift: 0,
            errors: 0,
            dropped: 0,
            lost: None,
            closed: false,
            diagnostics: Vec::new(),
        }
    }

    /// From now on spans count from this byte of the file.
    pub(crate) fn shift_to(&mut self, start: usize) {
        self.shift = start;
    }

    /// The byte that spans count from.
    pub(crate) fn shift(&self) -> usize {
        self.shift
    }

    /// Adds an error.
    pub fn error(
        &mut self,
        rule: Rule,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Hint<'_> {
        self.errors += 1;
        self.push(Severity::Error, rule, span, message.into())
    }

    /// Adds a warning.
    pub(crate) fn warning(
        &mut self,
        rule: Rule,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Hint<'_> {
        self.push(Severity::Warning, rule, span, message.into())
    }

    /// What was just reported makes the rest of the file mean something else: what is reported behind this byte follows
    /// from it and is left out.
    pub(crate) fn lose_track(&mut self, from: usize) {
        let from = from + self.shift;
        self.lost = Some(self.lost.map_or(from, |it| it.min(from)));
    }

    /// What was just reported leaves open what the file says at all: nothing more is taken, as it would follow from it.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Whether the rest of the file means something else than its author thinks.
    pub(crate) fn has_lost_track(&self) -> bool {
        self.lost.is_some()
    }

    /// How many errors there are, so that a reader can tell whether a part had one.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The file this is about.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// All of it, in the order of the file.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|it| (it.span.start, it.span.end));
        if let Some(lost) = self.lost {
            self.diagnostics.retain(|it| it.span.start <= lost);
            self.dropped = 0;
        }
        if self.dropped > 0 {
            let last = self.diagnostics.last().map_or(0, |it| it.span.start);
            let message = format!("{} more like these are not shown", self.dropped);
            self.shift = 0;
            self.diagnostics.push(Diagnostic {
                severity: Severity::Error,
                rule: Rule::MoreLikeThese,
                file: self.file,
                span: last..last,
                message,
                hint: Some("correct those above, and check again".to_owned()),
                fix: None,
            });
        }
        self.diagnostics
    }

    fn push(
        &mut self,
        severity: Severity,
        rule: Rule,
        span: Range<usize>,
        message: String,
    ) -> Hint<'_> {
        let span = span.start + self.shift..span.end + self.shift;
        // Two readers may come across the same mistake.
        let is_known =
            |it: &Diagnostic| it.rule == rule && it.span == span && it.message == message;
        if self.closed || self.diagnostics.iter().any(is_known) {
            return Hint(None);
        }
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            self.dropped += 1;
            return Hint(None);
        }
        self.diagnostics.push(Diagnostic {
            severity,
            rule,
            file: self.file.clone(),
            span,
            message,
            hint: None,
            fix: None,
        });
        Hint(self.diagnostics.last_mut())
    }
}

/// The place for a hint to what was just reported.
pub struct Hint<'a>(Option<&'a mut Diagnostic>);

impl Hint<'_> {
    /// Gives the edit that corrects it: another text for one that is in the marked bytes, once.
    pub(crate) fn fixed_by(self, old: &str, new: impl Into<String>) -> Self {
        let span = self.0.as_ref().map(|it| it.span.clone());
        self.fixed(span, Some(old), new)
    }

    /// The same for a text that is elsewhere in the file.
    pub(crate) fn fixed_at(self, span: Range<usize>, old: &str, new: impl Into<String>) -> Self {
        self.fixed(Some(span), Some(old), new)
    }

    /// Gives the edit that corrects it: another text for all of the marked bytes.
    pub(crate) fn replaced_by(self, new: impl Into<String>) -> Self {
        let span = self.0.as_ref().map(|it| it.span.clone());
        self.fixed(span, None, new)
    }

    fn fixed(self, span: Option<Range<usize>>, old: Option<&str>, new: impl Into<String>) -> Self {
        let Self(Some(diagnostic)) = self else {
            return self;
        };
        diagnostic.fix = span.map(|span| Fix {
            span,
            old: old.map(str::to_owned),
            new: new.into(),
        });
        Self(Some(diagnostic))
    }

    /// Says what to try, and what comes in place of the marked bytes, if there is exactly one thing.
    pub(crate) fn advise(self, (hint, new): (String, Option<String>)) {
        match new {
            Some(new) => self.replaced_by(new).hint(hint),
            None => self.hint(hint),
        }
    }

    /// Says what to try.
    pub fn hint(self, hint: impl Into<String>) {
        if let Some(diagnostic) = self.0 {
            diagnostic.hint = Some(hint.into());
        }
    }

    /// Names the known word that is nearest to the one written, if one is near.
    pub fn did_you_mean<'k>(self, written: &str, known: impl IntoIterator<Item = &'k str>) {
        self.meant(written, known, None);
    }

    /// Names the nearest word, and the edit if no other one is as near; otherwise says something else.
    fn meant<'k>(
        self,
        written: &str,
        known: impl IntoIterator<Item = &'k str>,
        otherwise: Option<String>,
    ) {
        // A diagnostic that is only counted needs no hint, and looking for one is not free.
        if self.0.is_none() {
            return;
        }
        let near = near(written, known);
        match (near.as_slice(), otherwise) {
            ([(far, nearest), others @ ..], _) => {
                let hint = format!("did you mean `{nearest}`?");
                if others.first().is_some_and(|it| it.0 == *far) {
                    self.hint(hint);
                } else {
                    self.fixed_by(written, *nearest).hint(hint);
                }
            }
            ([], Some(otherwise)) => self.hint(otherwise),
            ([], None) => {}
        }
    }

    /// As [`Hint::did_you_mean_or`] for files of a folder: a name may have another ending or none, or a folder in front.
    pub(crate) fn file_or<'k>(
        self,
        written: &str,
        known: impl Iterator<Item = &'k str>,
        otherwise: impl Into<String>,
    ) {
        let known: Vec<&str> = known.collect();
        let last = written.rsplit(['/', '\\']).next().unwrap_or(written);
        let same = |it: &&&str| stem(it) == last || stem(it) == stem(last);
        match known.iter().find(same) {
            Some(meant) => self
                .fixed_by(written, *meant)
                .hint(format!("write `{meant}`")),
            None => self.meant(written, known, Some(otherwise.into())),
        }
    }

    /// As [`Hint::did_you_mean`], or names them all.
    pub fn known(self, written: &str, known: &[&str]) {
        let all = format!("known are {}", known.join(", "));
        self.did_you_mean_or(written, known.iter().copied(), all);
    }

    /// The same of names that may be many, such as those of learners: it names the first of them.
    pub fn one_of(self, written: &str, names: &[&str]) {
        let first = format!("known are {}", few(names.iter().copied()));
        self.did_you_mean_or(written, names.iter().copied(), first);
    }

    /// As [`Hint::did_you_mean`], with another hint when nothing is near.
    pub(crate) fn did_you_mean_or<'k>(
        self,
        written: &str,
        known: impl IntoIterator<Item = &'k str>,
        otherwise: impl Into<String>,
    ) {
        self.meant(written, known, Some(otherwise.into()));
    }
}

/// The name of a file without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |it| it.0)
}

/// Names in a row, of which the first ten are enough.
pub(crate) fn few<'k>(names: impl IntoIterator<Item = &'k str>) -> String {
    let mut names = names.into_iter();
    let mut first: Vec<&str> = names.by_ref().take(FEW).collect();
    first.extend(names.next().map(|_| "…"));
    first.join(", ")
}

/// The known word that is nearest to the one written, if a third of it or less differs.
pub fn nearest<'k>(written: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    near(written, known).first().map(|it| it.1)
}

/// The known words that are near to the one written, with what differs, the nearest first.
fn near<'k>(written: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<(usize, &'k str)> {
    let written = written.to_lowercase();
    let letters = written.chars().count();
    if letters > MAX_WORD {
        return Vec::new();
    }
    let allowed = (letters / 3).max(1);
    let known = known.into_iter().filter(|it| it.len() <= MAX_WORD);
    let mut near: Vec<_> = known
        .map(|it| (strsim::osa_distance(&written, it), it))
        .filter(|(far, _)| *far <= allowed)
        .collect();
    near.sort_unstable();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_are_found_and_other_words_are_not() {
        let known = ["title", "summary", "minutes", "id"];
        assert_eq!(nearest("titel", known), Some("title"));
        assert_eq!(nearest("sumary", known), Some("summary"));
        assert_eq!(nearest("Minute", known), Some("minutes"));
        assert_eq!(nearest("difficulty", known), None);
        assert_eq!(nearest("di", known), Some("id"));
        assert_eq!(nearest("", known), None);
    }
}
