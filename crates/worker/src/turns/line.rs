//! Who is next in a line of tickets. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

/// A live ticket as somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TicketView {
    /// Its number; the lowest comes first.
    pub(super) number: u64,
    /// How long its turn lasts, if it says that its turn has begun.
    pub(super) turn: Option<Duration>,
}

/// A place in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueuePosition {
    /// Nobody is ahead.
    Turn,
    /// Somebody is.
    Behind {
        /// The ticket right ahead.
        number: u64,
        /// The first in line comes after the one whose turn it is.
        place: usize,
    },
}

/// A line as one ticket has seen it so far.
#[derive(Debug)]
pub(super) struct Line {
    own: u64,
    longest: Duration,
    /// When each ticket was first seen as the lowest.
    first: BTreeMap<u64, Duration>,
}

impl Line {
    /// The line of this ticket, in which a turn is respected for so long.
    pub(super) fn new(own: u64, longest: Duration) -> Self {
        Self {
            own,
            longest,
            first: BTreeMap::new(),
        }
    }

    /// The place of its own ticket among the live ones, at this time. A ticket that has had its turn for too long, or has
    /// been the lowest for too long, as that of a stopped process, does not count any more.
    pub(super) fn place(
        &mut self,
        live: &[impl AsRef<TicketView>],
        now: Duration,
    ) -> QueuePosition {
        let mut ahead: Vec<TicketView> = live.iter().map(|it| *it.as_ref()).collect();
        // A later one that has its turn was let past this one, whose process was stopped.
        ahead.retain(|it| it.number < self.own || it.number > self.own && it.turn.is_some());
        ahead.sort_by_key(|it| it.number);
        let is_over = |it: &TicketView| it.turn.is_some_and(|it| it > self.longest);
        ahead.retain(|it| !is_over(it));
        let mut rest = ahead.as_slice();
        while let Some((lowest, others)) = rest.split_first() {
            let first = *self.first.entry(lowest.number).or_insert(now);
            if now.saturating_sub(first) <= self.longest {
                break;
            }
            rest = others;
        }
        match rest.last() {
            None => QueuePosition::Turn,
            Some(last) => QueuePosition::Behind {
                number: last.number,
                place: rest.len(),
            },
        }
    }
}

impl AsRef<Self> for TicketView {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Numbers are times in milliseconds. After one that is further ahead than this, no other is drawn: somebody has put it there.
const AHEAD: u64 = 24 * 60 * 60 * 1_000;

/// The number to try first for a new ticket at this time, behind tickets with these. No number comes twice, so that a process that
/// removes a dead ticket never removes a later one.
pub(super) fn next(taken: impl Iterator<Item = u64>, now_ms: u64) -> u64 {
    let last = taken.filter(|it| is_counted(*it, now_ms)).max();
    last.map_or(now_ms, |last| now_ms.max(last + 1))
}

/// Whether somebody may have drawn this number by this time.
pub(super) fn is_counted(number: u64, now_ms: u64) -> bool {
    number <= now_ms.saturating_add(AHEAD)
}

/// The name of a ticket's file.
pub(super) fn name(card: &str, number: u64) -> String {
    format!("{}.{number}", key(card))
}

/// The name of a file that becomes a ticket once it is locked. `chance` keeps it apart from those of others.
pub(super) fn draft_name(card: &str, chance: u64) -> String {
    format!("{}.new-{chance}", key(card))
}

/// The number in the name of a ticket for this card, at this time; nothing for any other name.
pub(super) fn number(name: &str, card: &str, now_ms: u64) -> Option<u64> {
    let digits = name.strip_prefix(&key(card))?.strip_prefix('.')?;
    let number = digits.parse().ok()?;
    // Another spelling of the same number is no ticket. Behind numbers that are far ahead there is room for others.
    let is_ticket = is_counted(number, now_ms.saturating_add(AHEAD));
    (is_ticket && digits == u64::to_string(&number)).then_some(number)
}

/// A card's UUID as the beginning of a file's name, in a folder that others use, too.
fn key(card: &str) -> String {
    let is_plain = |it: &char| it.is_ascii_alphanumeric() || *it == '-';
    let uuid: String = card.chars().filter(is_plain).take(80).collect();
    format!("warpup-turn-{uuid}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::ordinal;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// The places of a ticket in lines at times, such as `0: 3 5`; a ticket whose turn has begun says since when: `3@12`.
    fn places(own: u64, lines: &[&str]) -> String {
        let mut queue = Line::new(own, s(30));
        let told = lines.iter().map(|text| {
            let (now, live) = text.split_once(':').unwrap();
            let live = live.split_whitespace().map(|it| {
                let (number, turn) = it.split_once('@').unwrap_or((it, ""));
                TicketView {
                    number: number.parse().unwrap(),
                    turn: turn.parse().ok().map(s),
                }
            });
            let live: Vec<TicketView> = live.collect();
            match queue.place(&live, s(now.parse().unwrap())) {
                QueuePosition::Turn => "turn".to_owned(),
                QueuePosition::Behind { number, place } => {
                    format!("{} behind {number}", ordinal(place))
                }
            }
        });
        told.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_lowest_live_ticket_has_the_turn() {
        assert_eq!(places(5, &["0: 5 7 9"]), "turn");
        assert_eq!(
            places(7, &["0: 9 3@0 7 5", "1: 5@0 7", "2: 7 9"]),
            "2nd behind 5, 1st behind 5, turn"
        );
    }

    #[test]
    fn nobody_waits_for_a_turn_that_lasts_too_long() {
        assert_eq!(places(5, &["0: 3@31 5"]), "turn");
        assert_eq!(places(5, &["0: 3@29 4 5"]), "2nd behind 4");
        // Stopped before it noticed that its turn has come.
        assert_eq!(
            places(5, &["0: 3 5", "30: 3 5", "31: 3 5"]),
            "1st behind 3, 1st behind 3, turn"
        );
        // The next one has its own time.
        assert_eq!(
            places(5, &["0: 3 4 5", "31: 3 4 5", "61: 3 4 5", "62: 3 4 5"]),
            "2nd behind 4, 1st behind 4, 1st behind 4, turn"
        );
    }

    #[test]
    fn who_was_let_past_keeps_the_turn() {
        assert_eq!(
            places(5, &["0: 5 7@0 9", "1: 3 5 7@1", "2: 5 9"]),
            "1st behind 7, 2nd behind 7, turn"
        );
        assert_eq!(places(5, &["0: 5 7@31"]), "turn");
    }

    #[test]
    fn only_names_as_they_are_written_are_tickets() {
        let at = |digits: &str| number(&format!("warpup-turn-GPU-3f.{digits}"), "GPU-3f", 1_000);
        assert_eq!(name("GPU-3f/../x", 12), "warpup-turn-GPU-3fx.12");
        assert_eq!(at("12"), Some(12));
        assert_eq!(at("172801000"), Some(172_801_000));
        for strange in [
            "012",
            "-1",
            "",
            "new-7",
            "+1",
            "172801001",
            "4611686018427387903",
            "18446744073709551615",
        ] {
            assert_eq!(at(strange), None, "{strange}");
        }
        assert_eq!(number("warpup-turn-GPU-4.1", "GPU-3f", 1_000), None);
    }

    #[test]
    fn the_next_number_is_the_time_and_after_all_others() {
        let next = |taken: &[u64]| next(taken.iter().copied(), 1_000);
        assert_eq!(
            [next(&[]), next(&[7, 9]), next(&[5_000, 3])],
            [1_000, 1_000, 5_001]
        );
    }
}
