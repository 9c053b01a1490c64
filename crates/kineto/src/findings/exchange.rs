//! Exchange between ranks that has no other kernel beside it: the device waits for other ranks, or for the link.

use super::per_step::PerStep;
use crate::analysis::{Collective, Exchange};
use warpup_lab::findings::{Evidence, Finding, PLACE_NS, Page};
use warpup_lab::units;

/// From this share of a step on, in percent, it is worth a word.
const PERCENT: i64 = 10;

/// The finding, if it costs enough.
pub(super) fn finding(per_step: &PerStep<'_>) -> Option<Finding> {
    let exchange = per_step.analysis.exchange.as_ref()?;
    let most = exchange.collectives.first()?;
    let alone_ns = per_step.scale.ns(exchange.alone_ns);
    let beside = if per_step.analysis.device.is_some() {
        " with no other kernel beside it"
    } else {
        ""
    };
    per_step.scale.is_much(alone_ns, PERCENT).then(|| Finding {
        id: "exchange-alone",
        sentence: format!(
            "{} ranks exchange data for {}{beside}{}",
            per_step.scale.scope(),
            per_step.scale.of_step(alone_ns),
            sent(per_step, exchange, most)
        ),
        place: Some(most.short_name().to_owned()),
        try_first: "look at all ranks together (`warpup trace rank0.json rank1.json`): the others wait for the one that comes last; then send less (`no_sync()`, 16 bits) and more of it beside the backward pass",
        page: Page::OVERLAP,
        saved_ns: alone_ns,
        evidence: evidence(per_step, exchange, most, alone_ns),
    })
}

/// What the collective that takes longest sends, and how that compares with the card's link.
fn sent(per_step: &PerStep<'_>, exchange: &Exchange, most: &Collective) -> String {
    let Some(rate) = most.bus_bytes_per_second else {
        return String::new();
    };
    let steps = per_step.scale.steps.unsigned_abs().max(1);
    let link = exchange.link_bytes_per_second;
    let link = link.map_or_else(String::new, |it| {
        format!(", where this card's links can send {}", units::rate(it))
    });
    format!(
        ": most of it is {} of {} among {} ranks, which sends {} while it runs and waits{link}",
        most.short_name(),
        units::bytes(most.bytes / steps),
        most.ranks,
        units::rate(rate)
    )
}

fn evidence(
    per_step: &PerStep<'_>,
    exchange: &Exchange,
    most: &Collective,
    alone_ns: i64,
) -> Vec<Evidence> {
    let count: u64 = exchange.collectives.iter().map(|it| it.count).sum();
    let mut evidence = vec![
        Evidence::ns("exchange_alone_ns_per_step", alone_ns),
        Evidence::ns("exchange_ns_per_step", per_step.scale.ns(exchange.ns)),
        Evidence::new("exchanges_per_step", per_step.scale.count(count)),
        Evidence::ns(PLACE_NS, per_step.scale.ns(most.alone_ns)),
    ];
    if let Some(rate) = most.bus_bytes_per_second {
        evidence.push(Evidence::new("bus_bytes_per_second", rate));
    }
    if let Some(rate) = exchange.link_bytes_per_second {
        evidence.push(Evidence::new("link_bytes_per_second", rate));
    }
    evidence
}
