//! How much of what a run said is laid out. Pure.
//!
//! A pane is laid out again with every key, and a program may print a mebibyte on one line. What is beyond the budget is
//! in `warpup run --json`, and a line says so.

/// Lines of printed text, the last ones.
const LINES: usize = 2_000;

/// Bytes of printed text, the last ones: about 1,200 lines of 80 characters.
const BYTES: usize = 96 << 10;

/// Bytes of one printed line, the first ones.
const LINE: usize = 8 << 10;

/// A text within the budget, and what was left out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextInBudget {
    /// Lines above the text.
    pub(super) lines_above: usize,
    /// The text, whose long lines end early.
    pub(super) text: String,
}

/// The end of a printed text.
pub(super) fn end_of(printed: &str) -> TextInBudget {
    let printed = printed.strip_suffix('\n').unwrap_or(printed);
    let mut lines = Vec::new();
    let mut bytes = 0;
    for line in printed.rsplit('\n').take(LINES) {
        let line = cut(line);
        bytes += line.len();
        if bytes > BYTES && !lines.is_empty() {
            break;
        }
        lines.push(line);
    }
    let all = printed.bytes().filter(|it| *it == b'\n').count() + 1;
    let lines_above = all.saturating_sub(lines.len());
    lines.reverse();
    TextInBudget {
        lines_above,
        text: lines.join("\n"),
    }
}

/// The beginning of a text such as a traceback or a list, whose end is said to be missing.
pub(super) fn beginning_of(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    for line in lines.by_ref() {
        let line = cut(line);
        if kept.len() + line.len() > BYTES {
            kept.push_str("… the rest is not shown");
            return kept;
        }
        kept.push_str(&line);
        kept.push('\n');
    }
    kept
}

/// How many of these texts fit the budget.
pub(super) fn fitting<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    let mut bytes = 0;
    let fits = |it: &&str| {
        // A short line costs something, too.
        bytes += it.len() + 80;
        bytes <= BYTES
    };
    texts.take_while(fits).count()
}

fn cut(line: &str) -> String {
    let Some((end, _)) = line.char_indices().find(|(at, _)| *at >= LINE) else {
        return line.to_owned();
    };
    let (kept, left_out) = line.split_at_checked(end).unwrap_or((line, ""));
    format!("{kept}… {} more bytes on this line", left_out.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(printed: &str) -> (usize, String) {
        let within = end_of(printed);
        (within.lines_above, within.text)
    }

    #[test]
    fn a_short_text_is_whole() {
        assert_eq!(shown("a\n\nb\n"), (0, "a\n\nb".to_owned()));
        assert_eq!(shown(""), (0, String::new()));
        assert_eq!(beginning_of("a\nb"), "a\nb\n");
    }

    #[test]
    fn a_long_text_shows_its_last_lines() {
        let printed: Vec<String> = (0..2_005).map(|it| it.to_string()).collect();
        let (above, text) = shown(&printed.join("\n"));
        assert_eq!(above, 5);
        assert!(text.starts_with("5\n6\n") && text.ends_with("\n2004"));
        let wide = format!("{}\n", "x".repeat(100)).repeat(2_000);
        let (above, text) = shown(&wide);
        assert!(text.len() <= BYTES + LINES);
        assert_eq!(above + text.lines().count(), 2_000);
    }

    #[test]
    fn a_long_line_ends_early_between_letters() {
        let (above, text) = shown(&"漢".repeat(300_000));
        assert_eq!(above, 0);
        assert!(
            text.ends_with("漢… 891807 more bytes on this line"),
            "{}",
            text.len()
        );
        assert!(text.len() < LINE + 100);
    }

    #[test]
    fn lists_and_tracebacks_end_early_too() {
        let long = format!("{}\n", "x".repeat(1_000)).repeat(1_000);
        let kept = beginning_of(&long);
        assert!(kept.ends_with("\n… the rest is not shown"));
        assert!(kept.len() < BYTES + 100);
        let lines = vec!["y"; 10_000];
        assert_eq!(fitting(lines.into_iter()), BYTES / 81);
    }
}
