//! What Git leaves in a file where it could not merge two editions of it.

use super::diagnostics::{Report, Rule};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The beginnings of the lines around and between the two editions, in order.
const MARKS: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];

/// Reports such marks: all else that could be said about the file follows from them.
pub(super) fn check(text: &str, report: &mut Report) {
    let Some(found) = first(text) else {
        return;
    };
    let start = found.start;
    report
        .error(
            Rule::MergeMarks,
            found,
            "this is a mark of Git: two editions of the file are in it",
        )
        .hint("keep one of the two parts, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`");
    report.lose_track(start);
    report.close();
}

/// Reports those in programs that are in files of their own.
pub(super) fn in_programs(files: &BTreeMap<String, Cow<'static, str>>) -> Vec<Report> {
    let programs = files.iter().filter(|it| it.0.starts_with("labs/"));
    let reports = programs.map(|(file, text)| {
        let mut report = Report::new(file);
        check(text, &mut report);
        report
    });
    reports.collect()
}

/// The first line of them, where all are there.
fn first(text: &str) -> Option<Range<usize>> {
    let mut wanted = MARKS.iter();
    let mut mark = wanted.next()?;
    let mut found = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let behind = line.strip_prefix(mark);
        if behind.is_some_and(|it| it.trim().is_empty() || it.starts_with(' ')) {
            found = found.or(Some(at..at + line.trim_end().len()));
            match wanted.next() {
                Some(next) => mark = next,
                None => return found,
            }
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_three_lines_is_found() {
        let merged =
            "a\r\n<<<<<<< HEAD\r\nb\r\n||||||| 1234567\r\n=======\r\nc\r\n>>>>>>> other\r\n";
        assert_eq!(first(merged), Some(3..15));
        for text in [
            "a\n=======\n",
            "<<<<<<< a\n=======\n",
            " <<<<<<< a\n =======\n >>>>>>> b\n",
            "<<<<<<<<\n========\n>>>>>>>>\n",
        ] {
            assert_eq!(first(text), None, "{text}");
        }
    }
}
