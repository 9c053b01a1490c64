//! The child process that runs labs; the only place that knows candle and Python.

pub mod device;
pub mod engine;
pub mod python;
pub mod tensor;
pub mod trace;
