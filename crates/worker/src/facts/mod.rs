//! Facts about the program, counted while it runs, of which findings are made later. Reads no clock.

mod clock_readings;
mod counter;
mod graph_growth;
mod run_counter;

pub(crate) use clock_readings::{ClockReading, LineVisit};
pub(crate) use counter::FactCounter;
pub(crate) use run_counter::RunCounter;
