//! The `pass` key of a course or a quiz.

use super::fields::Fields;
use crate::course::diagnostics::Report;
use crate::course::model::PassRule;

/// `pass = { above_percent = 75 }`, of a course or a quiz.
pub(crate) fn read(fields: &Fields<'_>, report: &mut Report) -> Option<PassRule> {
    let pass = Fields::of("pass", fields.get("pass")?, report)?;
    pass.check_keys(&["above_percent"], report);
    let percent = pass.required::<u32>("above_percent", report)?;
    if percent.value >= 100 {
        report
            .error(percent.span, "nobody can earn more than all points")
            .hint("`above_percent` is at most 99, which asks for all points");
        return None;
    }
    Some(PassRule {
        above_percent: percent.value,
    })
}
