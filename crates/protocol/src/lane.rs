//! The rows of the timeline.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The row of the timeline in which a span is drawn. A message has it as a word, such as `kernel` or `worker_0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The host, queueing work or waiting.
    Host,
    /// A kernel on the device.
    Kernel,
    /// A copy from host to device.
    CopyToDevice,
    /// A copy from device to host.
    CopyToHost,
    /// The thread of the host that copies batches of a loader to pinned memory.
    Pinning,
    /// A process of the host that makes batches for a loader.
    Worker(u32),
}

impl Lane {
    /// The lanes of each run on a card, from the top. Those of loaders follow them.
    pub const OF_A_CARD: [Self; 4] = [
        Self::Host,
        Self::Kernel,
        Self::CopyToDevice,
        Self::CopyToHost,
    ];

    /// Its name on screen.
    pub fn word(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Host => "host",
            Self::Kernel => "kernel",
            Self::CopyToDevice => "copy to device",
            Self::CopyToHost => "copy to host",
            Self::Pinning => "pinning",
            Self::Worker(number) => return Cow::Owned(format!("worker {number}")),
        })
    }

    /// Whether it is the device's, and not the host's.
    pub fn is_device(self) -> bool {
        match self {
            Self::Kernel | Self::CopyToDevice | Self::CopyToHost => true,
            Self::Host | Self::Pinning | Self::Worker(_) => false,
        }
    }

    /// The lane of a name with spaces.
    fn named(name: &str) -> Option<Self> {
        let number = name.strip_prefix("worker ").map(str::parse);
        if let Some(number) = number {
            return number.ok().map(Self::Worker);
        }
        let mut known = Self::OF_A_CARD.into_iter().chain([Self::Pinning]);
        known.find(|it| it.word() == name)
    }
}

impl Serialize for Lane {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.word().replace(' ', "_"))
    }
}

impl<'de> Deserialize<'de> for Lane {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name.replace('_', " "))
            .ok_or_else(|| D::Error::custom(format!("there is no lane `{name}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_one_word_in_a_message() {
        let lanes = Lane::OF_A_CARD
            .into_iter()
            .chain([Lane::Pinning, Lane::Worker(11)]);
        let lanes: Vec<Lane> = lanes.collect();
        let text = serde_json::to_string(&lanes).unwrap();
        assert_eq!(
            text,
            r#"["host","kernel","copy_to_device","copy_to_host","pinning","worker_11"]"#
        );
        assert_eq!(serde_json::from_str::<Vec<Lane>>(&text).unwrap(), lanes);
        let error = serde_json::from_str::<Lane>(r#""worker_x""#).unwrap_err();
        assert!(error.to_string().contains("there is no lane `worker_x`"));
    }
}
