//! The keys that several files have: `format` of all, `pass` of a course or a quiz.

use super::fields::Fields;
use crate::diagnostics::{Report, Rule};
use crate::model::PassRule;
use std::cmp::Ordering;

/// The format this version reads.
const FORMAT: u32 = 1;

/// Whether the file is of the format that this version reads; reports it otherwise.
pub(crate) fn is_format_known(fields: &Fields<'_>, report: &mut Report) -> bool {
    let Some(format) = fields.required::<u32>("format", report) else {
        return false;
    };
    let (order, hint) = match format.value.cmp(&FORMAT) {
        Ordering::Equal => return true,
        Ordering::Greater => (
            format!("newer than format {FORMAT}, the newest"),
            "update warpup, or use an older release of the course",
        ),
        Ordering::Less => (
            format!("older than format {FORMAT}, the oldest"),
            "set `format = 1`",
        ),
    };
    let message = format!("format {} is {order} that this warpup reads", format.value);
    report
        .error(Rule::UnknownFormat, format.span, message)
        .hint(hint);
    false
}

/// `pass = { above_percent = 75 }`, of a course or a quiz.
pub(crate) fn pass(fields: &Fields<'_>, report: &mut Report) -> Option<PassRule> {
    let pass = Fields::of("pass", fields.get("pass")?, report)?;
    pass.check_keys(&["above_percent"], report);
    let percent = pass.required::<u32>("above_percent", report)?;
    if percent.value >= 100 {
        report
            .error(
                Rule::PassPercent,
                percent.span,
                "nobody can earn more than all points",
            )
            .hint("`above_percent` is at most 99, which asks for all points");
        return None;
    }
    Some(PassRule {
        above_percent: percent.value,
    })
}
