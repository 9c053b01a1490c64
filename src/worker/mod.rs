//! The child process that runs labs; the only place that knows candle and Python.

/// Serves requests until stdin ends.
pub fn main() {}
