//! Values that a run read and that were not computed, in words. Pure.

use super::run::Run;
use std::borrow::Cow;
use warpup_protocol::{MissingValues, NotComputed, Report};

/// Which lines of a run read values that were not computed, from which line on values are missing, and what that means
/// for checks; `None` if all that was read was computed, and for a plan, which is expected to compute few.
pub fn sentence(report: &Report) -> Option<String> {
    let NotComputed { line, why } = report.not_computed?;
    let why = match why {
        MissingValues::Planned => return None,
        MissingValues::TooLarge => "does not fit into the memory that values may take here",
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

/// What a run printed. Where it read values that were not computed, the first line says so.
pub fn output(run: &Run) -> Cow<'_, str> {
    match first_line(run) {
        Some(notice) if !run.output.starts_with(&notice) => {
            Cow::Owned(format!("{notice}\n{}", run.output))
        }
        Some(_) | None => Cow::Borrowed(&run.output),
    }
}

/// The first line of the output of a run that read values which were not computed.
pub fn first_line(run: &Run) -> Option<String> {
    run.report.as_ref()?.not_computed?.notice()
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
    use warpup_protocol::{Outcome, RunId};

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

    #[test]
    fn the_first_line_of_the_output_says_so_once() {
        let printed = |text: &str, why| {
            let mut run = Run::new(RunId(1));
            run.output = text.to_owned();
            run.report = Some(Report {
                not_computed: Some(NotComputed { line: 4, why }),
                ..Report::without_times(Outcome::Done)
            });
            output(&run).into_owned()
        };
        let said = printed("epoch 1\nnan\n", MissingValues::OutOfTime);
        insta::assert_snapshot!(said, @r"
        [warpup] Values are NOT COMPUTED from line 4 on: the time for it is used up; `warpup run FILE.py --limit SECONDS` gives a file more. Time and memory stay modelled; what is read is nan, or 0 and False where there is no nan.
        epoch 1
        nan
        ");
        assert_eq!(printed(&said, MissingValues::OutOfTime), said);
        assert_eq!(printed("nan\n", MissingValues::Planned), "nan\n");
    }
}
