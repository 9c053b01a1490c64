//! What the process runs inside: a container, and whether it gets the card; Linux inside Windows, and whose driver it has.

use crate::evidence::Evidence;
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungState, RungSubject};
use crate::rungs::driver::DRIVER;

pub(crate) const CONTAINER: RungSpec = RungSpec {
    id: RungId("container"),
    title: "container",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Surroundings,
    looked: &[
        "/.dockerenv, /run/.containerenv, /proc/1/cgroup, $container, APPTAINER_CONTAINER",
        "NVIDIA's container toolkit: nvidia-ctk, nvidia-container-cli, its configuration, /etc/cdi",
    ],
    judge: container,
};

fn container(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let host = &evidence.host;
    draft = draft.saw_all(host.container.clone());
    if !evidence.is_container() {
        draft = draft
            .saw_all(host.container_engines.clone())
            .saw_all(host.container_toolkit.clone());
        if host.container_engines.is_empty() {
            return draft.not_here("This is not a container, and none can be started here.");
        }
        if host.container_toolkit.is_empty() {
            let has_driver = evidence.report().is_some();
            let draft = draft.advise("for cards in containers, install `nvidia-container-toolkit` and run `nvidia-ctk runtime configure`");
            return if has_driver {
                draft.warning("This is not a container; those started here get no card, because NVIDIA's container toolkit is missing.")
            } else {
                draft.not_here("This is not a container, and there is no driver to lend to one.")
            };
        }
        return draft.ok("This is not a container; those started here can be given the card.");
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

pub(crate) const WSL: RungSpec = RungSpec {
    id: RungId("wsl"),
    title: "WSL",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Surroundings,
    looked: &["/proc/version, /dev/dxg, /usr/lib/wsl/lib"],
    judge: wsl,
};

fn wsl(evidence: &Evidence, draft: RungDraft) -> Rung {
    if !evidence.is_wsl() {
        return draft.not_here("This is not Linux inside Windows.");
    }
    let draft = draft.saw_all(evidence.host.kernel.clone());
    let own = evidence.libraries.of_linux_driver();
    if own.is_empty() {
        return draft.ok("The driver is that of Windows, and none is installed inside.");
    }
    // If it breaks something, the rung of the driver reports it.
    let draft = draft.saw_all(own);
    let says = "A driver for Linux is installed beside that of Windows; WSL needs none of its own.";
    if DRIVER.judge(evidence).state == RungState::Broken {
        draft.warning("It is as the rung of the driver says: a driver for Linux is in the way.")
    } else {
        draft
            .advise(
                "remove it: `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`, then `sudo ldconfig`",
            )
            .warning(says)
    }
}
