//! What a report says that has no finding: that a step is near its limit, and near which, or what costs most although it is no finding.

use crate::analysis::{Analysis, Cause, Copies};
use warpup_lab::findings::{counted, duration};

/// Below this share of the time, in percent, a device that is fed better saves little.
const NEAR_PERCENT: i64 = 10;

/// The sentences.
pub(super) fn sentence(analysis: &Analysis) -> String {
    if let Some(other) = analysis
        .other_devices
        .first()
        .filter(|_| analysis.device.is_none())
    {
        return format!(
            "Nothing can be said of the device: the trace has {} of `{}` ({}), {} in all, which warpup does not read.",
            counted(other.events as f64, "event", "events"),
            other.category,
            other.device().unwrap_or_default(),
            duration(other.ns)
        );
    }
    let step = if analysis.has_steps {
        "a step"
    } else {
        "the trace"
    };
    if analysis.device.is_none() {
        return "Nothing found: without work of a card only data loaders, exchange and memory are looked at.".to_owned();
    }
    let exchange_ns = analysis.exchange.as_ref().map_or(0, |it| it.alone_ns);
    let copies_ns: i64 = analysis.copies.iter().map(|it| it.alone_ns).sum();
    let all_ns = analysis.stepped_ns.max(1);
    let percent = |ns: i64| ns * 100 / all_ns;
    let could_ns = analysis.stepped_idle_ns + exchange_ns + copies_ns;
    if percent(could_ns) < NEAR_PERCENT {
        let saves = match percent(could_ns) {
            0 => "less than 1".to_owned(),
            saves => saves.to_string(),
        };
        return format!(
            "Nothing found that costs {step} much time: kernels compute for {} % of it, so that feeding the device better saves {saves} % at most. Beyond that, only faster or fewer kernels help.",
            100 - percent(could_ns)
        );
    }
    let mut shares = causes(analysis);
    let known_ns: i64 = shares.iter().map(|it| it.0).sum();
    let unknown_ns = analysis.stepped_idle_ns - known_ns;
    let copies = analysis.copies.iter().max_by_key(|it| it.alone_ns);
    let copies = copies.map_or_else(String::new, Copies::title);
    shares.extend([
        (
            exchange_ns,
            "exchange between ranks with no kernel beside it".to_owned(),
        ),
        (
            copies_ns,
            format!("copies with no kernel beside them, most of them {copies}"),
        ),
        (
            unknown_ns,
            "idle time after which nothing was launched".to_owned(),
        ),
    ]);
    let (most_ns, what) = shares.into_iter().max_by_key(|it| it.0).unwrap_or_default();
    format!(
        "Nothing stands out, but kernels compute for only {} % of {step}. The largest part of the rest, {} % of {step}: {what}.",
        100 - percent(could_ns).min(100),
        percent(most_ns).min(100)
    )
}

/// Idle time by kind of cause, each with what it is, in words.
fn causes(analysis: &Analysis) -> Vec<(i64, String)> {
    let mut kinds: Vec<Cause> = analysis.gaps.by_cause.iter().map(|it| it.cause).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let shares = kinds.into_iter().map(|kind| {
        let (ns, count) = analysis.gaps.sum(|it| it == kind);
        let first = analysis.gaps.of_cause(kind).next();
        let place = first.and_then(|it| it.line.clone().or_else(|| it.operator.clone()));
        let place = place.map_or_else(String::new, |it| format!(", most of it at {it}"));
        let function = analysis.gaps.late_function.as_ref();
        let function = function.filter(|it| kind == Cause::LateLaunch && it.ns * 4 >= ns);
        let function = function.map_or_else(String::new, |it| {
            format!("; {} of it in `{}`", duration(it.ns), it.name)
        });
        let gaps = counted(count as f64, "gap", "gaps");
        let words = kind.words();
        (ns, format!("idle in {gaps}, {words}{place}{function}"))
    });
    shares.collect()
}
