//! What the kernels of attention are given of query, key, value and mask.

use super::AttentionInputs;
use super::head_rows::HeadRows;
use super::tiles::HeadSizes;
use crate::kernels::attention::AttentionOptions;
use crate::kernels::card::floats;
use crate::kernels::card::launch::{Argument, narrow};
use crate::kernels::card::walk::Walk;
use candle_core::{D, DType, Device, Error, Result, Tensor};

/// What a kernel adds to scores, or which of them count.
struct Mask {
    values: Tensor,
    /// From one query to the next, and from one key to the next.
    strides: [i64; 2],
    heads: Walk,
}

/// Query, key and value of one type, with the same batches and heads.
pub(super) struct Heads {
    pub(super) sizes: HeadSizes,
    options: AttentionOptions,
    query: HeadRows,
    key: HeadRows,
    value: HeadRows,
    mask: Option<Mask>,
    /// For what is absent.
    nowhere: Walk,
    /// The end of the names of its kernels.
    pub(super) suffix: &'static str,
}

impl Heads {
    pub(super) fn of(sizes: HeadSizes, inputs: AttentionInputs<'_>) -> Result<Self> {
        let [query, key, value] = inputs.tensors;
        let batch = query.rank().saturating_sub(2);
        let in_all_batches = |it: &Tensor, rows: usize, columns: usize| {
            let batch = query.dims().iter().take(batch);
            it.broadcast_as(batch.copied().chain([rows, columns]).collect::<Vec<_>>())
        };
        let mask = inputs.mask.map(|it| {
            let mask = in_all_batches(it, sizes.queries, sizes.keys)?;
            Mask::of(&mask)
        });
        Ok(Self {
            sizes,
            options: inputs.options,
            query: HeadRows::of(query)?,
            key: HeadRows::of(&in_all_batches(key, sizes.keys, sizes.width)?)?,
            value: HeadRows::of(&in_all_batches(value, sizes.keys, sizes.value_width)?)?,
            mask: mask.transpose()?,
            nowhere: Walk::default(),
            suffix: floats(sizes.dtype).unwrap_or_default(),
        })
    }

    pub(super) fn on(&self) -> &Device {
        self.query.tensor().device()
    }

    pub(super) fn kernel(&self, name: &str) -> String {
        let numbers = self.sizes.most_numbers().unwrap_or_default();
        format!("{name}_{numbers}_{}", self.suffix)
    }

    /// The result in this memory, in the order of the query.
    pub(super) fn result_in(&self, memory: &Tensor) -> Result<Tensor> {
        let query = self.query.tensor();
        let rank = query.rank();
        let mut shape = query.dims().to_vec();
        if let Some(last) = shape.last_mut() {
            *last = self.sizes.value_width;
        }
        if rank > 2 && query.transpose(rank - 3, rank - 2)?.is_contiguous() {
            shape.swap(rank - 3, rank - 2);
            return memory.reshape(shape)?.transpose(rank - 3, rank - 2);
        }
        memory.reshape(shape)
    }

    /// The shapes of query, key and value.
    pub(super) fn shapes(&self) -> [&[usize]; 3] {
        [&self.query, &self.key, &self.value].map(|it| it.tensor().dims())
    }

    pub(super) fn input_arguments(&self) -> Vec<Argument<'_>> {
        let all = [&self.query, &self.key, &self.value];
        all.into_iter().flat_map(HeadRows::arguments).collect()
    }

    /// For a result that is not wanted.
    pub(super) fn absent(&self) -> [Argument<'_>; 3] {
        let heads = Argument::Walk(&self.nowhere);
        [Argument::Absent, Argument::I64(0), heads]
    }

    /// Which keys a query sees: `SCORES` in `attention.cuh`.
    pub(super) fn score_arguments(&self) -> Result<[Argument<'_>; 14]> {
        let [row, column] = self.mask.as_ref().map_or([0, 0], |it| it.strides);
        let (mask, heads, kind) = match &self.mask {
            Some(it) => (
                Argument::Data(&it.values),
                &it.heads,
                it.kind(self.sizes.dtype),
            ),
            None => (Argument::Absent, &self.nowhere, 0),
        };
        let (sizes, dropout) = (self.sizes, self.options.dropout);
        let is_causal = self.options.causal && self.mask.is_none();
        Ok([
            mask,
            Argument::I64(row),
            Argument::I64(column),
            Argument::Walk(heads),
            Argument::U32(kind),
            Argument::U32(is_causal.into()),
            Argument::U32(narrow(sizes.count)?),
            Argument::U32(narrow(sizes.queries)?),
            Argument::U32(narrow(sizes.keys)?),
            Argument::U32(narrow(sizes.width)?),
            Argument::U32(narrow(sizes.value_width)?),
            Argument::F64(self.options.scale),
            Argument::F64(dropout.map_or(0.0, |it| it.p)),
            Argument::U64(dropout.map_or(0, |it| it.seed)),
        ])
    }
}

impl Mask {
    /// Of a mask in the shape of all scores.
    fn of(values: &Tensor) -> Result<Self> {
        if let Some(mask) = Self::in_place(values) {
            return Ok(mask);
        }
        Self::in_place(&values.contiguous()?)
            .ok_or_else(|| Error::msg("internal error in warpup: a mask without rows"))
    }

    fn in_place(values: &Tensor) -> Option<Self> {
        let ([sizes @ .., _, _], [strides @ .., row, column]) = (values.dims(), values.stride())
        else {
            return None;
        };
        Some(Self {
            values: values.clone(),
            strides: [i64::try_from(*row).ok()?, i64::try_from(*column).ok()?],
            heads: Walk::over(sizes, strides)?,
        })
    }

    /// `MaskKind` in `attention.cuh`.
    fn kind(&self, dtype: DType) -> u32 {
        let own = self.values.dtype();
        if own == DType::U8 {
            1
        } else if own == dtype {
            2
        } else {
            3
        }
    }
}

/// The sizes of query, key and value; nothing for types and shapes that have no kernel.
pub(super) fn sizes_of(inputs: &AttentionInputs<'_>) -> Option<HeadSizes> {
    let [query, key, value] = inputs.tensors;
    let dtype = query.dtype();
    let has_kernel = matches!(dtype, DType::F32 | DType::F16 | DType::BF16);
    let [batch @ .., queries, width] = query.dims() else {
        return None;
    };
    let (keys, value_width) = (key.dim(D::Minus2).ok()?, value.dim(D::Minus1).ok()?);
    let fits = |it: &Tensor, rows, columns| {
        let wanted = batch.iter().copied().chain([rows, columns]);
        it.dtype() == dtype && it.broadcast_as(wanted.collect::<Vec<_>>()).is_ok()
    };
    (has_kernel && fits(key, keys, *width) && fits(value, keys, value_width)).then(|| HeadSizes {
        dtype,
        count: batch.iter().product(),
        queries: *queries,
        keys,
        width: *width,
        value_width,
    })
}
