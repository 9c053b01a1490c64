//! Looks at the operating system and at containers.

use super::machine::Machine;
use crate::evidence::HostInfo;

pub(super) fn look(machine: &Machine) -> HostInfo {
    HostInfo {
        os: machine.system.clone(),
        distribution: distribution(machine),
        kernel: machine.line("/proc/version"),
        container: container(machine),
        container_toolkit: toolkit(machine),
        container_engines: ["docker", "podman"]
            .into_iter()
            .filter_map(|it| machine.on_path(it))
            .collect(),
        has_dxg: machine.is_there("/dev/dxg"),
        mps: mps(machine),
    }
}

/// `ID` of `/etc/os-release`.
fn distribution(machine: &Machine) -> Option<String> {
    let text = machine.text("/etc/os-release")?;
    let id = text.lines().find_map(|it| it.strip_prefix("ID="))?;
    Some(id.trim_matches(['"', '\'']).to_owned())
}

/// Signs that this is a container.
fn container(machine: &Machine) -> Vec<String> {
    let marks = ["/.dockerenv", "/run/.containerenv"];
    let mut found: Vec<String> = marks
        .into_iter()
        .filter(|it| machine.is_there(it))
        .map(str::to_owned)
        .collect();
    let groups = machine.text("/proc/1/cgroup").unwrap_or_default();
    let names = ["docker", "kubepods", "containerd", "libpod", "lxc"];
    let group = groups
        .lines()
        .find(|line| names.iter().any(|it| line.contains(it)));
    found.extend(group.map(|it| format!("/proc/1/cgroup: {it}")));
    for name in ["container", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"] {
        let value = machine.variable(name).filter(|it| !it.is_empty());
        found.extend(value.map(|it| format!("{name}={it}")));
    }
    found
}

/// Parts of NVIDIA's container toolkit.
fn toolkit(machine: &Machine) -> Vec<String> {
    let programs = ["nvidia-ctk", "nvidia-container-cli"];
    let mut found: Vec<String> = programs
        .into_iter()
        .filter_map(|it| machine.on_path(it))
        .collect();
    let configuration = [
        "/etc/nvidia-container-runtime/config.toml",
        "/etc/cdi/nvidia.yaml",
        "/var/run/cdi/nvidia.yaml",
    ];
    found.extend(
        configuration
            .into_iter()
            .filter(|it| machine.is_there(it))
            .map(str::to_owned),
    );
    found
}

fn mps(machine: &Machine) -> Option<String> {
    let configured = machine.variable("CUDA_MPS_PIPE_DIRECTORY");
    let folder = configured.unwrap_or_else(|| "/tmp/nvidia-mps".to_owned());
    let pipe = format!("{}/control", folder.trim_end_matches('/'));
    machine.is_there(&pipe).then_some(pipe)
}
