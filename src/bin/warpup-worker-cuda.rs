//! The worker for real cards: the same as `warpup worker`, linked with CUDA.
//!
//! Without arguments it serves labs over its pipes; `probe` tries the card once and prints the result. If the
//! driver's library is missing, the loader ends it before any of this runs, and the loader's message is the evidence.

use std::process::ExitCode;
use warpup::worker::{self, Confinement};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("probe") => worker::probe(),
        Some(_) | None => worker::main(Confinement::Cards),
    }
}
