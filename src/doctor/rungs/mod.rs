//! How each rung is judged, one file a group of rungs.

mod around;
mod card;
mod cause;
mod driver;
mod libcuda;
mod sharing;
mod toolkits;
mod visible;
mod work;
mod worker;

use super::evidence::Evidence;
use super::rung::{Rung, RungId};

/// Judges one rung; those below it hold.
pub(super) fn judge(id: RungId, evidence: &Evidence) -> Rung {
    match id {
        RungId::Card => card::card(evidence),
        RungId::Driver => driver::driver(evidence),
        RungId::DriverCuda => driver::driver_cuda(evidence),
        RungId::Libcuda => libcuda::libcuda(evidence),
        RungId::Worker => worker::worker(evidence),
        RungId::Visible => visible::visible(evidence),
        RungId::Capability => work::capability(evidence),
        RungId::Context => work::context(evidence),
        RungId::Kernel => work::kernel(evidence),
        RungId::Copies => work::copies(evidence),
        RungId::Memory => work::memory(evidence),
        RungId::Toolkits => toolkits::toolkits(evidence),
        RungId::Paths => toolkits::paths(evidence),
        RungId::Container => around::container(evidence),
        RungId::Wsl => around::wsl(evidence),
        RungId::Mig => sharing::mig(evidence),
        RungId::Persistence => sharing::persistence(evidence),
        RungId::Load => sharing::load(evidence),
    }
}
