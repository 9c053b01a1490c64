//! Values that a run read and that were not computed, in words. Pure.

use warpup_protocol::{MissingValues, NotComputed, Report};

/// Which lines of a run read values that were not computed, from which line on values are missing, and what that means
/// for checks; `None` if all that was read was computed, and for a plan, which is expected to compute few.
pub fn sentence(report: &Report) -> Option<String> {
    let NotComputed { line, why } = report.not_computed?;
    let why = match why {
        MissingValues::Planned => return None,
        MissingValues::TooLarge => "is too large to compute it here",
        MissingValues::OutOfTime => "came after the time limit for computing values",
    };
    let since = match line {
        0 => "A result".to_owned(),
        line => format!("The result of line {line}"),
    };
    Some(format!(
        "Values NOT COMPUTED: {}, and got nan, or 0 and False where there is no nan. {since} {why}; what follows from it has no values. Times and memory hold. Checks and metrics do not count.",
        readers(&report.unknown_read)
    ))
}

/// `line 4 read such values`, with all lines.
fn readers(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match numbers.as_slice() {
        [line] => format!("line {line} read some"),
        lines => format!("lines {} read some", lines.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::Outcome;

    fn told(why: MissingValues) -> Option<String> {
        sentence(&Report {
            unknown_read: vec![7, 9],
            not_computed: Some(NotComputed { line: 4, why }),
            ..Report::without_times(Outcome::Done)
        })
    }

    #[test]
    fn the_reader_learns_who_read_what_was_not_computed_and_since_when() {
        insta::assert_snapshot!(told(MissingValues::OutOfTime).unwrap(), @"Values NOT COMPUTED: lines 7, 9 read some, and got nan, or 0 and False where there is no nan. The result of line 4 came after the time limit for computing values; what follows from it has no values. Times and memory hold. Checks and metrics do not count.");
        assert_eq!(told(MissingValues::Planned), None);
        assert_eq!(sentence(&Report::without_times(Outcome::Done)), None);
    }
}
