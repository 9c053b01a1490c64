//! What a course asks of the machines that it is taken on, and what holds for it there.

use super::ids::PassRule;
use std::path::PathBuf;

/// The table `[policy]` of a course. It only lowers limits, and names no program: a course may come from anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoursePolicy {
    /// Seconds that a program may compute.
    pub seconds: Option<u32>,
    /// Bytes of host memory that it may use.
    pub memory: Option<u64>,
    /// Threads that it computes with.
    pub threads: Option<u32>,
    /// The folder that learners hand in to.
    pub drop: Option<PathBuf>,
}

/// What holds for all lessons, whatever they say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What passing a quiz takes.
    pub pass: Option<PassRule>,
    /// The most seconds that a lab may compute, and who says so.
    pub seconds: Option<(u64, LimitedBy)>,
}

/// Who says how long a lab may compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitedBy {
    /// The lab, or the usual limit.
    #[default]
    Lab,
    /// The policy of its course.
    Course,
    /// The policy of this machine.
    Machine,
}

impl LimitedBy {
    /// Whose limit it is, as in `the limit of this lab`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Lab => "this lab",
            Self::Course => "this course",
            Self::Machine => "the policy of this machine",
        }
    }
}
