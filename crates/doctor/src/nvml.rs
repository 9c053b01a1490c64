//! Reads NVML, in a process of its own: a driver that hangs or a library that crashes costs only that process.
//!
//! `warpup nvml` prints one [`Answer`]. NVML creates no CUDA context and takes no memory of the card.

use nvml_wrapper::enum_wrappers::device::{
    ComputeMode as Mode, EccCounter, MemoryError, TemperatureSensor,
};
use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};

use super::evidence::{ComputeMode, Nvml as Answer, NvmlCard, NvmlFault, NvmlProcess, NvmlReport};

/// The maximum length of the name of a process.
const NAME: usize = 256;

/// NVML's value for MIG being on.
const MIG_ON: u32 = 1;

/// All figures of NVML on this machine.
pub fn read() -> Answer {
    said(Nvml::init())
}

fn said(opened: Result<Nvml, NvmlError>) -> Answer {
    match opened {
        Ok(nvml) => Answer::Read(report(&nvml)),
        Err(error) => Answer::Failed {
            fault: fault(&error),
            why: error.to_string(),
        },
    }
}

fn report(nvml: &Nvml) -> NvmlReport {
    let cuda = nvml.sys_cuda_driver_version().ok();
    let count = nvml.device_count().unwrap_or(0);
    NvmlReport {
        driver: nvml.sys_driver_version().ok(),
        cuda: cuda.map(|it| {
            let (major, minor) = (cuda_driver_version_major(it), cuda_driver_version_minor(it));
            format!("{major}.{minor}")
        }),
        cards: (0..count).map(|index| card(nvml, index)).collect(),
    }
}

fn card(nvml: &Nvml, index: u32) -> NvmlCard {
    let device = match nvml.device_by_index(index) {
        Ok(device) => device,
        Err(error) => {
            return NvmlCard {
                index,
                lost: Some(error.to_string()),
                ..NvmlCard::default()
            };
        }
    };
    let memory = device.memory_info().ok();
    let capability = device.cuda_compute_capability().ok();
    let mig = device.mig_mode().ok();
    let errors = device.total_ecc_errors(MemoryError::Uncorrected, EccCounter::Volatile);
    NvmlCard {
        index,
        name: device.name().ok(),
        uuid: device.uuid().ok(),
        bus: device.pci_info().ok().map(|it| it.bus_id),
        capability: capability
            .and_then(|it| Some((u32::try_from(it.major).ok()?, u32::try_from(it.minor).ok()?))),
        memory_total: memory.as_ref().map(|it| it.total),
        memory_used: memory.as_ref().map(|it| it.used),
        busy_percent: device.utilization_rates().ok().map(|it| it.gpu),
        temperature: device.temperature(TemperatureSensor::Gpu).ok(),
        compute_mode: device.compute_mode().ok().map(compute_mode),
        persistence: device.is_in_persistent_mode().ok(),
        mig: mig.map(|it| it.current == MIG_ON),
        mig_instances: instances(&device),
        processes: processes(nvml, &device),
        ecc_errors: errors.ok(),
        lost: lost(&device),
    }
}

/// The error of a card that the driver has lost.
fn lost(device: &Device<'_>) -> Option<String> {
    let error = device.memory_info().err()?;
    let is_lost = matches!(error, NvmlError::GpuLost | NvmlError::ResetRequired);
    is_lost.then(|| error.to_string())
}

fn compute_mode(mode: Mode) -> ComputeMode {
    match mode {
        Mode::Default => ComputeMode::Default,
        Mode::ExclusiveThread | Mode::ExclusiveProcess => ComputeMode::ExclusiveProcess,
        Mode::Prohibited => ComputeMode::Prohibited,
    }
}

/// NVML reports how many instances are possible; only trying shows which exist.
fn instances(device: &Device<'_>) -> u32 {
    let most = device.mig_device_count().unwrap_or(0);
    let there = (0..most).filter(|at| device.mig_device_by_index(*at).is_ok());
    u32::try_from(there.count()).unwrap_or(u32::MAX)
}

fn processes(nvml: &Nvml, device: &Device<'_>) -> Vec<NvmlProcess> {
    let all = device.running_compute_processes().unwrap_or_default();
    let all = all.into_iter().map(|it| NvmlProcess {
        pid: it.pid,
        name: nvml.sys_process_name(it.pid, NAME).ok(),
        memory: match it.used_gpu_memory {
            UsedGpuMemory::Used(bytes) => Some(bytes),
            UsedGpuMemory::Unavailable => None,
        },
        is_own: None,
    });
    all.collect()
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most of NVML's errors are about getters, and none of them is told apart here"
)]
fn fault(error: &NvmlError) -> NvmlFault {
    match error {
        NvmlError::LibloadingError(_)
        | NvmlError::LibraryNotFound
        | NvmlError::FailedToLoadSymbol(_) => NvmlFault::NoLibrary,
        NvmlError::DriverNotLoaded => NvmlFault::DriverNotLoaded,
        NvmlError::LibRmVersionMismatch => NvmlFault::VersionMismatch,
        NvmlError::NoPermission => NvmlFault::NoPermission,
        NvmlError::GpuLost | NvmlError::ResetRequired => NvmlFault::GpuLost,
        NvmlError::OperatingSystem => NvmlFault::OperatingSystem,
        _ => NvmlFault::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_told_in_the_loaders_words() {
        let nowhere = Nvml::builder()
            .lib_path("/nowhere/libnvidia-ml.so.1".as_ref())
            .init();
        let Answer::Failed { fault, why } = said(nowhere) else {
            unreachable!("there is no such library");
        };
        assert_eq!(fault, NvmlFault::NoLibrary);
        assert!(why.contains("/nowhere/libnvidia-ml.so.1"), "{why}");
    }

    #[test]
    fn refusals_are_told_apart() {
        assert_eq!(
            fault(&NvmlError::DriverNotLoaded),
            NvmlFault::DriverNotLoaded
        );
        assert_eq!(
            fault(&NvmlError::LibRmVersionMismatch),
            NvmlFault::VersionMismatch
        );
        assert_eq!(fault(&NvmlError::Unknown), NvmlFault::Other);
    }
}
