//! A real card: measured by the host's clock and CUDA's events, with the driver's memory pool.
//!
//! One stream and one thread, as candle has it. The context is created and the kernels are loaded before the
//! first program's clock starts; the run reports that time apart. Both stay for later runs of this process.

mod card;
mod choice;
mod context;
mod copies;
mod device;
mod driver_pool;
mod events;
mod failure;
mod load;
mod memory;
mod probe;
mod properties;
mod run_state;
mod timer;

pub(super) use card::Cuda;
pub(super) use choice::{choose, load_of};
pub(crate) use probe::probe;
pub(super) use properties::{list, uuid_of as uuid};
pub(crate) use timer::load_cupti;
