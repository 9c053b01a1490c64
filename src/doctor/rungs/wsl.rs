//! Whether this is Linux inside Windows, and whose driver it has.

use crate::doctor::evidence::Evidence;
use crate::doctor::rung::RungState;
use crate::doctor::rung::{About, Draft, Part, Rung, RungId, RungSpec};
use crate::doctor::rungs::driver::DRIVER;

pub(crate) const WSL: RungSpec = RungSpec {
    id: RungId("wsl"),
    title: "WSL",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: About::WorkersMachine,
    part: Part::Surroundings,
    looked: &["/proc/version, /dev/dxg, /usr/lib/wsl/lib"],
    judge: wsl,
};

fn wsl(evidence: &Evidence, draft: Draft) -> Rung {
    if !evidence.is_wsl() {
        return draft.not_here("This is no Linux inside Windows.");
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
