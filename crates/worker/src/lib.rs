//! The child process that runs labs; the only module that knows candle and Python.
//!
//! [`main`] is what `warpup worker` does: move the protocol off standard output, confine the process,
//! then answer requests until standard input ends. [`serve()`] is the loop itself, over any reader and
//! writer.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "sizes and times stay far below 2^53, and candle runs on 64-bit machines only"
)]

mod autograd;
mod card_run;
pub mod device;
mod dtype;
mod engine;
mod error;
mod kernels;
mod meta;
mod ops;
mod python;
mod reporter;
mod serve;
mod shape;
mod tensor;
mod trace;
mod truncate;
pub mod turns;

pub use serve::serve;

use std::io::{self, BufReader};
use std::process::ExitCode;
use warpup_confine::inherited::Inherited;
use warpup_confine::{self as confine, Confinement};

/// Which worker this process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerKind {
    /// For the CPU and modelled cards.
    Host,
    /// For real cards.
    Cards,
}

impl WorkerKind {
    fn confinement(self) -> Confinement {
        match self {
            Self::Host => Confinement::Host,
            Self::Cards => Confinement::Cards {
                // A later run of this worker takes its turn, too.
                own_folders: turns::folders(),
            },
        }
    }
}

/// Probes the card once, and prints the result as one JSON object on standard output.
#[cfg(feature = "cuda")]
pub fn probe() -> ExitCode {
    let written = confine::take_protocol().and_then(|mut output| {
        let found = device::cuda::probe();
        warpup_protocol::frame::write(&mut output, &found)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            confine::last_words(&format!("cannot write the result of the probe: {error}"));
            ExitCode::from(3)
        }
    }
}

/// Confines this process like a worker, for real cards as if its card were open, tries what a program must not be able to do,
/// and prints a JSON object for each attempt. The last one ends the process if it works, and is then missing.
pub fn probe_confinement(kind: WorkerKind) -> ExitCode {
    let written = confine::take_protocol().and_then(|mut output| {
        let inherited = Inherited::open()?;
        let confinement = kind.confinement();
        confine::confine(&confinement, &output);
        confine::card_is_open(&confinement);
        confine::attempts::all(&inherited)
            .try_for_each(|it| warpup_protocol::frame::write(&mut output, &it))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            confine::last_words(&format!("cannot write what was tried: {error}"));
            ExitCode::from(3)
        }
    }
}

/// Allows only these real cards in this process: UUIDs as `nvidia-smi -L` writes them, with commas between them. To be called
/// before [`main`].
pub fn allow_only(uuids: &str) {
    device::card_policy::allow_only(uuids);
}

/// Runs the worker on the process's own pipes.
pub fn main(kind: WorkerKind) -> ExitCode {
    match confine::take_protocol().and_then(|output| {
        // It reads files when it is first asked.
        let _threads = candle_core::utils::get_num_threads();
        let confinement = kind.confinement();
        confine::confine(&confinement, &output);
        serve(
            BufReader::new(io::stdin()),
            output,
            confinement,
            confine::end,
        )
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            confine::last_words(&format!("the lab worker cannot continue: {error}"));
            ExitCode::from(3)
        }
    }
}
