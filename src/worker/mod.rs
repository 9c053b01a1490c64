//! The child process that runs labs; the only place that knows candle and Python.
