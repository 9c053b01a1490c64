//! Arguments to a command to an exit status.
fn main() -> std::process::ExitCode {
    warpup::worker::main()
}
