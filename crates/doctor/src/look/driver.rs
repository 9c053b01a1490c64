//! Looks at the kernel's part of the driver: the PCI bus, modules and device nodes.

use super::machine::Machine;
use crate::evidence::{Driver, Node, PciCard};

/// NVIDIA, on the PCI bus.
const VENDOR: &str = "0x10de";

/// Display and compute cards; a card's sound is a device of its own.
const CLASSES: [&str; 2] = ["0x0300", "0x0302"];

/// Whether the firmware loads signed modules only: the last byte of this file.
const SECURE_BOOT: &str =
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

/// What the kernel calls its own version.
const RELEASE: &str = "/proc/sys/kernel/osrelease";

pub(super) fn look(machine: &Machine) -> Driver {
    let modules = machine.text("/proc/modules").unwrap_or_default();
    let modules = modules.lines().filter_map(|it| it.split(' ').next());
    let is_of_interest = |it: &&str| it.starts_with("nvidia") || *it == "nouveau";
    Driver {
        pci: pci(machine),
        modules: modules.filter(is_of_interest).map(str::to_owned).collect(),
        version_line: machine.line("/proc/driver/nvidia/version"),
        module_file: module_file(machine),
        secure_boot: machine
            .bytes(SECURE_BOOT)
            .and_then(|it| it.last().map(|it| *it == 1)),
        nodes: nodes(machine),
    }
}

fn pci(machine: &Machine) -> Vec<PciCard> {
    let bus = "/sys/bus/pci/devices";
    let mut cards = Vec::new();
    for address in machine.names(bus) {
        let about = |name: &str| machine.line(&format!("{bus}/{address}/{name}"));
        let class = about("class").unwrap_or_default();
        if about("vendor").as_deref() != Some(VENDOR)
            || !CLASSES.iter().any(|it| class.starts_with(it))
        {
            continue;
        }
        let module = machine.link(&format!("{bus}/{address}/driver"));
        cards.push(PciCard {
            device: about("device").unwrap_or_default(),
            module: module.and_then(|it| Some(it.rsplit('/').next()?.to_owned())),
            address,
        });
    }
    cards
}

/// Where the driver's module for the running kernel is, in the places that distributions put it.
fn module_file(machine: &Machine) -> Option<String> {
    let release = machine.line(RELEASE)?;
    let kernel = machine.names(&format!("/lib/modules/{release}/kernel"));
    // Ubuntu has a folder for each version of the driver.
    let of_ubuntu = kernel.into_iter().filter(|it| it.starts_with("nvidia"));
    let folders = [
        "updates/dkms",
        "updates",
        "extra",
        "extra/nvidia",
        "weak-updates/nvidia",
        "kernel/drivers/video",
    ];
    let folders = folders.into_iter().map(str::to_owned);
    let mut folders = folders.chain(of_ubuntu.map(|it| format!("kernel/{it}")));
    folders.find_map(|folder| {
        let folder = format!("/lib/modules/{release}/{folder}");
        let names = machine.names(&folder);
        let name = names.iter().find(|it| it.starts_with("nvidia.ko"))?;
        Some(format!("{folder}/{name}"))
    })
}

fn nodes(machine: &Machine) -> Vec<Node> {
    let names = machine.names("/dev").into_iter();
    let names = names.filter(|it| it.starts_with("nvidia") && it != "nvidia-caps");
    names
        .map(|name| {
            let path = format!("/dev/{name}");
            Node {
                can_use: (machine.can_use)(&machine.real(&path)),
                path,
            }
        })
        .collect()
}
