//! One file a subcommand; wires the rest together.
