//! The worker for real cards: the same as `warpup worker`, linked with CUDA.
//!
//! It serves labs over its pipes, with `--cards=UUID,UUID` on these cards only; `probe` tries the card once and prints the result. If the
//! driver's library is missing, the loader ends it before any of this runs, and the loader's message is the evidence.

use std::process::ExitCode;
use warpup_protocol::CARDS;
use warpup_worker::{Confinement, allow_only};

fn main() -> ExitCode {
    let mut is_probe = false;
    for argument in std::env::args().skip(1) {
        if let Some(cards) = argument.strip_prefix(CARDS) {
            allow_only(cards);
        }
        is_probe |= argument == "probe";
    }
    if is_probe {
        return warpup_worker::probe();
    }
    warpup_worker::main(Confinement::Cards)
}
