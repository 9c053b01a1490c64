//! How loaded cards are, as NVML says it: without a CUDA context, and without waiting for a driver that hangs.

use crate::device::least_loaded::Load;
use nvml_wrapper::{Device, Nvml};
use std::process;
use std::sync::OnceLock;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// A driver that takes longer has no answer for us.
const PATIENCE: Duration = Duration::from_secs(3);

/// Opened once: a worker with an open card opens no more files. Nothing where there is no NVML.
static NVML: OnceLock<Option<Nvml>> = OnceLock::new();

/// The load of each card, by its UUID as CUDA's bytes are written (`GPU-…`). Nothing for one of which NVML says nothing.
pub(super) fn loads(uuids: &[String]) -> Vec<Option<Load>> {
    let nothing = vec![None; uuids.len()];
    let asked = uuids.to_vec();
    let (sender, answer) = sync_channel(1);
    // A call of a driver that hangs never returns, so its thread is left to itself.
    let thread = thread::Builder::new()
        .name("load of cards".to_owned())
        .spawn(move || {
            let nvml = NVML.get_or_init(|| Nvml::init().ok());
            let loads = asked.iter().map(|it| load(nvml.as_ref()?, it));
            // Nobody waits any more after three seconds.
            drop(sender.send(loads.collect::<Vec<_>>()));
        });
    if thread.is_err() {
        return nothing;
    }
    answer.recv_timeout(PATIENCE).unwrap_or(nothing)
}

fn load(nvml: &Nvml, uuid: &str) -> Option<Load> {
    // CUDA gives the bytes alone; those of a MIG instance have another beginning in NVML.
    let of_instance = uuid.replacen("GPU-", "MIG-", 1);
    let device = nvml.device_by_uuid(uuid);
    let device = device.or_else(|_| nvml.device_by_uuid(of_instance)).ok()?;
    let memory = device.memory_info().ok()?;
    Some(Load {
        used: memory.used,
        total: memory.total,
        busy_percent: device.utilization_rates().ok().map(|it| it.gpu),
        others: others(&device),
    })
}

/// The processes that compute on a card, without this one where it is among them.
fn others(device: &Device<'_>) -> u32 {
    let all = device.running_compute_processes().unwrap_or_default();
    let others = all.iter().filter(|it| it.pid != process::id());
    u32::try_from(others.count()).unwrap_or(u32::MAX)
}
