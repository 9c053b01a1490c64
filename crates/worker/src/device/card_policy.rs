//! The real cards that the policy of a machine allows, by UUID. A worker is told them once, when it starts.

use super::unavailable::{DeviceUnavailable, OpenError};
use std::sync::OnceLock;
use warpup_protocol::Reason;

/// Empty, or not set, where every card is allowed.
static ALLOWED: OnceLock<Vec<String>> = OnceLock::new();

/// Allows only these cards: UUIDs as `nvidia-smi -L` writes them, or their beginnings, with commas between them.
pub(crate) fn allow_only(uuids: &str) {
    let uuids = uuids.split(',').map(str::trim);
    let uuids = uuids.filter(|it| !it.is_empty()).map(str::to_owned);
    // A second call comes from nowhere.
    drop(ALLOWED.set(uuids.collect()));
}

/// Whether only some cards are allowed.
pub(super) fn are_limited() -> bool {
    ALLOWED.get().is_some_and(|it| !it.is_empty())
}

/// Whether a card is allowed.
pub(super) fn is_allowed(uuid: &str) -> bool {
    let mut known = ALLOWED.get().into_iter().flatten();
    !are_limited() || known.any(|it| is_named(uuid, it))
}

/// Why a run has no card where the policy allows only some, and so many of them can be seen.
pub(super) fn no_such_card(seen: usize) -> OpenError {
    let (why, hint) = match seen {
        0 => (
            "the policy of this machine allows none of the cards that CUDA shows to this process",
            "see whether CUDA_VISIBLE_DEVICES hides them, or ask who set `cards` in /etc/warpup.toml; `nvidia-smi -L` lists the cards of the machine",
        ),
        _ => (
            "the policy of this machine allows no such card",
            "take `cuda`, the first one that it allows, or ask who set `cards` in /etc/warpup.toml; `nvidia-smi -L` lists the cards of the machine",
        ),
    };
    OpenError::DeviceUnavailable(DeviceUnavailable::Unavailable(Reason {
        why: why.to_owned(),
        hint: hint.to_owned(),
        evidence: format!(
            "allowed are {}",
            ALLOWED.get().map_or_else(String::new, |it| it.join(", "))
        ),
    }))
}

/// Whether `name` is the UUID, or the beginning of it. CUDA gives the bytes alone, so that a MIG instance, which NVIDIA's tools
/// write with `MIG-`, has `GPU-` here.
fn is_named(uuid: &str, name: &str) -> bool {
    let bytes = |it: &str| {
        let text = it.to_ascii_lowercase();
        let bytes = text.strip_prefix("gpu-").or(text.strip_prefix("mig-"));
        bytes.map(str::to_owned)
    };
    match (bytes(uuid), bytes(name)) {
        (Some(uuid), Some(name)) => !name.is_empty() && uuid.starts_with(&name),
        (_, None) | (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_named_by_its_uuid_or_the_beginning_of_it() {
        let uuid = "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6";
        for name in [uuid, "GPU-8932f937", "gpu-8932F937-d7", "MIG-8932f937-d72c"] {
            assert!(is_named(uuid, name), "{name}");
        }
        for name in ["GPU-", "0", "", "8932f937", "GPU-9932f937"] {
            assert!(!is_named(uuid, name), "{name}");
        }
    }
}
