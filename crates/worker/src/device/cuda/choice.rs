//! Which card a run gets that asks for the least loaded one, and how loaded a card is.

use super::context::CardContext;
use super::load::loads;
use super::properties::DeviceProperties;
use crate::device::least_loaded::{Candidate, Load, least_loaded};
use crate::device::unavailable::OpenError;

/// The number of the least loaded card, and a sentence about it. `in_line` counts the timed runs that have a card or wait for it,
/// by its UUID.
///
/// A worker that has a card open stays with it: a second context would take memory from others.
pub(in crate::device) fn choose(
    in_line: impl Fn(&str) -> usize,
) -> Result<(u32, String), OpenError> {
    let all = DeviceProperties::all().map_err(|failure| failure.at_open())?;
    if let Some(open) = CardContext::open().into_iter().next() {
        return Ok((
            open.number,
            format!("auto: {} is open already", title(&open)),
        ));
    }
    let uuids: Vec<_> = all.iter().map(|it| it.uuid.clone()).collect();
    let loads = match all.len() {
        0 | 1 => vec![None; all.len()],
        _ => loads(&uuids),
    };
    let candidates = loads.into_iter().zip(&uuids).map(|(load, uuid)| Candidate {
        in_line: in_line(uuid),
        load,
    });
    let candidates: Vec<_> = candidates.collect();
    let chosen = least_loaded(&candidates, rand::random());
    let chosen = chosen.and_then(|at| Some((all.get(at)?, candidates.get(at)?)));
    let Some((card, candidate)) = chosen else {
        // Opening it says why there is none.
        return Ok((0, String::new()));
    };
    Ok((card.number, said(card, candidate, all.len())))
}

/// How loaded the card with this number is.
pub(in crate::device) fn load_of(number: u32) -> Option<Load> {
    let uuid = super::uuid(number)?;
    loads(&[uuid]).into_iter().next().flatten()
}

fn title(card: &DeviceProperties) -> String {
    format!("cuda:{} ({}, {})", card.number, card.name, card.uuid)
}

fn said(card: &DeviceProperties, candidate: &Candidate, all: usize) -> String {
    let title = title(card);
    if all == 1 {
        return format!("auto: {title} is the only card here");
    }
    let in_line = match candidate.in_line {
        0 => String::new(),
        1 => ", 1 timed run before this one".to_owned(),
        several => format!(", {several} timed runs before this one"),
    };
    let Some(load) = candidate.load else {
        return format!(
            "auto: {title}, one of {all} cards; the driver does not say how loaded they are{in_line}"
        );
    };
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let busy = load.busy_percent;
    let busy = busy.map_or_else(String::new, |it| format!(", {it} % busy"));
    format!(
        "auto: {title}, the least loaded of {all} cards: {:.1} of {:.1} GiB in use{busy}{in_line}",
        gib(load.used),
        gib(load.total)
    )
}
