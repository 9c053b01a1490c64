//! The `format` key of every file.

use super::fields::Fields;
use crate::course::diagnostics::Report;

/// The format this version reads.
const FORMAT: u32 = 1;

/// Whether the file is of the format that this version reads; reports it otherwise.
pub(crate) fn check(fields: &Fields<'_>, report: &mut Report) -> bool {
    let Some(format) = fields.required::<u32>("format", report) else {
        return false;
    };
    match format.value.cmp(&FORMAT) {
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => {
            let message = format!(
                "format {} is newer than format {FORMAT}, the newest that this warpup reads",
                format.value
            );
            report
                .error(format.span, message)
                .hint("update warpup, or use an older release of the course");
            false
        }
        std::cmp::Ordering::Less => {
            let message = format!(
                "format {} is older than format {FORMAT}, the oldest that this warpup reads",
                format.value
            );
            report.error(format.span, message).hint("set `format = 1`");
            false
        }
    }
}
