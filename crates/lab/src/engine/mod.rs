//! Runs labs: starts workers, enforces the limits of runs, and sends exactly one last reply per run,
//! unless the engine is dropped during it.
//!
//! One thread (`supervisor`) owns the workers. It waits for a request of the app, an event of a worker, or a
//! deadline. A program that does not stop when it is asked to is killed with its worker, and the next run gets a
//! new one.
//!
//! There are two workers: warpup's own, for the CPU and modelled cards, which stays alive, and the one for real
//! cards ([`cards`]). A run on a card starts that one, and it ends soon after its last run, since others may want
//! the card's memory.

pub mod cards;
mod handle;
mod inherited;
pub mod job_control;
mod launch;
mod machine_memory;
pub mod orphans;
mod outbox;
pub mod output_budget;
mod process;
pub mod process_group;
mod slurm;
mod stat;
mod state;
mod supervisor;
pub mod test_panic;
mod time_limit;
mod usage;
mod worker_exit;
mod worker_output;

pub use handle::{LAUNCHER_TIME, LabEngine};
pub use launch::{Launch, worker_threads, worker_threads_within};
pub use outbox::Sink;
pub use state::{MachineLimits, Workers};
