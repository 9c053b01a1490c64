//! What several files are to each other: before and after a change, or ranks of one run.

use super::analysis::Analysis;
use super::trace_metadata::TraceMetadata;
use serde::Serialize;
use std::collections::BTreeSet;
use warpup_lab::findings::duration;

/// What files are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRelation {
    /// Before a change, and after it.
    BeforeAndAfter,
    /// Ranks of one run.
    Ranks,
}

impl FileRelation {
    /// What these are: two files are before and after, unless they are two ranks of one run; more are ranks.
    pub fn of(files: &[&TraceMetadata]) -> Self {
        match files {
            [first, second] if !are_ranks(first, second) => Self::BeforeAndAfter,
            _ => Self::Ranks,
        }
    }
}

/// Whether two traces say that they are different ranks of a world of the same size.
fn are_ranks(first: &TraceMetadata, second: &TraceMetadata) -> bool {
    let is_world = first.world_size.is_some_and(|it| it > 1);
    let differ = first.rank.is_some() && second.rank.is_some() && first.rank != second.rank;
    is_world && first.world_size == second.world_size && differ
}

/// What files are called that are shown together: the ends of their paths, as long as it takes to tell them apart.
pub fn names(paths: &[String]) -> Vec<String> {
    let parts = |path: &str| path.split('/').count();
    let most = paths.iter().map(|it| parts(it)).max().unwrap_or(1);
    let ends = |count: usize| -> Vec<String> {
        let end = |path: &String| {
            let skipped = parts(path).saturating_sub(count);
            let parts: Vec<&str> = path.split('/').skip(skipped).collect();
            parts.join("/")
        };
        paths.iter().map(end).collect()
    };
    let are_distinct =
        |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let mut all = (1..=most).map(ends);
    // The same file twice stays the same.
    all.find(are_distinct).unwrap_or_else(|| ends(1))
}

/// A rank of a run, per step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// Its number, if its trace says it.
    pub rank: Option<u64>,
    /// The file's name.
    pub file: String,
    /// Time of a step.
    pub step_ns: i64,
    /// For how long its device works in a step.
    pub device_busy_ns: i64,
    /// For how long it does not.
    pub device_idle_ns: i64,
    /// How long it exchanges data with other ranks in a step.
    pub communication_ns: i64,
    /// How much of that is not beside computing.
    pub communication_alone_ns: i64,
    /// How long it waits in a step for ranks that come later to an exchange; none where that cannot be known.
    pub waits_for_others_ns: Option<i64>,
    /// In how many exchanges of all steps it comes last.
    pub last_in: Option<u64>,
}

/// From this share of a step on, in percent, waiting for a rank that comes late is worth a word.
const LATE_PERCENT: i64 = 2;

/// How a rank comes to the exchanges of all steps.
#[derive(Clone, Copy, Debug, Default)]
struct Lateness {
    waits_ns: i64,
    last_in: u64,
}

/// How each rank comes to the exchanges, if all have the same number of them. All ranks leave an exchange together, so that the one in
/// which it is shortest came last, and the others waited for it as much longer as theirs took. Clocks of machines need not agree for that.
fn lateness(analyses: &[&Analysis]) -> Vec<Lateness> {
    let calls: Vec<&[i64]> = analyses
        .iter()
        .map(|it| it.exchange.as_ref().map_or(&[] as &[i64], |it| &it.calls))
        .collect();
    let count = calls.first().map_or(0, |it| it.len());
    let mut late = vec![Lateness::default(); calls.len()];
    if count == 0 || calls.len() < 2 || calls.iter().any(|it| it.len() != count) {
        return Vec::new();
    }
    for number in 0..count {
        let times = calls.iter().filter_map(|it| it.get(number).copied());
        let Some(shortest) = times.clone().min() else {
            continue;
        };
        for (it, ns) in late.iter_mut().zip(times.clone()) {
            it.waits_ns += ns - shortest;
        }
        let last = times.enumerate().min_by_key(|it| it.1);
        if let Some(it) = last.and_then(|(at, _)| late.get_mut(at)) {
            it.last_in += 1;
        }
    }
    late
}

impl Rank {
    /// The ranks in their order.
    pub fn all<'a>(analyses: impl IntoIterator<Item = &'a Analysis>) -> Vec<Self> {
        let analyses: Vec<&Analysis> = analyses.into_iter().collect();
        let late = lateness(&analyses);
        let ranks = analyses.iter().enumerate();
        let ranks = ranks.map(|(at, it)| Self::of(it, late.get(at).copied()));
        let mut ranks: Vec<Self> = ranks.collect();
        ranks.sort_by(|a, b| (a.rank, &a.file).cmp(&(b.rank, &b.file)));
        ranks
    }

    /// What the reader of a table of ranks must know.
    pub fn remarks(ranks: &[Self]) -> Vec<String> {
        let mut said = Vec::new();
        if ranks.iter().all(|it| it.rank.is_none()) {
            said.push("No trace says which rank it is (`distributedInfo`): are they of one run?");
        }
        said.push("Each figure is of one step. `alone` is exchange with no other kernel beside it: there a rank waits for others, or for the link.");
        let mut said: Vec<String> = said.into_iter().map(str::to_owned).collect();
        said.extend(Self::who_comes_late(ranks));
        said
    }

    /// The rank for which the others wait most, if ranks wait for each other.
    fn who_comes_late(ranks: &[Self]) -> Option<String> {
        let waits = ranks.iter().filter_map(|it| it.waits_for_others_ns);
        let most_ns = waits.max()?;
        let latest = ranks.iter().max_by_key(|it| it.last_in)?;
        let exchanges: u64 = ranks.iter().filter_map(|it| it.last_in).sum();
        let step_ns = ranks.iter().map(|it| it.step_ns).max().unwrap_or(0);
        if most_ns * 100 < step_ns * LATE_PERCENT {
            return Some(format!(
                "No rank comes late: none waits for another for {LATE_PERCENT} % of a step."
            ));
        }
        let name = latest
            .rank
            .map_or_else(|| latest.file.clone(), |it| format!("Rank {it}"));
        Some(format!(
            "{name} comes last to {} of {exchanges} exchanges: another rank waits up to {} of a step for those that come later. Look at what the host of that rank does before them.",
            latest.last_in.unwrap_or(0),
            duration(most_ns)
        ))
    }

    fn of(analysis: &Analysis, late: Option<Lateness>) -> Self {
        let steps = analysis.step_count();
        let device = analysis.device.unwrap_or_default();
        let alone = device.communication_ns - device.communication_beside_compute_ns;
        Self {
            rank: analysis.about.rank,
            file: analysis.file.clone(),
            step_ns: analysis.stepped_ns / steps,
            device_busy_ns: analysis.stepped_device_ns / steps,
            device_idle_ns: analysis.stepped_idle_ns / steps,
            communication_ns: device.communication_ns / steps,
            communication_alone_ns: alone / steps,
            waits_for_others_ns: late.map(|it| it.waits_ns / steps),
            last_in: late.map(|it| it.last_in),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(rank: Option<u64>, world_size: Option<u64>) -> TraceMetadata {
        TraceMetadata {
            rank,
            world_size,
            ..TraceMetadata::default()
        }
    }

    #[test]
    fn files_have_as_much_of_their_paths_as_tells_them_apart() {
        let of = |all: &[&str]| {
            let all: Vec<String> = all.iter().map(|it| (*it).to_owned()).collect();
            names(&all)
        };
        assert_eq!(of(&["a/b.json", "a/c.json"]), ["b.json", "c.json"]);
        assert_eq!(of(&["/x/a/t.json", "b/t.json"]), ["a/t.json", "b/t.json"]);
        assert_eq!(of(&["t.json", "t.json"]), ["t.json", "t.json"]);
    }

    #[test]
    fn two_files_are_before_and_after_unless_they_are_ranks() {
        let of = |all: &[TraceMetadata]| FileRelation::of(&all.iter().collect::<Vec<_>>());
        let none = about(None, None);
        let [first, second] = [0, 1].map(|it| about(Some(it), Some(2)));
        assert_eq!(
            of(&[none.clone(), none.clone()]),
            FileRelation::BeforeAndAfter
        );
        assert_eq!(
            of(&[first.clone(), first.clone()]),
            FileRelation::BeforeAndAfter
        );
        assert_eq!(of(&[first.clone(), second.clone()]), FileRelation::Ranks);
        assert_eq!(
            of(&[first.clone(), about(Some(1), Some(4))]),
            FileRelation::BeforeAndAfter
        );
        assert_eq!(of(&[none.clone(), none.clone(), none]), FileRelation::Ranks);
    }

    /// The analysis of a rank that launches so many microseconds after the others in each of three exchanges, which end together.
    fn ranked(rank: u32, late: u32) -> Analysis {
        let mut events = Vec::new();
        for number in 1..=3u32 {
            let (start, end) = (number * 1000 + late, number * 1000 + 500);
            let length = end - start;
            events.push(format!(
                r#"{{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":7,"ts":{start},"dur":{length},"args":{{"device":0,"stream":7}}}}"#
            ));
        }
        let text = format!(
            r#"{{"distributedInfo":{{"rank":{rank},"world_size":2}},"traceEvents":[{}]}}"#,
            events.join(",")
        );
        Analysis::of(&crate::load::text("t", text.as_bytes()).unwrap())
    }

    #[test]
    fn the_rank_whose_exchanges_are_shortest_comes_late() {
        let ranks = Rank::all(&[ranked(0, 0), ranked(1, 300)]);
        let late: Vec<_> = ranks
            .iter()
            .map(|it| (it.waits_for_others_ns, it.last_in))
            .collect();
        assert_eq!(late, [(Some(900_000), Some(0)), (Some(0), Some(3))]);
        insta::assert_snapshot!(Rank::remarks(&ranks)[1], @"Rank 1 comes last to 3 of 3 exchanges: another rank waits up to 900 µs of a step for those that come later. Look at what the host of that rank does before them.");
        let ranks = Rank::all(&[ranked(0, 0), ranked(1, 1)]);
        insta::assert_snapshot!(Rank::remarks(&ranks)[1], @"No rank comes late: none waits for another for 2 % of a step.");
    }
}
