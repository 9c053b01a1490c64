//! What is around the process: a container, or Windows.

use crate::doctor::evidence::Evidence;
use crate::doctor::rung::{Draft, Rung, RungId};
use crate::doctor::state::State;

pub(super) fn container(evidence: &Evidence) -> Rung {
    let place = &evidence.place;
    let mut draft = Draft::new(RungId::Container)
        .looked("/.dockerenv, /run/.containerenv, /proc/1/cgroup, $container, APPTAINER_CONTAINER")
        .looked("NVIDIA's container toolkit: nvidia-ctk, nvidia-container-cli, its configuration, /etc/cdi")
        .saw_all(place.container.clone());
    if !evidence.is_container() {
        draft = draft
            .saw_all(place.container_engines.clone())
            .saw_all(place.container_toolkit.clone());
        if place.container_engines.is_empty() {
            return draft.not_here("This is no container, and none can be started here.");
        }
        if place.container_toolkit.is_empty() {
            let has_driver = evidence.report().is_some();
            let draft = draft.advise("for cards in containers, install `nvidia-container-toolkit` and run `nvidia-ctk runtime configure`");
            return if has_driver {
                draft.warning("This is no container; those started here get no card, for want of NVIDIA's container toolkit.")
            } else {
                draft.not_here("This is no container, and there is no driver to lend to one.")
            };
        }
        return draft.ok("This is no container; those started here can be given the card.");
    }
    for name in ["NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES"] {
        let value = evidence.variable(name);
        draft = draft.saw_all(value.map(|it| format!("{name}={it}")));
    }
    if matches!(
        evidence.variable("NVIDIA_VISIBLE_DEVICES"),
        Some("void" | "none")
    ) {
        return draft
            .advise("start the container with `--gpus all`, or set NVIDIA_VISIBLE_DEVICES=all")
            .warning("This container was started to have no card.");
    }
    draft.ok("This is a container; the driver is that of the machine around it.")
}

pub(super) fn wsl(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Wsl).looked("/proc/version, /dev/dxg, /usr/lib/wsl/lib");
    if !evidence.is_wsl() {
        return draft.not_here("This is no Linux inside Windows.");
    }
    let draft = draft.saw_all(evidence.place.kernel.clone());
    let libraries = &evidence.libraries;
    let all = libraries.cuda.iter().chain(&libraries.nvml);
    let own: Vec<String> = all
        .filter(|it| !it.path.starts_with("/usr/lib/wsl/"))
        .map(|it| it.path.clone())
        .collect();
    if own.is_empty() {
        return draft.ok("The driver is that of Windows, and none is installed inside.");
    }
    // Where it breaks something, the rung of the driver says so already.
    let draft = draft.saw_all(own);
    let says = "A driver for Linux is installed beside that of Windows; WSL needs none of its own.";
    if super::driver::driver(evidence).state == State::Broken {
        draft.warning("It is as the rung of the driver says: a driver for Linux is in the way.")
    } else {
        draft
            .advise(
                "remove it: `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`, then `sudo ldconfig`",
            )
            .warning(says)
    }
}
