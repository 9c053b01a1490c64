//! The driver: whether its kernel module and its libraries are there and work together.

use crate::evidence::{Evidence, Nvml, Smi};
use crate::evidence::{NvmlFault, NvmlReport};
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::card::CARD;
use crate::rungs::cause::seconds;

/// Whether the driver answers.
pub const DRIVER: RungSpec = RungSpec {
    id: RungId("driver"),
    title: "the driver",
    lesson: "the-stack-under-your-framework",
    needs: &[CARD.id],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Needed,
    looked: &[
        "NVML (libnvidia-ml.so.1), in a process of its own",
        "/proc/driver/nvidia/version, /proc/modules, /dev/nvidia*",
    ],
    judge: driver,
};

/// The advice to restart.
const RESTART: &str =
    "restart the machine, so that the kernel loads the module that belongs to the library";

fn driver(evidence: &Evidence, draft: RungDraft) -> Rung {
    let draft = smi_said(
        evidence,
        draft.saw_all(evidence.driver.version_line.clone()),
    );
    match &evidence.nvml {
        Nvml::Read(report) => answers(evidence, report, draft),
        Nvml::Failed { fault, why } => {
            let draft = draft.saw(format!("NVML: {why}"));
            match &evidence.smi {
                Smi::Read(report) => answers(evidence, report, draft),
                Smi::NotAsked | Smi::Missing | Smi::Said { .. } | Smi::Hung { .. } => {
                    failed(evidence, *fault, draft)
                }
            }
        }
        Nvml::Hung { after_ms } => hung(*after_ms, draft),
        Nvml::NotAsked => draft.warning("NVML was not asked."),
        Nvml::NotRun { why } => draft
            .saw(why.clone())
            .warning("The process that asks NVML could not be started."),
    }
}

/// Adds the answer of `nvidia-smi`, if it was asked.
fn smi_said(evidence: &Evidence, draft: RungDraft) -> RungDraft {
    match &evidence.smi {
        Smi::NotAsked => draft,
        Smi::Missing => draft.saw("nvidia-smi is not on PATH"),
        Smi::Read(_) => draft.looked("nvidia-smi"),
        Smi::Said { status, output } => {
            let status = status.map_or_else(String::new, |it| format!(" (exit status {it})"));
            draft
                .looked("nvidia-smi")
                .saw(format!("nvidia-smi{status}: {}", output.trim()))
        }
        Smi::Hung { after_ms } => draft.looked("nvidia-smi").saw(format!(
            "nvidia-smi did not answer within {}",
            seconds(*after_ms)
        )),
    }
}

fn answers(evidence: &Evidence, report: &NvmlReport, mut draft: RungDraft) -> Rung {
    let version = report.driver.as_deref().unwrap_or("of an unknown version");
    for card in &report.cards {
        let name = card.name.as_deref().unwrap_or("a card without a name");
        let uuid = card.uuid.as_deref().unwrap_or("no UUID");
        draft = draft.saw(match &card.lost {
            None => format!("card {}: {name}, {uuid}", card.index),
            Some(why) => format!("card {}: {why}", card.index),
        });
    }
    let lost = report.cards.iter().filter(|it| it.lost.is_some()).count();
    if report.cards.is_empty() {
        return draft
            .advise("check the kernel log: `sudo dmesg | grep -iE 'nvrm|xid'`")
            .advise("a card that is too old or too new for this driver needs another driver")
            .broken(format!("Driver {version} is loaded and shows no card."));
    }
    if lost > 0 {
        let draft = draft
            .advise("check the kernel log: `sudo dmesg | grep -i xid`")
            .advise("restart the machine; if it comes back, the card, its power or its slot is at fault");
        return if lost == report.cards.len() {
            draft.broken("The card no longer answers the driver.")
        } else {
            draft.warning(format!(
                "{lost} of {} cards no longer answer the driver.",
                report.cards.len()
            ))
        };
    }
    if let Some(broken) = forbidden(evidence) {
        return draft
            .saw(format!("{broken}: this user may not read and write it"))
            .advise(format!("ask the administrator of this machine for access to {broken}; `ls -l {broken}` names the group"))
            .broken(format!("Driver {version} answers, but {broken} is closed to this user."));
    }
    let cards = match report.cards.len() {
        1 => "one card".to_owned(),
        more => format!("{more} cards"),
    };
    draft.ok(format!("Driver {version} answers and shows {cards}."))
}

/// A node that every CUDA program opens, but this user may not.
fn forbidden(evidence: &Evidence) -> Option<&str> {
    let needed = ["/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm"].into_iter();
    let mut nodes = needed.filter_map(|it| evidence.driver.node(it));
    nodes.find(|it| !it.can_use).map(|it| it.path.as_str())
}

fn hung(after_ms: u64, draft: RungDraft) -> Rung {
    let after = seconds(after_ms);
    draft
        .saw(format!("NVML: no answer within {after}, so it was ended"))
        .advise("check the kernel log: `sudo dmesg | grep -iE 'nvrm|xid'`")
        .advise("a driver that hangs needs a restart of the machine; labs run on the CPU and modelled cards meanwhile")
        .broken(format!("The driver is there and did not answer within {after}."))
}

fn failed(evidence: &Evidence, fault: NvmlFault, draft: RungDraft) -> Rung {
    match fault {
        NvmlFault::VersionMismatch => mismatch(evidence, draft),
        NvmlFault::NoPermission => {
            let node = forbidden(evidence).unwrap_or("/dev/nvidiactl").to_owned();
            draft
                .advise(format!("`ls -l {node}` names the group that may; ask the administrator of this machine to add you, then log in again"))
                .broken(format!("This user may not use the card: {node} is closed."))
        }
        NvmlFault::GpuLost => draft
            .advise("check the kernel log: `sudo dmesg | grep -i xid`")
            .advise("restart the machine; if it comes back, the card, its power or its slot is at fault")
            .broken("The card no longer answers the driver: it fell off the bus."),
        NvmlFault::OperatingSystem => draft
            .advise("in Windows: update NVIDIA's driver and Windows itself, then `wsl --update` and `wsl --shutdown`")
            .broken("The system keeps programs from the card."),
        NvmlFault::DriverNotLoaded | NvmlFault::NoLibrary => not_loaded(evidence, fault, draft),
        NvmlFault::Other if evidence.is_container() => draft
            .advise("restart the container: `systemctl daemon-reload` on the host takes the devices of running ones away")
            .advise("for good, name the devices (`--device /dev/nvidia0 …`), or let Docker use the cgroupfs driver")
            .broken("The container has lost access to the card."),
        NvmlFault::Other => draft
            .advise("check the kernel log: `sudo dmesg | grep -iE 'nvrm|xid'`")
            .advise("restart the machine")
            .broken("The driver does not answer."),
    }
}

fn mismatch(evidence: &Evidence, draft: RungDraft) -> Rung {
    let module = evidence.driver.version();
    let library = evidence.libraries.nvml.iter().find_map(|it| it.version());
    let says = match (module, library) {
        (Some(module), Some(library)) => {
            format!("The kernel runs driver {module}, the libraries are of {library}.")
        }
        (Some(_) | None, _) => {
            "The kernel runs another version of the driver than its libraries.".to_owned()
        }
    };
    if evidence.is_container() {
        draft
            .advise("restart the container: the host's driver was updated under it")
            .advise("an image must not bring a driver of its own: take libcuda and libnvidia-ml out of it")
            .broken(says)
    } else {
        draft
            .advise(RESTART)
            .broken(format!("{says} The driver was updated since the start."))
    }
}

/// The kernel module does not answer, or its library is missing.
fn not_loaded(evidence: &Evidence, fault: NvmlFault, draft: RungDraft) -> Rung {
    let driver = &evidence.driver;
    let has_node = driver.node("/dev/nvidiactl").is_some();
    if evidence.is_wsl() {
        let own = evidence.libraries.of_linux_driver();
        if !own.is_empty() {
            return draft
                // NVML was asked, so its library comes first.
                .saw_all(own.into_iter().rev())
                .advise("remove the Linux driver in WSL: `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`, then `sudo ldconfig`")
                .broken("A driver for Linux is installed inside WSL and is found before the Windows driver.");
        }
        return draft
            .advise("in Windows: update NVIDIA's driver, then `wsl --shutdown`")
            .broken("The driver of Windows does not answer.");
    }
    if evidence.is_container() {
        if fault == NvmlFault::NoLibrary && has_node {
            return draft
                .saw("/dev/nvidiactl is there")
                .advise("to see the card's figures, start the container with `-e NVIDIA_DRIVER_CAPABILITIES=compute,utility`")
                .warning("The container has the card without the driver's own figures.");
        }
        return draft
            .advise("start the container with `--gpus all` (Docker) or `--device nvidia.com/gpu=all` (Podman)")
            .advise("if that is refused, the host needs NVIDIA's container toolkit: `nvidia-ctk runtime configure`")
            .broken("The machine has a card, and this container was started without it.");
    }
    if let Some(card) = driver
        .pci
        .iter()
        .find(|it| it.module.as_deref() == Some("nouveau"))
    {
        let address = card.address.clone();
        return draft
            .saw(format!("{address} is driven by nouveau"))
            .advise("install NVIDIA's driver from the distribution (`ubuntu-drivers install`, `dnf install akmod-nvidia`); it replaces nouveau")
            .advise("restart the machine")
            .broken("The card is driven by nouveau, which has no CUDA.");
    }
    if driver.version().is_some() {
        return draft
            .advise("install the driver's libraries of the same version as the module (`libnvidia-compute-…` on Ubuntu)")
            .broken("The kernel has the driver, and its libraries are missing.");
    }
    match (&driver.module_file, driver.secure_boot) {
        (Some(file), Some(true)) => draft
            .saw(format!("{file} is installed and not loaded"))
            .saw("Secure Boot is on")
            .advise("`sudo modprobe nvidia` says why; if the key was rejected, enrol it: `sudo mokutil --import` with the key of DKMS, restart and confirm")
            .advise("or turn Secure Boot off in the firmware")
            .broken("The driver is installed, and the kernel has not loaded it: Secure Boot takes signed modules only."),
        (Some(file), _) => draft
            .saw(format!("{file} is installed and not loaded"))
            .advise("`sudo modprobe nvidia` loads it, or says why not")
            .broken("The driver is installed and not loaded."),
        (None, _) if !evidence.libraries.nvml.is_empty() => draft
            .saw("no nvidia.ko for the running kernel")
            .advise("build the module for this kernel: `sudo apt install linux-headers-$(uname -r)`, then `sudo dkms autoinstall`")
            .advise("or restart into the kernel that it was built for")
            .broken("The driver's libraries are installed, its module for the running kernel is not."),
        (None, _) => draft
            .advise("install NVIDIA's driver from the distribution (`ubuntu-drivers install`, `dnf install akmod-nvidia`), then restart")
            .broken("The card has no driver."),
    }
}
