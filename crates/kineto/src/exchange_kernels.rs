//! Which kernels exchange data between ranks, and how much a rank has to send for it.
//!
//! Libraries have names of their own for the same collectives, and versions of one library differ; a name that is not known here
//! counts as computing.

use super::names::{NameSelection, NameTable};

/// Parts of the names of kernels of NCCL, RCCL, MSCCL, PyTorch's symmetric memory, `vLLM`, `SGLang`, NVSHMEM and `DeepEP`, in small letters.
const PARTS: [&str; 17] = [
    "all_reduce",
    "allreduce",
    "all_gather",
    "allgather",
    "reduce_scatter",
    "reducescatter",
    "all_to_all",
    "alltoall",
    "sendrecv",
    "cross_device_reduce",
    "multimem",
    "ncclkernel",
    "nccldev",
    "rccl",
    "mscclkernel",
    "nvshmem",
    "deep_ep",
];

/// Kernels that `torch.compile` writes have the names of what they are fused from, also of an exchange before them.
const COMPUTING: [&str; 2] = ["triton_", "void triton_"];

/// How gloo's exchanges, which run on the host, are annotated.
pub(super) const GLOO: &str = "gloo:";

/// The kernels that exchange data, by their names.
pub(super) fn of(names: &NameTable) -> NameSelection {
    names.that(is_exchange)
}

fn is_exchange(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let has_part = PARTS.iter().any(|it| name.contains(it));
    // Such as ncclAllReduceRingLLKernel_sum_f32.
    let is_old = name.starts_with("nccl") && name.contains("kernel");
    (has_part || is_old) && !COMPUTING.iter().any(|it| name.starts_with(it))
}

/// How many times the bytes of a collective a rank sends at least, as `nccl-tests` counts its bus bandwidth.
pub(super) fn times_sent(collective: &str, ranks: u32) -> f64 {
    let name = collective.to_ascii_lowercase().replace('_', "");
    let others = f64::from(ranks.saturating_sub(1)) / f64::from(ranks.max(1));
    if name.contains("allreduce") {
        2.0 * others
    } else if ["gather", "scatter", "alltoall"]
        .iter()
        .any(|it| name.contains(it))
    {
        others
    } else {
        1.0
    }
}

/// Bytes of an element, by the name that PyTorch writes beside a collective; 0 for another one.
pub(super) fn bytes_of_element(name: &[u8]) -> u64 {
    match name {
        b"Double" | b"Long" | b"ComplexFloat" | b"UInt64" => 8,
        b"Float" | b"Int" | b"UInt32" | b"ComplexHalf" => 4,
        b"Half" | b"BFloat16" | b"Short" | b"UInt16" => 2,
        b"Byte" | b"Char" | b"Bool" | b"Float8_e4m3fn" | b"Float8_e5m2" | b"Float8_e4m3fnuz"
        | b"Float8_e5m2fnuz" => 1,
        b"ComplexDouble" => 16,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_all_libraries_are_known() {
        for name in [
            "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
            "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)",
            "ncclAllReduceRingLLKernel_sum_f32(ncclColl)",
            "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16>",
            "void vllm::cross_device_reduce_1stage<__half, 8>",
            "void c10d::one_shot_all_reduce_kernel<float>",
            "rcclGenericKernel",
        ] {
            assert!(is_exchange(name), "{name}");
        }
        for name in [
            "triton_poi_fused_all_reduce_mul_0",
            "void at::native::reduce_kernel<512, 1>",
            "Cijk_Alik_Bljk",
            "void at::native::scatter_gather_elementwise_kernel",
        ] {
            assert!(!is_exchange(name), "{name}");
        }
    }

    #[test]
    fn a_ring_sends_nearly_twice_for_an_all_reduce() {
        let sent = [
            "allreduce",
            "_allgather_base",
            "reduce_scatter",
            "broadcast",
        ]
        .map(|it| times_sent(it, 8));
        assert_eq!(format!("{sent:?}"), "[1.75, 0.875, 0.875, 1.0]");
    }
}
