//! `warpup nvml`: prints what NVML says of the driver and its cards. The doctor starts it, and kills it when it
//! does not answer.

use super::console::Console;
use super::failure::{Exit, Result};
use warpup_doctor::nvml;

/// Prints everything that NVML says as one JSON object.
pub(super) fn execute(console: &mut Console<'_>) -> Result<Exit> {
    // A driver that hangs may answer after the parent has ended.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    console.json(&nvml::read())?;
    Ok(Exit::Fine)
}
