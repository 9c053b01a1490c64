//! Attention without stored scores, and its gradients, for heads of up to 256 numbers in up to 32 bits.

mod head_rows;
mod heads;
mod tiles;

use super::launch::{
    Argument, Grid, Module, has_length, launch, launch_sharing, limits, memory, narrow,
};
use super::on_one_card;
use crate::kernels::attention::AttentionOptions;
use candle_core::{DType, Result, Tensor};
use head_rows::HeadRows;
use heads::Heads;
use tiles::{HeadSizes, Pass, Tiles};

/// Query, key and value, and a mask if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttentionInputs<'a> {
    pub(crate) options: AttentionOptions,
    pub(crate) tensors: [&'a Tensor; 3],
    pub(crate) mask: Option<&'a Tensor>,
}

/// The tiles of all kernels of attention.
struct AttentionTiles {
    sizes: HeadSizes,
    forward: Tiles,
    of_keys: Tiles,
    of_queries: Tiles,
}

/// The result; nothing on the host, or where no kernel is for it.
///
/// Behind the result, in the same memory, are the logarithms of the sums of exponentials, which backward reads.
pub(crate) fn attention(inputs: AttentionInputs<'_>) -> Option<Result<Tensor>> {
    let plan = AttentionTiles::of(&inputs)?;
    let run = || {
        let heads = Heads::of(plan.sizes, inputs)?;
        let (count, start) = (plan.result_count(), plan.sums_start());
        let sums = plan.end_of_sums() - start;
        let all = memory(plan.end_of_sums(), plan.sizes.dtype, heads.on())?;
        let out = heads.result_in(&all.narrow(0, 0, count)?)?;
        let lse = all.narrow(0, start, sums)?;
        plan.attend(&heads, Some(&out), &lse)?;
        Ok(out)
    };
    Some(run())
}

/// The gradients of query, key and value, one after the other, given that of the result.
pub(crate) fn attention_backward(
    inputs: AttentionInputs<'_>,
    [grad, made]: [&Tensor; 2],
) -> Option<Result<Tensor>> {
    let plan = AttentionTiles::of(&inputs)?;
    if !on_one_card(&[grad, made]) || grad.dtype() != made.dtype() {
        return None;
    }
    let run = || {
        let heads = Heads::of(plan.sizes, inputs)?;
        let (of_grad, of_made) = (HeadRows::of(grad)?, HeadRows::of(made)?);
        let computed = if has_length(made, plan.end_of_sums()) {
            None
        } else {
            // Another tensor came back for the result, as hooks for saved tensors let it.
            let sums = memory(plan.sizes.all_queries(), DType::F32, heads.on())?;
            plan.attend(&heads, None, &sums)?;
            Some(sums)
        };
        let delta = memory(plan.sizes.all_queries(), DType::F32, heads.on())?;
        plan.sum_products(&heads, &delta, [&of_made, &of_grad])?;

        let shapes = heads.shapes();
        let counts = shapes.map(|it| it.iter().product::<usize>());
        let all = memory(counts.iter().sum::<usize>(), plan.sizes.dtype, heads.on())?;
        let [queries, keys, values] = shapes;
        let [of_queries, of_keys, of_values] = counts;
        let part = |start, len, shape| HeadRows::of(&all.narrow(0, start, len)?.reshape(shape)?);
        let to_query = part(0, of_queries, queries)?;
        let to_key = part(of_queries, of_keys, keys)?;
        let to_value = part(of_queries + of_keys, of_values, values)?;

        let mut given = heads.input_arguments();
        given.extend(of_grad.arguments());
        given.push(match &computed {
            Some(sums) => Argument::Data(sums),
            None => Argument::InMemoryOf(made, plan.sums_start()),
        });
        given.push(Argument::Data(&delta));
        given.extend(heads.score_arguments()?);
        let run = |name, tiles: Tiles, to: &[&HeadRows]| {
            let mut arguments: Vec<_> = to.iter().flat_map(|it| it.arguments()).collect();
            arguments.extend(&given);
            let name = heads.kernel(name);
            let kernel = (Module::AttentionBackward, &*name);
            let blocks = (tiles.grid(plan.sizes.count)?, tiles.shared);
            launch_sharing(heads.on(), kernel, blocks, &arguments)
        };
        run("attention_keys", plan.of_keys, &[&to_key, &to_value])?;
        run("attention_queries", plan.of_queries, &[&to_query])?;
        Ok(all)
    };
    Some(run())
}

impl AttentionTiles {
    /// For tensors on a card that has room for the tiles.
    fn of(inputs: &AttentionInputs<'_>) -> Option<Self> {
        let all: Vec<&Tensor> = inputs.tensors.into_iter().chain(inputs.mask).collect();
        if !on_one_card(&all) {
            return None;
        }
        let sizes = heads::sizes_of(inputs)?;
        let [query, _, _] = inputs.tensors;
        let card = limits(query.device()).ok()?;
        // Older cards have no tensor cores for bfloat16.
        if sizes.dtype == DType::BF16 && card.capability < 8 {
            return None;
        }
        let tiles = |pass| Tiles::of(pass, &sizes, card.shared);
        Some(Self {
            forward: tiles(Pass::Forward)?,
            of_keys: tiles(Pass::BackwardOfKeys)?,
            of_queries: tiles(Pass::BackwardOfQueries)?,
            sizes,
        })
    }

    fn result_count(&self) -> usize {
        self.sizes.all_queries() * self.sizes.value_width
    }

    /// Where the sums begin behind a result: at an address for any type.
    fn sums_start(&self) -> usize {
        let in_16_bytes = 16 / self.sizes.dtype.size_in_bytes();
        self.result_count().next_multiple_of(in_16_bytes)
    }

    /// Where they end: a sum is a `float32`.
    fn end_of_sums(&self) -> usize {
        let of_one = DType::F32.size_in_bytes() / self.sizes.dtype.size_in_bytes();
        self.sums_start() + self.sizes.all_queries() * of_one
    }

    /// The result, and of each query the logarithm of its sum; without a result only the latter.
    fn attend(&self, heads: &Heads, out: Option<&Tensor>, lse: &Tensor) -> Result<()> {
        let out = out.map(HeadRows::of).transpose()?;
        let mut arguments = out
            .as_ref()
            .map_or(heads.absent(), HeadRows::arguments)
            .to_vec();
        arguments.push(Argument::Data(lse));
        arguments.extend(heads.input_arguments());
        arguments.extend(heads.score_arguments()?);
        let name = heads.kernel("attention");
        let kernel = (Module::Attention, &*name);
        let grid = (self.forward.grid(self.sizes.count)?, self.forward.shared);
        launch_sharing(heads.on(), kernel, grid, &arguments)
    }

    /// Of each query the sum of result times gradient.
    fn sum_products(&self, heads: &Heads, out: &Tensor, products: [&HeadRows; 2]) -> Result<()> {
        let mut arguments = vec![
            Argument::U32(narrow(self.sizes.count)?),
            Argument::U32(narrow(self.sizes.queries)?),
            Argument::U32(narrow(self.sizes.value_width)?),
            Argument::Data(out),
        ];
        arguments.extend(products.iter().flat_map(|it| it.arguments()));
        let name = format!("attention_delta_{}", heads.suffix);
        let kernel = (Module::AttentionBackward, &*name);
        // A warp takes a query.
        let grid = Grid::over(self.sizes.all_queries() * 32);
        launch(heads.on(), kernel, grid, &arguments)
    }
}
