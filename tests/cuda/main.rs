//! The worker for cards, on whatever `libcuda.so.1` there is: a card's, or the stand-in of
//! `tests/stand_in_cuda`, which runs the same kernels on the host.
//!
//! Nothing here knows which of the two it is, but for `trouble`, where the stand-in is asked to fail.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tools of tests stand outside of #[test] functions, and a tool that fails is a test that fails"
)]

#[expect(dead_code, reason = "a tool of both, of which each needs a part")]
#[path = "../suite/labs.rs"]
mod labs;
#[expect(dead_code, reason = "a tool of both, of which each needs a part")]
#[path = "../suite/programs.rs"]
mod programs;
#[expect(dead_code, reason = "a tool of both, of which each needs a part")]
#[path = "../suite/source.rs"]
mod source;

mod card;
mod parity;
mod probe;
mod trouble;
mod values;
mod work;
