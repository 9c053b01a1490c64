//! Whether there is a card at all. A machine without one is not broken: a laptop has none.

use crate::evidence::{Evidence, Library, Nvml};
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};

/// Whether there is a card.
pub const CARD: RungSpec = RungSpec {
    id: RungId("card"),
    title: "an NVIDIA card",
    lesson: "is-the-gpu-there",
    needs: &[],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Needed,
    looked: &[],
    judge: card,
};

fn card(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let driver = &evidence.driver;
    if evidence.host.os != "linux" {
        return draft
            .looked(format!("the system: {}", evidence.host.os))
            .not_here("CUDA needs Linux, or WSL on Windows.");
    }
    draft = draft
        .looked("the PCI bus (/sys/bus/pci/devices)")
        .looked("/dev/nvidia*");
    let pci = driver.pci.iter().map(|card| {
        let module = card.module.as_deref().unwrap_or("no module");
        format!(
            "{}: vendor 0x10de, device {}, driven by {module}",
            card.address, card.device
        )
    });
    draft = draft.saw_all(pci);
    if evidence.is_wsl() {
        return wsl_card(evidence, draft);
    }
    let nodes = driver.nodes.iter().filter(|it| is_card(&it.path)).count();
    let listed = evidence.report().map_or(0, |it| it.cards.len());
    let count = driver.pci.len().max(nodes).max(listed);
    // Where a driver hangs, there is a card.
    let is_hung = matches!(evidence.nvml, Nvml::Hung { .. });
    match count {
        0 if is_hung => draft.ok("A driver is here that does not answer, so there should be one."),
        0 => draft.not_here("This machine has no NVIDIA card."),
        1 => draft.ok("There is one."),
        more => draft.ok(format!("There are {more}.")),
    }
}

/// In WSL the card is on the bus of Windows; Linux sees `/dev/dxg`.
fn wsl_card(evidence: &Evidence, draft: RungDraft) -> Rung {
    let draft = draft.looked("/dev/dxg").looked("/usr/lib/wsl/lib");
    let has_driver = evidence.libraries.of_driver().any(Library::is_of_windows);
    if evidence.host.has_dxg && has_driver {
        draft.ok("Windows lends its card.")
    } else if evidence.host.has_dxg {
        draft
            .saw("/dev/dxg is there, /usr/lib/wsl/lib/libcuda.so.1 is not")
            .advise("if this computer has an NVIDIA card, install its driver in Windows (none in Linux), then `wsl --shutdown`")
            .not_here("Windows lends no NVIDIA card: its driver is not installed there.")
    } else {
        draft
            .saw("/dev/dxg is not there")
            .advise("in Windows: `wsl --update`, then `wsl --set-version DISTRIBUTION 2` and `wsl --shutdown`")
            .not_here("This WSL has no door to the card: that takes WSL 2.")
    }
}

/// Whether a path is the node of a card: `/dev/nvidia0`, but not `/dev/nvidiactl`.
fn is_card(path: &str) -> bool {
    path.strip_prefix("/dev/nvidia")
        .is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RungState;

    #[test]
    fn a_driver_that_hangs_is_not_taken_for_no_card() {
        let mut evidence = Evidence::default();
        "linux".clone_into(&mut evidence.host.os);
        assert_eq!(CARD.judge(&evidence).state, RungState::NotHere);
        evidence.nvml = Nvml::Hung { after_ms: 3000 };
        assert_eq!(CARD.judge(&evidence).state, RungState::Ok);
    }
}
