//! `warpup floor`: what training holds before the first activation, and on which cards that fits.

use super::console::Console;
use super::failure::{Exit, Failure, Result};
use crate::cli::FloorArgs;
use warpup_lab::batch::{Batch, percent};
use warpup_lab::memory_floor::{self, Precision};
use warpup_lab::units::{gb, gib};
use warpup_worker::device::cards::{self, Card};

/// Prints the floor for so many parameters.
pub(super) fn execute(args: &FloorArgs, console: &mut Console<'_>) -> Result<Exit> {
    let count = memory_floor::parameters(&args.parameters).map_err(|error| {
        Failure::arguments_but(error.to_string(), "write it as 125_000_000, 1.5e9 or 7b")
    })?;
    console.line(&format!(
        "Training {count} parameters with Adam, before any activation:"
    ))?;
    for precision in Precision::ALL {
        of_precision(count, precision, console)?;
    }
    on_cards(count, console)?;
    if let (Some(sequences), Some(length)) = (args.batch, args.length) {
        let batch = Batch {
            sequences,
            length,
            heads: args.heads,
        };
        above_floor(batch, console)?;
    }
    Ok(Exit::Fine)
}

/// A number with its noun.
fn of(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The memory above the floor, and how a smaller batch reduces it.
fn above_floor(now: Batch, console: &mut Console<'_>) -> Result<()> {
    let Batch {
        sequences,
        length,
        heads,
    } = now;
    console.line(&format!(
        "\nAbove the floor: {} of {}, {}",
        of(sequences, "sequence", "sequences"),
        of(length, "position", "positions"),
        of(heads, "head", "heads")
    ))?;
    console
        .line("                       positions         attention scores of a layer, float32")?;
    for (reduction, after) in now.reductions() {
        let (positions, scores) = (after.positions(), after.scores());
        console.line(&format!(
            "  {:<16} {positions:>13} {:>4} % {:>14} {:>4} %",
            reduction,
            percent(positions, now.positions()),
            gib(scores.saturating_mul(4)),
            percent(scores, now.scores()),
        ))?;
    }
    console.line("Activations grow with the positions; scores that are kept grow with the square of the length.")
}

fn of_precision(count: u64, precision: Precision, console: &mut Console<'_>) -> Result<()> {
    console.line(&format!("\n{}", precision.word()))?;
    let parts = precision.parts().iter().copied();
    for (name, each) in parts.chain([("in all", precision.bytes_each())]) {
        let bytes = count.saturating_mul(each);
        console.line(&format!(
            "  {name:<24} {each:>2} B each {:>14} {:>14}",
            gb(bytes),
            gib(bytes)
        ))?;
    }
    Ok(())
}

/// What each card has left for activations. The floor is the same in both precisions.
fn on_cards(count: u64, console: &mut Console<'_>) -> Result<()> {
    console.line("\ncard (modelled)            memory  left for activations, less what the CUDA context holds")?;
    let floor = Precision::Full.floor(count);
    let cards = cards::shipped().in_order().into_iter();
    console.lines(cards.map(|(_, card)| {
        let (memory, left) = (gib(card.memory), left_on(card, floor));
        format!("{:<18} {memory:>14}  {left}", card.title)
    }))
}

fn left_on(card: &Card, floor: u64) -> String {
    // The CUDA context takes its memory before any tensor does.
    let usable = card.memory.saturating_sub(card.assumed.context_bytes);
    match usable.checked_sub(floor) {
        Some(left) => gib(left),
        None => format!("too small by {}", gib(floor - usable)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;

    fn floor_of(parameters: &str) -> FloorArgs {
        FloorArgs {
            parameters: parameters.to_owned(),
            batch: None,
            length: None,
            heads: 16,
        }
    }

    #[test]
    fn a_billion_parameters_do_not_fit_a_t4_in_either_precision() {
        let (text, exit) = sample::console("", |console| execute(&floor_of("1e9"), console));
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(text, @r"
        Training 1000000000 parameters with Adam, before any activation:

        float32
          weights                   4 B each        4.00 GB       3.73 GiB
          gradients                 4 B each        4.00 GB       3.73 GiB
          Adam's two moments        8 B each        8.00 GB       7.45 GiB
          in all                   16 B each       16.00 GB      14.90 GiB

        mixed precision
          weights, 16 bits          2 B each        2.00 GB       1.86 GiB
          gradients, 16 bits        2 B each        2.00 GB       1.86 GiB
          master weights, float32   4 B each        4.00 GB       3.73 GiB
          Adam's two moments        8 B each        8.00 GB       7.45 GiB
          in all                   16 B each       16.00 GB      14.90 GiB

        card (modelled)            memory  left for activations, less what the CUDA context holds
        Tesla T4                14.74 GiB  too small by 0.28 GiB
        NVIDIA L4               21.96 GiB  6.88 GiB
        GeForce RTX 4090        23.65 GiB  8.34 GiB
        A100 40GB SXM           39.59 GiB  24.34 GiB
        A100 80GB SXM           79.15 GiB  63.90 GiB
        H100 80GB SXM           79.19 GiB  63.88 GiB
        H200 141GB SXM         139.80 GiB  124.49 GiB
        ");
    }

    #[test]
    fn a_batch_shows_what_half_of_it_would_save() {
        let args = FloorArgs {
            batch: Some(32),
            length: Some(2048),
            ..floor_of("1e9")
        };
        let (text, _) = sample::console("", |console| execute(&args, console));
        let above = text.split_once("\n\nAbove").unwrap().1;
        assert_eq!(of(1, "head", "heads"), "1 head");
        insta::assert_snapshot!(above, @r"
         the floor: 32 sequences of 2048 positions, 16 heads
                               positions         attention scores of a layer, float32
          as it is                 65536  100 %       8.00 GiB  100 %
          half the batch           32768   50 %       4.00 GiB   50 %
          half the length          32768   50 %       2.00 GiB   25 %
          half of both             16384   25 %       1.00 GiB   13 %
        Activations grow with the positions; scores that are kept grow with the square of the length.
        ");
    }

    #[test]
    fn both_precisions_have_one_floor_so_one_table_of_cards_is_enough() {
        let [full, mixed] = Precision::ALL.map(Precision::bytes_each);
        assert_eq!(full, mixed);
    }

    #[test]
    fn what_is_no_number_is_a_wrong_argument() {
        let (text, exit) = sample::console("", |console| execute(&floor_of("many"), console));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: `many` is not a number of parameters from 1 to 1e15
        hint: write it as 125_000_000, 1.5e9 or 7b
        ");
    }
}
