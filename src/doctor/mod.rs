//! The doctor: what is between a program and the card, rung by rung.
//!
//! [`climb`] is pure: everything that was looked at ([`Evidence`]) goes in, and each [`Rung`] comes out with
//! what was found, how it stands and what to try. Only [`look`] touches the machine, and only [`nvml`] the
//! driver's library, in a process of its own. Nothing here makes a CUDA context; the worker's probe does.

mod evidence;
mod ladder;
pub mod look;
pub mod nvml;
mod nvml_report;
mod rung;
mod rungs;
mod smi;
mod state;

pub use evidence::{
    Driver, Evidence, Header, Libraries, Library, LoaderPath, Node, Nvcc, Nvml, PciCard, Place,
    Smi, Toolkit, Toolkits, Worker, WorkerNotes,
};
pub use ladder::{Report, Verdict, bears_worker, climb};
pub use nvml_report::{ComputeMode, NvmlCard, NvmlFault, NvmlProcess, NvmlReport, NvmlSaid};
pub use rung::{Rung, RungId};
pub use state::State;
