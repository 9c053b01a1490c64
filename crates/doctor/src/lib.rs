//! The doctor: what is between a program and the card, rung by rung.
//!
//! [`climb`] is pure: [`Evidence`] goes in, and for each [`Rung`] its findings, its state and steps to try come out.
//! Only [`look`] touches the machine, and only [`nvml`] the driver's library, in a process of its own. Nothing here
//! creates a CUDA context; the worker's probe does.

mod evidence;
mod ladder;
pub mod look;
pub mod nvml;
mod rung;
mod rungs;
mod smi;

pub use evidence::{
    ComputeMode, Driver, Evidence, Header, HostInfo, InstalledBy, Libraries, Library, LoaderPath,
    Node, Nvcc, Nvml, NvmlCard, NvmlFault, NvmlProcess, NvmlReport, PciCard, Smi, Toolkit,
    Toolkits, Worker, WorkerNotes,
};
pub use ladder::{LadderVerdict, Report, climb};
pub use rung::{Rung, RungId, RungState};
pub use rungs::card::CARD;
pub use rungs::driver::DRIVER;
