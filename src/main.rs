//! Arguments to a command to an exit status.
fn main() {}
