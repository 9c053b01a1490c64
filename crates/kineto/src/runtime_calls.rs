//! Calls of the runtimes and drivers of CUDA, HIP and Intel's GPUs by what they do.

use super::trace::Trace;
use serde::Serialize;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RuntimeCall {
    /// Queues a kernel.
    Launch,
    /// Queues a recorded sequence of kernels.
    GraphLaunch,
    /// Queues a copy; from or to pageable memory it waits for it.
    Copy,
    /// Copies and waits for it.
    CopyAndWait,
    /// Queues a fill.
    Fill,
    /// Waits for the device, a stream or an event.
    Synchronize,
    /// Takes memory from the device or the host, or gives it back, which may wait for the device.
    Allocate,
    /// Makes a context, a stream, an event or a graph, or loads kernels: what takes long when it is done for the first time.
    Create,
    /// Anything else, such as a question about the device.
    Other,
}

impl RuntimeCall {
    /// The call with this name.
    pub fn of(name: &str) -> Self {
        let Some(name) = name
            .strip_prefix("cuda")
            .or_else(|| name.strip_prefix("hip"))
            .or_else(|| name.strip_prefix("cu"))
            .or_else(|| name.strip_prefix("ur"))
            .or_else(|| name.strip_prefix("ze"))
        else {
            return Self::Other;
        };
        // Such as cudaLaunchKernel_ptsz, a name of builds with a default stream for each thread.
        let name = name.strip_suffix("_ptsz").unwrap_or(name);
        match name {
            "StreamSynchronize"
            | "DeviceSynchronize"
            | "EventSynchronize"
            | "CtxSynchronize"
            | "ThreadSynchronize"
            | "EventWait"
            | "QueueFinish"
            | "EventHostSynchronize" => Self::Synchronize,
            "GraphLaunch" => Self::GraphLaunch,
            "Memcpy" | "MemcpyDtoH_v2" | "MemcpyHtoD_v2" | "MemcpyWithStream" => Self::CopyAndWait,
            _ if CREATING.iter().any(|it| name.starts_with(it)) => Self::Create,
            _ if name.contains("Launch") => Self::Launch,
            _ if name.starts_with("Memcpy") || name.ends_with("USMMemcpy") => Self::Copy,
            _ if name.starts_with("Memset") => Self::Fill,
            _ if is_allocation(name) => Self::Allocate,
            _ => Self::Other,
        }
    }

    /// The calls for all names of a trace.
    pub(super) fn of_names(trace: &Trace) -> Vec<Self> {
        trace.names.iter().map(|it| Self::of(it)).collect()
    }
}

/// How the names of calls begin that make something or load it. The question about priorities makes the context.
const CREATING: [&str; 10] = [
    "StreamCreate",
    "EventCreate",
    "ModuleLoad",
    "LibraryLoad",
    "LinkCreate",
    "GraphInstantiate",
    "CtxCreate",
    "DevicePrimaryCtx",
    "DeviceGetStreamPriorityRange",
    "Init",
];

fn is_allocation(name: &str) -> bool {
    ["Malloc", "Free", "HostAlloc", "HostRegister", "HostMalloc"]
        .iter()
        .any(|it| name.starts_with(it))
        || name.starts_with("MemCreate")
        || name.starts_with("MemMap")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_all_makers_are_known() {
        let names = [
            "cudaLaunchKernel",
            "cuLaunchKernelEx",
            "hipExtModuleLaunchKernel",
            "cudaGraphLaunch",
            "cudaMemcpyAsync",
            "hipMemcpyWithStream",
            "cudaStreamSynchronize",
            "cudaMalloc",
            "cudaEventCreateWithFlags",
            "urEnqueueKernelLaunch",
            "cudaStreamIsCapturing",
            "aten::mm",
        ];
        insta::assert_debug_snapshot!(names.map(RuntimeCall::of), @"
        [
            Launch,
            Launch,
            Launch,
            GraphLaunch,
            Copy,
            CopyAndWait,
            Synchronize,
            Allocate,
            Create,
            Launch,
            Other,
            Other,
        ]
        ");
    }
}
