//! Facts about the program, counted while it runs, of which findings are made later. Reads no clock.

mod clock_readings;
mod counter;
mod graph_growth;

pub(crate) use clock_readings::ClockReading;
pub(crate) use counter::FactCounter;
