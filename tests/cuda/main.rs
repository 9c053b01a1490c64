//! Tests of the worker for real cards, on whatever `libcuda.so.1` there is: a card's, or the stand-in of
//! `tests/stand_in_cuda`, which runs the same kernels on the host.
//!
//! Most tests run in the same way on both. Those of `failures` need the stand-in, which can be told to fail.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are not #[test] functions, and a helper that fails is a test that fails"
)]

mod card_runs;
mod device_times;
mod failures;
mod kernels;
mod least_loaded;
mod modelled_parity;
mod probe;
mod queued_work;
mod random_numbers;
mod training_steps;
mod turns;

#[expect(dead_code, reason = "other test targets use more of it")]
#[path = "../support/mod.rs"]
mod support;
