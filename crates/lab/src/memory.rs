//! The memory of a run as text: its peak by purpose, and how much was held over time.
//!
//! Pure. Screens and commands show the same lines; the caller says where the numbers come from. Bars and heights are to scale, to an
//! eighth of a cell: what is small beside the peak is a hairline.

use super::timeline;
use super::units::bytes;
use warpup_protocol::{KeptWorkspaces, Memory, Purpose, Span};

/// Eighths of a cell from below, from nothing to all of it.
const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Eighths of a cell from the left, from nothing to all of it.
const PARTS: [char; 9] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Columns for the name and size of a purpose.
const NAMED: usize = 34;

/// From this share of the card's memory on, in percent, what an older version holds besides may decide whether a program fits.
const NEARLY_FULL_PERCENT: u64 = 75;

/// From this share of the card's memory, and of what the allocator holds, on, in percent, pieces that nobody can use are worth a word.
const PIECES_PERCENT: (u64, u64) = (10, 25);

/// Rows of the chart over time.
const ROWS: usize = 4;

/// From this share of the card's memory on, in percent, the top of the chart is the card's size; below it, the peak would be flat.
const OF_CARD_PERCENT: u64 = 25;

/// Whether there is more to show than one number: something was held for training.
pub fn is_training(memory: &Memory) -> bool {
    memory.peak.floor() > 0 || memory.peak.activations > 0
}

/// One line: the peak, where it was, and of how much.
pub fn in_one_line(memory: &Memory) -> String {
    let at = match memory.peak_line {
        0 => String::new(),
        line => format!(" at line {line}"),
    };
    let allocator = match memory.peak_reserved {
        0 => String::new(),
        reserved => format!(" the allocator {},", bytes(reserved)),
    };
    format!(
        "tensors held at most {}{at},{allocator} of {}",
        bytes(memory.peak_live),
        bytes(memory.capacity)
    )
}

/// What a reader of the peak should know of the libraries: the largest workspace of cuDNN, and what older versions of PyTorch
/// hold besides, where that may decide whether the program fits.
pub fn of_libraries(memory: &Memory) -> Vec<String> {
    let cudnn = memory.convolution_workspace.map(|it| {
        let room = if it.fits {
            ""
        } else {
            ", for which there is no room: it takes an algorithm that needs less"
        };
        format!(
            "cuDNN may work in up to {} at line {}{room}. This is a bound, of its largest algorithm.",
            bytes(it.bytes),
            it.line
        )
    });
    let decides = |it: &KeptWorkspaces| it.peak_live >= memory.capacity / 100 * NEARLY_FULL_PERCENT;
    let kept = memory.kept_before_2_15.filter(decides).map(|it| {
        format!(
            "PyTorch before 2.15 keeps the workspaces of cuBLAS, {}: there tensors and workspaces are at most {}.",
            bytes(it.bytes),
            bytes(it.peak_live)
        )
    });
    cudnn.into_iter().chain(kept).collect()
}

/// That the allocator has held much more than tensors have needed at any time: it asks the card for memory only where none of its free
/// pieces is large enough.
pub fn of_allocator(memory: &Memory) -> Option<String> {
    let pieces = memory.peak_reserved.saturating_sub(memory.peak_live);
    let (of_card, of_reserved) = PIECES_PERCENT;
    let is_much = pieces >= memory.capacity / 100 * of_card
        && pieces >= memory.peak_reserved / 100 * of_reserved;
    (is_much && pieces > 0).then(|| {
        format!(
            "The allocator held {} more than tensors ever needed, in pieces that were too small for the next tensors (fragmentation). \
             Tensors of the same sizes in each step (pad them), or the largest first, avoid that; \
             PYTORCH_ALLOC_CONF=expandable_segments:True avoids most of it.",
            bytes(pieces)
        )
    })
}

/// One line for each purpose at the peak, with a bar, and one for all of them, with their share of the device's memory.
pub fn at_peak(memory: &Memory, width: usize) -> Vec<String> {
    let room = width.saturating_sub(NAMED + 2).min(40);
    let mut lines: Vec<String> = Purpose::ALL
        .into_iter()
        .filter(|it| memory.peak.of(*it) > 0)
        .map(|it| {
            let held = memory.peak.of(it);
            row(it.word(), held, &bar(held, memory.peak_live, room))
        })
        .collect();
    let share = match memory.capacity {
        0 => String::new(),
        capacity => share(memory.peak_live, capacity),
    };
    let of_card = format!("{share} of {}", bytes(memory.capacity));
    let fits = width >= NAMED + of_card.len();
    let said = if fits && !share.is_empty() {
        of_card
    } else {
        share
    };
    lines.push(row("all tensors", memory.peak_live, &said));
    lines
}

fn row(name: &str, held: u64, more: &str) -> String {
    format!("  {name:<20} {:>10}  {more}", bytes(held))
        .trim_end()
        .to_owned()
}

/// The share of a device's memory in words.
#[expect(clippy::cast_precision_loss, reason = "it is rounded to three digits")]
fn share(held: u64, capacity: u64) -> String {
    let percent = held as f64 * 100.0 / capacity as f64;
    if percent < 0.1 {
        "below 0.1 %".to_owned()
    } else {
        format!("{percent:.1} %")
    }
}

/// A bar whose length is the share, to an eighth of a cell; at least that, since it is not nothing.
fn bar(part: u64, of: u64, room: usize) -> String {
    let eighths = scaled(part, of, room * 8).clamp(1, (room * 8).max(1));
    let last = PARTS.get(eighths % 8).filter(|it| **it != ' ');
    "█"
        .repeat(eighths / 8)
        .chars()
        .chain(last.copied())
        .collect()
}

/// The part of `of` as the same part of `room`, rounded.
fn scaled(part: u64, of: u64, room: usize) -> usize {
    let of = u128::from(of.max(1));
    let scaled = (u128::from(part) * room as u128 + of / 2) / of;
    usize::try_from(scaled).unwrap_or(room)
}

/// The memory over time as a picture, highest row first, with a scale beside it and times below it; nothing if nothing was held.
/// Its times are those of the timeline of the run's spans, without the first use of a card.
pub fn over_time(memory: &Memory, spans: &[Span], width: usize) -> Vec<String> {
    let Some(last) = memory.over_time.last() else {
        return Vec::new();
    };
    let clock = timeline::clock(spans);
    let fills_card = memory.peak_live >= memory.capacity / 100 * OF_CARD_PERCENT;
    let most = if fills_card && memory.capacity > 0 {
        memory.capacity.max(memory.peak_live)
    } else {
        memory.peak_live
    };
    let scale = bytes(most);
    let columns = width.saturating_sub(scale.len() + 4).clamp(10, 100);
    let until = clock(last.at_ns).max(timeline::total_ns(spans)).max(1);
    // The highest of each column, and the last.
    let mut changes = vec![None::<(u64, u64)>; columns];
    for moment in &memory.over_time {
        let at = scaled(clock(moment.at_ns), until, columns - 1);
        let held = moment.held.total();
        if let Some(cell) = changes.get_mut(at) {
            *cell = Some((cell.map_or(held, |(highest, _)| highest.max(held)), held));
        }
    }
    // Where nothing changed, the last value still holds.
    let mut before = 0;
    let levels: Vec<usize> = changes
        .into_iter()
        .map(|it| {
            let (highest, last) = it.unwrap_or((before, before));
            before = last;
            level(highest, most)
        })
        .collect();
    let rows = (0..ROWS).rev().map(|row| {
        let drawn: String = levels.iter().map(|level| cell(*level, row)).collect();
        let beside = match row {
            0 => "0 B",
            top if top == ROWS - 1 => scale.as_str(),
            _ => "",
        };
        beside_scale(beside, &drawn, scale.len())
    });
    let mut axis = String::new();
    for (column, label) in timeline::ticks(columns, None, until) {
        axis = format!("{axis:<column$}{label}");
    }
    rows.chain([beside_scale("", &axis, scale.len())]).collect()
}

/// A row of the chart behind its place on the scale.
fn beside_scale(beside: &str, drawn: &str, scale: usize) -> String {
    format!("  {beside:>scale$} {}", drawn.trim_end())
        .trim_end()
        .to_owned()
}

/// The height in eighths of a cell; what is held is never drawn as nothing.
fn level(held: u64, most: u64) -> usize {
    if held == 0 {
        return 0;
    }
    scaled(held, most, ROWS * 8).clamp(1, ROWS * 8)
}

fn cell(level: usize, row: usize) -> char {
    let eighths = level.saturating_sub(row * 8).min(8);
    LEVELS.get(eighths).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Lane, Moment, Purposes, WaitCause, WorkspaceBound};

    fn training() -> Memory {
        let at = |at_ns, activations| Moment {
            at_ns,
            line: 3,
            held: Purposes {
                weights: 12 << 20,
                activations,
                ..Purposes::default()
            },
        };
        Memory {
            peak_live: 48 << 20,
            peak_reserved: 60 << 20,
            peak_line: 3,
            capacity: 16 << 30,
            peak: Purposes {
                weights: 12 << 20,
                activations: 36 << 20,
                ..Purposes::default()
            },
            over_time: vec![at(0, 0), at(50, 36 << 20), at(90, 18 << 20), at(100, 0)],
            ..Memory::default()
        }
    }

    #[test]
    fn what_the_allocator_cannot_use_is_said_where_it_is_much() {
        let held = |peak_reserved| Memory {
            peak_live: 5 << 30,
            peak_reserved,
            capacity: 16 << 30,
            ..Memory::default()
        };
        let said = of_allocator(&held(14 << 30)).unwrap_or_default();
        assert!(
            said.starts_with("The allocator held 9.00 GiB more"),
            "{said}"
        );
        assert_eq!(of_allocator(&held(6 << 30)), None);
    }

    #[test]
    fn the_peak_is_divided_among_what_it_was_held_for() {
        insta::assert_snapshot!(at_peak(&training(), 60).join("\n"), @"
        weights                12.0 MiB  ██████
        saved activations      36.0 MiB  ██████████████████
        all tensors            48.0 MiB  0.3 % of 16.0 GiB
        ");
    }

    #[test]
    fn the_size_of_the_card_is_left_out_where_it_would_be_cut() {
        let rows = at_peak(&training(), 46);
        insta::assert_snapshot!(rows.last().unwrap(), @"  all tensors            48.0 MiB  0.3 %");
    }

    #[test]
    fn what_is_small_beside_the_peak_is_a_hairline() {
        let mut memory = training();
        memory.peak.gradients = 512;
        memory.peak.weights = 4 << 20;
        insta::assert_snapshot!(at_peak(&memory, 60).join("\n"), @"
        weights                4.00 MiB  ██
        gradients                 512 B  ▏
        saved activations      36.0 MiB  ██████████████████
        all tensors            48.0 MiB  0.3 % of 16.0 GiB
        ");
    }

    #[test]
    fn the_course_of_time_is_drawn_with_its_scale_and_its_times() {
        insta::assert_snapshot!(over_time(&training(), &[], 46).join("\n"), @"
        48.0 MiB                  █████████████
                                  █████████████▄▄▄
                                  ████████████████
             0 B ██████████████████████████████████
                 0 ns             50 ns
        ");
    }

    #[test]
    fn a_card_that_is_nearly_full_is_the_scale() {
        let memory = Memory {
            capacity: 64 << 20,
            ..training()
        };
        insta::assert_snapshot!(over_time(&memory, &[], 46).join("\n"), @"
        64.0 MiB
                                  █████████████
                                  █████████████▇▇▇
             0 B ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆████████████████▆
                 0 ns             50 ns
        ");
    }

    #[test]
    fn the_first_use_of_a_card_takes_no_columns() {
        let mut memory = training();
        for moment in &mut memory.over_time {
            moment.at_ns += 1_000;
        }
        let first = Span {
            lane: Lane::Host,
            name: Span::FIRST_USE.to_owned(),
            line: 3,
            start_ns: 0,
            end_ns: 1_000,
            bytes: 0,
            flops: 0,
            cause: WaitCause::Unknown,
        };
        assert_eq!(
            over_time(&memory, &[first], 46),
            over_time(&training(), &[], 46)
        );
    }

    #[test]
    fn what_libraries_need_is_said_with_its_line() {
        let memory = Memory {
            convolution_workspace: Some(WorkspaceBound {
                line: 12,
                bytes: 5712 << 20,
                held: 0,
                fits: true,
            }),
            kept_before_2_15: Some(KeptWorkspaces {
                bytes: 65 << 20,
                peak_live: 15 << 30,
            }),
            capacity: 16 << 30,
            ..Memory::default()
        };
        insta::assert_snapshot!(of_libraries(&memory).join("\n"), @r"
        cuDNN may work in up to 5.58 GiB at line 12. This is a bound, of its largest algorithm.
        PyTorch before 2.15 keeps the workspaces of cuBLAS, 65.0 MiB: there tensors and workspaces are at most 15.0 GiB.
        ");
        let has_room = Memory {
            capacity: 80 << 30,
            convolution_workspace: None,
            ..memory
        };
        assert!(of_libraries(&has_room).is_empty());
        assert!(of_libraries(&training()).is_empty());
    }

    #[test]
    fn nothing_held_is_nothing_drawn() {
        assert!(over_time(&Memory::default(), &[], 80).is_empty());
        assert!(!is_training(&Memory::default()));
    }
}
