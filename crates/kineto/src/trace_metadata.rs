//! What a trace says of itself beside its events: cards, rank, and what was recorded.

use super::names::one_line;
use serde::Serialize;
use serde_json::Value;

/// Facts about a trace as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key that a trace may have"
)]
pub struct TraceMetadata {
    /// Names of the cards.
    pub devices: Vec<String>,
    /// The rank of the process, where several train together.
    pub rank: Option<u64>,
    /// How many ranks there are.
    pub world_size: Option<u64>,
    /// Whether Python functions were recorded, as the trace says.
    pub with_stack: bool,
    /// Whether sizes of inputs were recorded, as the trace says.
    pub record_shapes: bool,
    /// Whether memory was recorded, as the trace says.
    pub profile_memory: bool,
    /// Whether a script made it, and nothing was recorded: it has the key `synthetic`.
    pub is_synthetic: bool,
    /// Whether `warpup run --trace` wrote it, and not PyTorch's profiler.
    pub is_of_warpup: bool,
    /// How many steps `warpup record` let pass before it recorded; none of another recorder.
    #[serde(skip)]
    pub skipped_steps: Option<u64>,
    /// The folder of the recorded program, seen from where it was started, if `warpup record` recorded it; may be empty.
    #[serde(skip)]
    pub program_folder: String,
    /// The id of the recording, from PyTorch 2.9 on.
    pub trace_id: String,
    /// Whether the trace has a `host_name`: PyTorch 2.12 and later write one. The name itself is not kept.
    #[serde(skip)]
    pub has_host_name: bool,
}

impl TraceMetadata {
    /// Takes a key beside the events. Unknown keys and values that are no JSON change nothing.
    pub(super) fn take(&mut self, key: &str, value: &[u8]) {
        let Ok(value) = serde_json::from_slice::<Value>(value) else {
            return;
        };
        match key {
            "deviceProperties" => self.devices = device_names(&value),
            "distributedInfo" => {
                self.rank = number_in(&value, "rank");
                self.world_size = number_in(&value, "world_size");
            }
            "with_stack" => self.with_stack = is_set(&value),
            "record_shapes" => self.record_shapes = is_set(&value),
            "profile_memory" => self.profile_memory = is_set(&value),
            "synthetic" => self.is_synthetic = true,
            "warpup_skipped_steps" => self.skipped_steps = value.as_u64(),
            "warpup_program_folder" => value
                .as_str()
                .unwrap_or_default()
                .clone_into(&mut self.program_folder),
            "host_name" => self.has_host_name = true,
            "trace_id" => value
                .as_str()
                .unwrap_or_default()
                .clone_into(&mut self.trace_id),
            _ => {}
        }
    }
}

fn is_set(value: &Value) -> bool {
    value.as_u64().is_some_and(|it| it != 0) || value.as_bool() == Some(true)
}

/// A number of an object, or of Python's text for one, which tools write.
fn number_in(value: &Value, key: &str) -> Option<u64> {
    if let Some(number) = value.get(key) {
        return number.as_u64();
    }
    let (_, after) = value.as_str()?.split_once(&format!("'{key}': "))?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The names in a list of cards, or in Python's text for one.
fn device_names(value: &Value) -> Vec<String> {
    if let Some(devices) = value.as_array() {
        let names = devices.iter().filter_map(|it| it.get("name")?.as_str());
        return names.map(one_line).collect();
    }
    let text = value.as_str().unwrap_or_default();
    let names = text.split("'name': '").skip(1);
    names
        .filter_map(|it| Some(it.split_once('\'')?.0.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(entries: &[(&str, &str)]) -> TraceMetadata {
        let mut about = TraceMetadata::default();
        for (key, value) in entries {
            about.take(key, value.as_bytes());
        }
        about
    }

    #[test]
    fn json_and_the_text_of_python_say_the_same() {
        let json = about(&[
            ("deviceProperties", r#"[{"id": 0, "name": "NVIDIA H100"}]"#),
            (
                "distributedInfo",
                r#"{"backend": "nccl", "rank": 3, "world_size": 8}"#,
            ),
        ]);
        let python = about(&[
            (
                "deviceProperties",
                r#""[{'id': 0, 'name': 'NVIDIA H100'}]""#,
            ),
            (
                "distributedInfo",
                r#""{'backend': 'nccl', 'rank': 3, 'world_size': 8}""#,
            ),
        ]);
        assert_eq!(json, python);
        assert_eq!(json.devices, ["NVIDIA H100"]);
        assert_eq!((json.rank, json.world_size), (Some(3), Some(8)));
    }

    #[test]
    fn flags_are_numbers_and_what_is_broken_changes_nothing() {
        let it = about(&[("with_stack", "1"), ("record_shapes", "0"), ("x", "{")]);
        assert!(it.with_stack && !it.record_shapes);
        assert_eq!(about(&[("distributedInfo", "[")]), TraceMetadata::default());
    }
}
