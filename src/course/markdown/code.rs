//! Fenced blocks that are shown, not run: code and drawings.

use super::fence::{Info, LAB_BLOCKS};
use crate::course::diagnostics::Report;
use crate::course::model::{BlockKind, FIGURE_COLUMNS};
use crate::shown::Shown;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// What a fence that is no lab shows.
pub(crate) fn block(
    info: &Info<'_>,
    code: String,
    span: &Range<usize>,
    report: &mut Report,
) -> BlockKind {
    info.check_flags(&["figure"], report);
    info.check_language(report);
    if info.flag("figure").is_some() {
        return figure(info, code, span, report);
    }
    if info.flags.is_empty() {
        // An unknown word has been reported; what follows it may well belong to what was meant.
        info.check_attributes("code block", &LAB_BLOCKS, report);
    }
    BlockKind::Code {
        language: info.language.value.to_owned(),
        code,
    }
}

fn figure(info: &Info<'_>, art: String, span: &Range<usize>, report: &mut Report) -> BlockKind {
    info.check_attributes("figure", &["alt"], report);
    let widest = art
        .lines()
        .map(|line| Shown::one_line(line).as_str().width())
        .max()
        .unwrap_or(0);
    if widest > FIGURE_COLUMNS {
        report.error(
            span.clone(),
            format!("the figure is {widest} columns wide; {FIGURE_COLUMNS} fit everywhere"),
        );
    }
    let alt = info.attribute("alt").map_or("", |it| it.value.trim());
    if !alt.is_empty() {
        return BlockKind::Figure {
            alt: alt.to_owned(),
            art,
        };
    }
    report
        .error(
            info.language.span.clone(),
            "the figure has no words for those who cannot see it",
        )
        .hint("write `text figure alt=\"…\"`");
    BlockKind::Code {
        language: "text".to_owned(),
        code: art,
    }
}
