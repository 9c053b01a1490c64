//! What is true of every operation of the table, tried on random inputs.
//!
//! PyTorch's words for what is refused are not held here but by the snippets in `tests/fixtures`, which
//! PyTorch itself has answered.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::needless_pass_by_value,
    reason = "a new operation has to be named in `cases::kind`, which leads here"
)]

mod backward;
pub(super) mod cases;
mod forward;
mod inputs;
mod placed;
