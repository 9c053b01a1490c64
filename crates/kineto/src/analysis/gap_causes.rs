//! Gaps by their causes: what is known of them, and where each is.

use serde::Serialize;
use std::cmp::Reverse;
use warpup_lab::findings::WaitReason;

/// How many single gaps are listed, the longest.
const LONGEST: usize = 50;

/// Why a device was idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The loop waited for its next batch.
    DataLoading,
    /// The host had waited for the device, and had nothing queued when the device was done.
    Wait(WaitReason),
    /// The host was in a call that copies from or to pageable memory.
    Copy,
    /// The host was in a call that takes or gives back memory.
    Allocation,
    /// The host was busy, and queued the next work late.
    LateLaunch,
    /// Calls that launch, load or make something ran through most of it, as the first launch of a kernel does, which loads it.
    SlowLaunch,
    /// The next work was queued in time, and the gap is so short that it is the device's own pause.
    Pause,
    /// The next work was queued in time, and began later than after a pause: it waited for something that the trace does not show, or
    /// the device did what was not recorded.
    Queued,
    /// The same of work of a CUDA graph, whose launch was in time.
    Graph,
    /// The trace has no launch for the next work, which may have been queued before the recording began.
    Unknown,
}

impl Cause {
    /// The cause in the course's words, after a time.
    pub fn words(self) -> String {
        match self {
            Self::DataLoading => "while the loop waited for a batch".to_owned(),
            Self::Wait(reason) => format!("after the host waited: {}", reason.words()),
            Self::Copy => "while the host copied pageable memory".to_owned(),
            Self::Allocation => "while the host took or gave back memory".to_owned(),
            Self::LateLaunch => "because the host launched late".to_owned(),
            Self::SlowLaunch => "during a long call that launches or loads".to_owned(),
            Self::Pause => "although work was queued".to_owned(),
            Self::Queued => "although work was queued, beyond a pause".to_owned(),
            Self::Graph => "before work of a CUDA graph that was queued".to_owned(),
            Self::Unknown => "before work whose launch is missing".to_owned(),
        }
    }
}

/// Gaps with the same cause, before work of the same line and operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gaps {
    /// The cause.
    pub cause: Cause,
    /// The line that launched the next work, or that waited, where the trace shows it.
    pub line: Option<String>,
    /// Where it does not: the operator.
    pub operator: Option<String>,
    /// How many.
    pub count: u64,
    /// How long all of them are.
    pub ns: i64,
    /// Before late launches: where most of that time went, if a function of it was recorded.
    pub late_function: Option<LateFunction>,
}

/// A function, of the program or of a package, in which the host was while a device waited for a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LateFunction {
    /// With its file and line, if it is one of Python.
    pub name: String,
    /// For how long.
    pub ns: i64,
}

/// A gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// When it begins.
    pub start_ns: i64,
    /// How long it is.
    pub ns: i64,
    /// The cause.
    pub cause: Cause,
    /// Its row in [`AllGaps::by_cause`].
    #[serde(skip)]
    pub row: usize,
}

/// What is known of the gaps in the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AllGaps {
    /// By cause and place, the longest first.
    pub by_cause: Vec<Gaps>,
    /// Each, in the order of time.
    #[serde(skip)]
    pub all: Vec<Gap>,
    /// The longest ones, in the order of time.
    pub longest: Vec<Gap>,
    /// Where most of the time before all late launches went, if a function of it was recorded.
    pub late_function: Option<LateFunction>,
    /// The same for the time in which the loop waited for a batch.
    pub loading_function: Option<LateFunction>,
}

impl AllGaps {
    /// How long the device was idle for causes of a kind, and in how many gaps.
    pub fn sum(&self, is_meant: impl Fn(Cause) -> bool) -> (i64, u64) {
        let meant = self.by_cause.iter().filter(|it| is_meant(it.cause));
        meant.fold((0, 0), |sum, it| (sum.0 + it.ns, sum.1 + it.count))
    }

    /// The gap at a moment.
    pub fn at(&self, at_ns: i64) -> Option<&Gap> {
        let begun = self.all.partition_point(|it| it.start_ns <= at_ns);
        let last = self.all.get(begun.checked_sub(1)?)?;
        (at_ns < last.start_ns + last.ns).then_some(last)
    }

    /// Takes the rows of all gaps, each with the number that these have, orders them by their time, and lists the longest gaps.
    pub(super) fn take_rows(&mut self, rows: impl Iterator<Item = (usize, Gaps)>) {
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|it| Reverse(it.1.ns));
        let mut places = vec![0; rows.len()];
        for (place, (id, row)) in rows.into_iter().enumerate() {
            if let Some(it) = places.get_mut(id) {
                *it = place;
            }
            self.by_cause.push(row);
        }
        for gap in &mut self.all {
            gap.row = places.get(gap.row).copied().unwrap_or(0);
        }
        let mut longest = self.all.clone();
        longest.sort_by_key(|it| Reverse(it.ns));
        longest.truncate(LONGEST);
        longest.shrink_to_fit();
        longest.sort_by_key(|it| it.start_ns);
        self.longest = longest;
    }

    /// The rows of one cause, the longest first.
    pub fn of_cause(&self, cause: Cause) -> impl Iterator<Item = &Gaps> {
        self.by_cause.iter().filter(move |it| it.cause == cause)
    }
}
