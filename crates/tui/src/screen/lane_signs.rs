//! The signs of a lane's cells, the same for a run, for a trace and for the picture of the first screen.

use crate::theme::Letters;
use warpup_lab::timeline::{LaneCell, Load};

/// The loads of a column, least first.
const LOADS: [Load; 4] = [Load::Quarter, Load::Half, Load::ThreeQuarters, Load::Full];

/// The sign of a cell. An ASCII terminal has as many that differ.
pub(super) fn sign(cell: LaneCell, letters: Letters) -> char {
    match (cell, letters) {
        (LaneCell::Busy(Load::Full), Letters::Unicode) => '█',
        (LaneCell::Busy(Load::ThreeQuarters), Letters::Unicode) => '▆',
        (LaneCell::Busy(Load::Half), Letters::Unicode) => '▄',
        (LaneCell::Busy(Load::Quarter), Letters::Unicode) => '▂',
        (LaneCell::Waiting, Letters::Unicode) => '░',
        (LaneCell::StepBegin, Letters::Unicode) => '├',
        (LaneCell::Python | LaneCell::Step, Letters::Unicode) => '─',
        (LaneCell::Idle, Letters::Unicode) => '·',
        (LaneCell::Busy(Load::Full), Letters::Ascii) => '#',
        (LaneCell::Busy(Load::ThreeQuarters), Letters::Ascii) => '*',
        (LaneCell::Busy(Load::Half), Letters::Ascii) => '=',
        (LaneCell::Busy(Load::Quarter), Letters::Ascii) => ':',
        (LaneCell::Waiting, Letters::Ascii) => 'w',
        (LaneCell::StepBegin, Letters::Ascii) => '|',
        (LaneCell::Python | LaneCell::Step, Letters::Ascii) => '-',
        (LaneCell::Idle, Letters::Ascii) => '.',
    }
}

/// The signs of a busy lane, from a quarter of the time to all of it, for a legend.
pub(super) fn busy(letters: Letters) -> String {
    LOADS
        .map(|it| sign(LaneCell::Busy(it), letters))
        .into_iter()
        .collect()
}
