//! Devices by name, and where their times come from.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A device that a worker can run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// The name for requests.
    pub name: DeviceName,
    /// The name on screen, such as `CPU, 2 threads` or `Tesla T4 (modelled)`.
    pub title: String,
    /// Where its times come from.
    pub clock: Clock,
    /// Its memory in bytes; `None` for the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

impl DeviceInfo {
    /// The CPU of this machine.
    pub fn cpu(threads: usize) -> Self {
        let plural = if threads == 1 { "" } else { "s" };
        Self {
            name: DeviceName::Cpu,
            title: format!("CPU, {threads} thread{plural}"),
            clock: Clock::Measured,
            memory_bytes: None,
        }
    }
}

/// The name of a device on the command line and in the protocol: `cpu`, `cuda`, `cuda:1`, `auto`, `model:t4`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DeviceName {
    /// The CPU of this machine.
    #[default]
    Cpu,
    /// A real card.
    Cuda(RealCard),
    /// A modelled card, by its id in `assets/cards.toml`.
    Model(String),
}

/// Which of the real cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RealCard {
    /// By its number, from 0, as CUDA counts those that a process may use.
    Number(u32),
    /// The one that is least loaded when a run begins: `auto`.
    LeastLoaded,
}

impl DeviceName {
    /// The real card with this number.
    pub const fn cuda(number: u32) -> Self {
        Self::Cuda(RealCard::Number(number))
    }

    /// Whether a run that was asked for this device may have run on `other`.
    pub fn includes(&self, other: &Self) -> bool {
        let is_any = *self == Self::Cuda(RealCard::LeastLoaded);
        self == other || is_any && matches!(other, Self::Cuda(_))
    }
}

/// A text that is no device name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a device: use cpu, cuda, cuda:N, auto or model:CARD")]
pub struct UnknownDevice(String);

impl FromStr for DeviceName {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownDevice(text.to_owned());
        match text.split_once(':') {
            None if text == "cpu" => Ok(Self::Cpu),
            None if text == "cuda" => Ok(Self::cuda(0)),
            None if text == "auto" => Ok(Self::Cuda(RealCard::LeastLoaded)),
            Some(("cuda", ordinal)) => ordinal
                .parse()
                .map(Self::cuda)
                .map_err(|_not_a_number| unknown()),
            Some(("model", card)) if !card.is_empty() => Ok(Self::Model(card.to_lowercase())),
            None | Some(_) => Err(unknown()),
        }
    }
}

impl TryFrom<String> for DeviceName {
    type Error = UnknownDevice;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<DeviceName> for String {
    fn from(name: DeviceName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(RealCard::Number(0)) => f.write_str("cuda"),
            Self::Cuda(RealCard::Number(number)) => write!(f, "cuda:{number}"),
            Self::Cuda(RealCard::LeastLoaded) => f.write_str("auto"),
            Self::Model(card) => write!(f, "model:{card}"),
        }
    }
}

/// Where the times of a run come from; each number on screen says it. Progress logs keep the word that is written here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// From this machine's clocks.
    Measured,
    /// From the cost model of a card; nothing was timed.
    Modelled,
}

impl Clock {
    /// `measured` or `modelled`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Modelled => "modelled",
        }
    }

    /// The word above or beside times; loud where nothing was timed.
    pub fn label(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Modelled => "MODELLED",
        }
    }

    /// The same for numbers that no clock gives, such as bytes of tensors.
    pub fn label_of_counts(self) -> &'static str {
        match self {
            Self::Measured => "counted",
            Self::Modelled => self.label(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_names_read_back_as_written() {
        for name in ["cpu", "cuda", "cuda:3", "auto", "model:t4"] {
            assert_eq!(name.parse::<DeviceName>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn the_least_loaded_card_may_be_any_real_one() {
        let device = |name: &str| name.parse::<DeviceName>().unwrap();
        let auto = device("auto");
        assert!(auto.includes(&auto) && auto.includes(&device("cuda:3")));
        assert!(!auto.includes(&device("model:t4")) && !device("cuda").includes(&device("cuda:1")));
    }

    #[test]
    fn other_device_names_are_refused_by_name() {
        for name in ["", "gpu", "cuda:", "cuda:x", "model:", "cpu:0"] {
            let refusal = name.parse::<DeviceName>().unwrap_err().to_string();
            assert!(refusal.contains(&format!("`{name}`")), "{refusal}");
        }
    }
}
