//! The child process that runs labs; the only module that knows candle and Python.
//!
//! [`main`] is what `warpup worker` does: move the protocol off standard output, confine the process,
//! then answer requests until standard input ends. `serve` is the loop itself.

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
mod facts;
mod kernels;
mod meta;
mod ops;
mod python;
mod reporter;
mod run_delay;
mod serve;
mod shape;
mod tensor;
mod trace;
mod truncate;
pub mod turns;

pub use warpup_confine::Confinement;

use serve::serve;
use std::io::{self, BufReader};
use std::process::ExitCode;
use warpup_confine as confine;
use warpup_confine::inherited_file::InheritedFile;

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
pub fn probe_confinement(confinement: Confinement) -> ExitCode {
    let written = confine::take_protocol().and_then(|mut output| {
        let inherited = InheritedFile::open()?;
        let own_folders = turns::folders();
        confine::confine(confinement, confine::OpenFiles::only(&output), &own_folders);
        match confinement {
            Confinement::Host => {}
            Confinement::Cards => confine::card_is_open(&own_folders),
        }
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
pub fn main(confinement: Confinement) -> ExitCode {
    match confine::take_protocol().and_then(|output| {
        // It reads files when it is first asked.
        let _threads = candle_core::utils::get_num_threads();
        // So does the loader of libraries, which lie beside PyTorch, often in a home folder. Without cuDNN, slower kernels run.
        #[cfg(feature = "cuda")]
        if confinement == Confinement::Cards {
            drop(kernels::card::cudnn::load());
            device::cuda::load_cupti();
        }
        serve(BufReader::new(io::stdin()), output, confinement)
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            confine::last_words(&format!("the lab worker cannot continue: {error}"));
            ExitCode::from(3)
        }
    }
}
