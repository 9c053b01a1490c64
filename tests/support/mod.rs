//! Helpers that the integration tests share: `tests/suite`, `tests/cuda` and the benchmarks include this module.
//!
//! Only what starts `warpup`, talks to it or reads the repository is here. What a single test file needs stays in
//! that file.

pub(crate) mod alone;
pub(crate) mod counts;
pub(crate) mod fifo;
pub(crate) mod lab_runner;
pub(crate) mod programs;
pub(crate) mod pty;
pub(crate) mod request;
pub(crate) mod source;
pub(crate) mod stand_in_nvml;
pub(crate) mod temp_home;
pub(crate) mod waits;
pub(crate) mod worker_process;
