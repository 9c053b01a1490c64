//! Which operations of compiled code become one kernel, as `torch._inductor` decides it, without a search.
//!
//! An operation joins the kernel of the last of its producers if both walk over the same elements, or a later one that reads
//! the same. What only operations of its own kernel read stays in registers. Products, convolutions and attention are kernels of their libraries.

use crate::device::Work;
use crate::meta::{Cost, KernelKind};
use std::collections::{BTreeMap, BTreeSet};

/// A value that operations read and write: a number for each write to memory.
pub(super) type ValueId = u64;

/// One operation of compiled code.
#[derive(Clone, Debug)]
pub(super) struct CompiledOp {
    pub(super) name: &'static str,
    pub(super) work: Work,
    /// The elements that it walks over: those of its result, or those that it sums.
    pub(super) elements: u64,
    /// What it reads, with its bytes.
    pub(super) reads: Vec<(ValueId, u64)>,
    pub(super) result: ValueId,
    pub(super) result_bytes: u64,
    pub(super) result_elements: u64,
    /// Whether something reads it after the compiled code.
    pub(super) is_kept: bool,
}

/// One kernel of compiled code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompiledKernel {
    pub(super) name: String,
    pub(super) work: Work,
}

/// Whether the compiler writes the kernel of an operation itself, and can add others to it.
pub(super) fn is_generated(kind: KernelKind) -> bool {
    match kind {
        KernelKind::Elementwise
        | KernelKind::Copy
        | KernelKind::Transpose
        | KernelKind::Reduction
        | KernelKind::ColumnParts
        | KernelKind::ColumnWalk { .. }
        | KernelKind::Norm
        | KernelKind::Random { .. } => true,
        KernelKind::Indexed { .. }
        | KernelKind::Gemm(_)
        | KernelKind::Convolution(_)
        | KernelKind::Recurrent { .. }
        | KernelKind::Radix { .. }
        | KernelKind::Attention(_)
        | KernelKind::MultiTensor { .. } => false,
    }
}

fn reduces(kind: KernelKind) -> bool {
    matches!(
        kind,
        KernelKind::Reduction
            | KernelKind::ColumnParts
            | KernelKind::ColumnWalk { .. }
            | KernelKind::Norm
    )
}

/// The kernels of these operations, in an order in which each reads only what is there.
pub(super) fn fuse(ops: &[CompiledOp]) -> Vec<CompiledKernel> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: BTreeMap<ValueId, usize> = BTreeMap::new();
    for (at, op) in ops.iter().enumerate() {
        let last = op.reads.iter().filter_map(|(id, _)| group_of.get(id));
        let last = last.max().copied();
        let group = |it: &usize| groups.get(*it).map(Vec::as_slice).unwrap_or_default();
        let with_producer = last.filter(|it| joins(ops, group(it), op));
        let joined = with_producer.or_else(|| {
            let mut later = (last.map_or(0, |it| it + 1)..groups.len()).rev();
            later.find(|it| joins(ops, group(it), op) && reads_the_same(ops, group(it), op))
        });
        let group = joined.unwrap_or(groups.len());
        if joined.is_none() {
            groups.push(Vec::new());
        }
        if let Some(own) = groups.get_mut(group) {
            own.push(at);
        }
        group_of.insert(op.result, group);
    }
    let readers = readers(ops, &group_of);
    let kernels = groups.iter().enumerate();
    kernels
        .map(|(at, group)| kernel(ops, group, at, &readers))
        .collect()
}

/// Whether an operation reads something that these read, too.
fn reads_the_same(ops: &[CompiledOp], group: &[usize], op: &CompiledOp) -> bool {
    let mut members = group.iter().filter_map(|it| ops.get(*it));
    let reads = |it: &CompiledOp, id: ValueId| it.reads.iter().any(|(own, _)| *own == id);
    members.any(|it| op.reads.iter().any(|(id, _)| reads(it, *id)))
}

/// Whether an operation becomes a part of the kernel of these.
fn joins(ops: &[CompiledOp], group: &[usize], op: &CompiledOp) -> bool {
    if !is_generated(op.work.kind) {
        return false;
    }
    let mut members = group.iter().filter_map(|it| ops.get(*it)).peekable();
    if members.peek().is_none() {
        return false;
    }
    members.all(|it| {
        is_generated(it.work.kind)
            && (it.elements == op.elements
                // What follows a sum is computed where its rows are.
                || reduces(it.work.kind) && it.result_elements == op.elements)
    })
}

/// The kernels that read each value.
fn readers(
    ops: &[CompiledOp],
    group_of: &BTreeMap<ValueId, usize>,
) -> BTreeMap<ValueId, BTreeSet<usize>> {
    let mut readers: BTreeMap<ValueId, BTreeSet<usize>> = BTreeMap::new();
    for op in ops {
        if let Some(own) = group_of.get(&op.result) {
            for (id, _) in &op.reads {
                readers.entry(*id).or_default().insert(*own);
            }
        }
    }
    readers
}

fn kernel(
    ops: &[CompiledOp],
    group: &[usize],
    at: usize,
    readers: &BTreeMap<ValueId, BTreeSet<usize>>,
) -> CompiledKernel {
    let members: Vec<&CompiledOp> = group.iter().filter_map(|it| ops.get(*it)).collect();
    let made: BTreeSet<ValueId> = members.iter().map(|it| it.result).collect();
    let mut read: BTreeMap<ValueId, u64> = BTreeMap::new();
    for (id, bytes) in members.iter().flat_map(|it| &it.reads) {
        if !made.contains(id) {
            let most = read.entry(*id).or_default();
            *most = (*most).max(*bytes);
        }
    }
    let leaves = |it: &CompiledOp| {
        let mut elsewhere = readers.get(&it.result).into_iter().flatten();
        it.is_kept || elsewhere.any(|reader| *reader != at)
    };
    let written = members.iter().filter(|it| leaves(it));
    let bytes = read.values().sum::<u64>() + written.map(|it| it.result_bytes).sum::<u64>();
    let reduction = members.iter().any(|it| reduces(it.work.kind));
    match members.as_slice() {
        [] => CompiledKernel {
            name: String::new(),
            work: Work::moving(0, crate::dtype::DType::F32),
        },
        [only] if !is_generated(only.work.kind) => CompiledKernel {
            name: only.name.to_owned(),
            work: only.work,
        },
        [first, ..] => {
            let flops = members.iter().map(|it| it.work.cost.flops).sum();
            let kind = match (members.len(), reduction, random(&members)) {
                (1, ..) => first.work.kind,
                (_, true, _) => KernelKind::Reduction,
                (_, false, 0) => KernelKind::Elementwise,
                (_, false, operations) => KernelKind::Random { operations },
            };
            CompiledKernel {
                name: name(&members, reduction, at),
                work: Work {
                    cost: Cost { flops, bytes },
                    kind,
                    ..first.work
                },
            }
        }
    }
}

/// The operations that draw random numbers.
fn random(members: &[&CompiledOp]) -> u64 {
    let drawn = members.iter().map(|it| match it.work.kind {
        KernelKind::Random { operations } => operations,
        KernelKind::Elementwise
        | KernelKind::Copy
        | KernelKind::Transpose
        | KernelKind::Reduction
        | KernelKind::ColumnParts
        | KernelKind::ColumnWalk { .. }
        | KernelKind::Norm
        | KernelKind::Indexed { .. }
        | KernelKind::Radix { .. }
        | KernelKind::Gemm(_)
        | KernelKind::Convolution(_)
        | KernelKind::Recurrent { .. }
        | KernelKind::Attention(_)
        | KernelKind::MultiTensor { .. } => 0,
    });
    drawn.sum()
}

/// The name that Inductor gives a kernel of Triton: `triton_poi_fused_add_mul_0`.
fn name(members: &[&CompiledOp], reduction: bool, at: usize) -> String {
    let names: BTreeSet<&str> = members.iter().map(|it| it.name).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let kind = if reduction { "red" } else { "poi" };
    format!("triton_{kind}_fused_{}_{at}", names.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Tf32;
    use crate::dtype::DType;
    use crate::meta::Gemm;

    /// `NAME result reads…`, of 100 elements each; a product is `mm`, a sum of all elements `sum`. A result with a `!` is kept.
    fn ops(text: &str) -> Vec<CompiledOp> {
        let op = |line: &str| {
            let mut words = line.split_whitespace();
            let name: &'static str = match words.next().unwrap() {
                "mm" => "mm",
                "sum" => "sum",
                "mul" => "mul",
                _ => "add",
            };
            let result = words.next().unwrap();
            let id = |it: &str| u64::from(it.as_bytes()[0]);
            let kind = match name {
                "mm" => KernelKind::Gemm(Gemm::new(1, [10, 10, 10])),
                "sum" => KernelKind::Reduction,
                _ => KernelKind::Elementwise,
            };
            let size = if name == "sum" { 1 } else { 100 };
            CompiledOp {
                name,
                work: Work {
                    cost: Cost {
                        flops: 100,
                        bytes: 0,
                    },
                    dtype: DType::F32,
                    kind,
                    tf32: Tf32::Off,
                },
                elements: 100,
                reads: words.map(|it| (id(it), 400)).collect(),
                result: id(result),
                result_bytes: 4 * size,
                result_elements: size,
                is_kept: result.ends_with('!'),
            }
        };
        text.lines()
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .map(op)
            .collect()
    }

    fn fused(text: &str) -> Vec<(String, u64)> {
        let kernels = fuse(&ops(text)).into_iter();
        kernels.map(|it| (it.name, it.work.cost.bytes)).collect()
    }

    fn expected(kernels: &[(&str, u64)]) -> Vec<(String, u64)> {
        kernels
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), *bytes))
            .collect()
    }

    #[test]
    fn a_chain_reads_its_input_and_writes_its_result() {
        let chain = fused(
            "mul a x x
             mul b a x
             add c b x
             mul d! c x",
        );
        assert_eq!(chain, expected(&[("triton_poi_fused_add_mul_0", 800)]));
    }

    #[test]
    fn what_is_kept_or_read_by_another_kernel_is_written() {
        let chain = fused(
            "mul a! x x
             add b a x
             mm c b w
             add d! c a",
        );
        let kernels = [
            ("triton_poi_fused_add_mul_0", 1200),
            ("mm", 0),
            ("triton_poi_fused_add_2", 1200),
        ];
        assert_eq!(chain, expected(&kernels));
    }

    #[test]
    fn what_reads_the_same_is_one_kernel() {
        let two = fused(
            "mul a g x
             mul b g y
             add c! a b",
        );
        assert_eq!(two, expected(&[("triton_poi_fused_add_mul_0", 1600)]));
        let apart = fused(
            "mul a! g x
             mul b! h y",
        );
        assert_eq!(apart.len(), 2);
    }

    #[test]
    fn a_sum_takes_what_is_summed_from_registers() {
        let chain = fused(
            "mul a x x
             sum s! a",
        );
        assert_eq!(chain, expected(&[("triton_red_fused_mul_sum_0", 404)]));
    }
}
