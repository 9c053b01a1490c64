//! The operating system and what surrounds the process.

use serde::{Deserialize, Serialize};

/// The operating system and what surrounds the process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostInfo {
    /// The operating system, such as `linux` or `macos`.
    pub os: String,
    /// The first line of `/proc/version`.
    pub kernel: Option<String>,
    /// The signs of a container, such as `/.dockerenv`; empty outside of one.
    pub container: Vec<String>,
    /// The installed parts of NVIDIA's container toolkit.
    pub container_toolkit: Vec<String>,
    /// Programs that start containers, such as `/usr/bin/docker`.
    pub container_engines: Vec<String>,
    /// Whether WSL passes a card through (`/dev/dxg`).
    pub has_dxg: bool,
    /// The path of the control pipe of MPS, if there is one.
    pub mps: Option<String>,
}
