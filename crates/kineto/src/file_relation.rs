//! What several files are to each other: before and after a change, or ranks of one run.

use super::analysis::Analysis;
use super::trace_metadata::TraceMetadata;
use serde::Serialize;
use std::collections::BTreeSet;

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
}

impl Rank {
    /// The ranks in their order.
    pub fn all<'a>(analyses: impl IntoIterator<Item = &'a Analysis>) -> Vec<Self> {
        let mut ranks: Vec<Self> = analyses.into_iter().map(Self::of).collect();
        ranks.sort_by(|a, b| (a.rank, &a.file).cmp(&(b.rank, &b.file)));
        ranks
    }

    /// What the reader of a table of ranks must know.
    pub fn remarks(ranks: &[Self]) -> Vec<&'static str> {
        let mut said = Vec::new();
        if ranks.iter().all(|it| it.rank.is_none()) {
            said.push("No trace says which rank it is (`distributedInfo`): are they of one run?");
        }
        said.push("Each figure is of one step. `alone` is exchange with no other kernel beside it: there a rank waits for others, or for the link.");
        said
    }

    fn of(analysis: &Analysis) -> Self {
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
}
