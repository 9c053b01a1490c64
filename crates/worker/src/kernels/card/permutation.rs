//! Random permutations, by a bitonic sort of random keys.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use crate::kernels::philox::Shuffle;
use candle_core::{DType, Device, Result, Tensor};

/// Elements that a block sorts in its shared memory; `permutation.cu` has the same number.
const TILE: usize = 1024;

/// The permutation, on a card.
pub(crate) fn permutation(of: &Shuffle, on: &Device) -> Result<Tensor> {
    let count = of.count as usize;
    let padded = count.next_power_of_two().max(TILE);
    let keys = memory(padded, DType::I64, on)?;
    let numbers = memory(padded, DType::I64, on)?;
    draw_keys(of, &keys, on)?;
    let padded_size = Argument::U64(padded as u64);
    let size = Argument::U64(of.count);
    let both = [Argument::Data(&keys), Argument::Data(&numbers)];
    let run = |name: &str, grid: Grid, arguments: &[&[Argument<'_>]]| {
        launch(on, (Module::Permutation, name), grid, &arguments.concat())
    };
    let over = Grid::over(padded);
    run("permutation_numbers", over, &[&[padded_size, size], &both])?;
    let tiles = Grid {
        rows: 1,
        blocks: narrow(padded / TILE)?,
        threads: 512,
    };
    run("permutation_tiles", tiles, &[&both, &[Argument::U64(0)]])?;
    let mut length = 2 * TILE;
    while length <= padded {
        let own = Argument::U64(length as u64);
        let mut apart = length / 2;
        while apart >= TILE {
            let rest = [own, Argument::U64(apart as u64)];
            let step = Grid::over(padded / 2);
            run("permutation_step", step, &[&[padded_size], &both, &rest])?;
            apart /= 2;
        }
        run("permutation_tiles", tiles, &[&both, &[own]])?;
        length *= 2;
    }
    let out = memory(count, DType::I64, on)?;
    let generator = [Argument::U64(of.ties.seed), Argument::U64(of.ties.offset)];
    let over = Grid::over(count);
    run(
        "permutation_ties",
        over,
        &[&[size, Argument::Data(&out)], &both, &generator],
    )?;
    Ok(out)
}

fn draw_keys(of: &Shuffle, keys: &Tensor, on: &Device) -> Result<()> {
    let mut at = 0;
    for draw in &of.keys {
        let count = draw.count as usize;
        let part = keys.narrow(0, at, count)?;
        let numbers = of.key_numbers();
        let arguments = [
            Argument::U64(draw.count),
            Argument::Data(&part),
            Argument::U64(draw.from.seed),
            Argument::U64(draw.from.offset),
            Argument::U64(numbers.range),
            Argument::I64(numbers.low),
            Argument::U64(numbers.sign),
            Argument::U64(numbers.seen),
        ];
        let grid = Grid::of_draw(draw)?;
        launch(
            on,
            (Module::Permutation, "permutation_keys"),
            grid,
            &arguments,
        )?;
        at += count;
    }
    Ok(())
}
