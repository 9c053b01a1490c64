//! The time of a modelled run with a faster and a slower host, in a sentence: only where a slower host makes it longer.
//!
//! Pure. The caller says that the times are modelled.

use super::units::duration;
use warpup_protocol::{HostEnd, HostRange, Report};

/// A slower host that makes a run this much longer, in percent, is its limit.
const LONGER: u64 = 10;

/// How long a step takes with each of the hosts, or the whole program where it takes no steps.
pub fn sentence(report: &Report) -> Option<String> {
    let HostRange { faster, slower, .. } = report.host_range.as_deref()?;
    let first_use_ns = report.gaps.as_ref()?.first_use?.ns;
    let whole = |it: &HostEnd| it.total_ns.saturating_sub(first_use_ns);
    let (what, less, more) = match (faster.step_ns, slower.step_ns) {
        (Some(less), Some(more)) => ("a step takes", less, more),
        (Some(_) | None, _) => (
            "without the first use of the card, the program takes",
            whole(faster),
            whole(slower),
        ),
    };
    let is_limit = more > less + less / 100 * LONGER;
    is_limit.then(|| {
        format!(
            "{what} {} with the host of these times, {}, and {} with {}",
            duration(less),
            faster.host,
            duration(more),
            slower.host
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{FirstUse, Gaps};

    fn end(host: &str, total_ns: u64, step_ns: Option<u64>) -> HostEnd {
        HostEnd {
            host: host.to_owned(),
            host_ns: total_ns,
            total_ns,
            step_ns,
        }
    }

    fn ran(totals: [u64; 2], steps: [Option<u64>; 2]) -> Report {
        Report {
            host_range: Some(Box::new(HostRange {
                faster: end("a fast desktop", totals[0], steps[0]),
                slower: end("a cloud machine", totals[1], steps[1]),
                steps: 9,
            })),
            gaps: Some(Box::new(Gaps {
                first_use: Some(FirstUse {
                    ns: 250_000_000,
                    ..FirstUse::default()
                }),
                ..Gaps::default()
            })),
            ..Report::broken("")
        }
    }

    #[test]
    fn a_step_that_the_host_limits_has_the_times_of_two_hosts() {
        let said = sentence(&ran([300_000_000; 2], [Some(2_100_000), Some(4_600_000)]));
        insta::assert_snapshot!(said.unwrap(), @"a step takes 2.10 ms with the host of these times, a fast desktop, and 4.60 ms with a cloud machine");
    }

    #[test]
    fn without_steps_it_is_the_program_beyond_the_first_use() {
        let said = sentence(&ran([260_000_000, 273_000_000], [None; 2]));
        insta::assert_snapshot!(said.unwrap(), @"without the first use of the card, the program takes 10.0 ms with the host of these times, a fast desktop, and 23.0 ms with a cloud machine");
    }

    #[test]
    fn a_step_that_the_card_limits_gets_no_sentence() {
        let steps = [Some(100_000_000), Some(109_000_000)];
        assert_eq!(sentence(&ran([1, 2], steps)), None);
        assert_eq!(sentence(&Report::broken("")), None);
    }
}
