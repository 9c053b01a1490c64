//! What computed the operations of a real card where it is not the kernel that is expected, in sentences. Pure.

use super::units::bytes;
use warpup_protocol::{CudnnUse, HostWork, HostWorkKind, Report};

/// How many operations get a sentence.
const MOST: usize = 3;

/// A sentence for each operation that the host computed, those with most bytes; one for cuDNN's operations, and one if device
/// times are lost. The small copies of operations are for programs only.
pub fn sentences(report: &Report) -> Vec<String> {
    let computed = report.host_work.iter();
    let computed: Vec<&HostWork> = computed
        .filter(|it| it.what == HostWorkKind::Computed)
        .collect();
    let mut said: Vec<String> = computed.iter().take(MOST).map(|it| sentence(it)).collect();
    match computed.len().saturating_sub(MOST) {
        0 => {}
        1 => said.push("1 more operation was computed on the host".to_owned()),
        more => said.push(format!("{more} more operations were computed on the host")),
    }
    said.extend(report.cudnn.as_deref().map(cudnn));
    let lost = report.device_times.as_ref().map_or(0, |it| it.lost);
    if lost > 0 {
        said.push(format!(
            "the device times of {lost} operations are lost, so those of their lines are too small"
        ));
    }
    said
}

fn sentence(work: &HostWork) -> String {
    let times = match work.times {
        1 => String::new(),
        times => format!(", {times} times"),
    };
    format!(
        "line {}: computed on the host, since warpup has no kernel for it: {}{times} ({})",
        work.line,
        work.operation,
        bytes(work.bytes)
    )
}

fn cudnn(it: &CudnnUse) -> String {
    let of = "convolutions and recurrent layers";
    match &it.version {
        Some(version) if it.other_calls == 0 => format!("{of}: computed by cuDNN {version}"),
        Some(version) => format!(
            "{of}: {} of {} calls computed by cuDNN {version}, the others by warpup's own slower kernels",
            it.calls,
            it.calls + it.other_calls
        ),
        None => format!(
            "{of}: computed by warpup's own kernels, slower than cuDNN's, which PyTorch takes; there is no cuDNN here ({}); \
             pip install 'warpup[cuda]' brings it",
            it.why
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{DeviceTimer, DeviceTimes, Outcome};

    #[test]
    fn operations_of_the_host_and_lost_times_are_told() {
        let work = |line, operation: &str, what, times| HostWork {
            line,
            operation: operation.to_owned(),
            what,
            times,
            bytes: 1 << 20,
        };
        let report = Report {
            host_work: vec![
                work(5, "max_pool2d", HostWorkKind::Computed, 1),
                work(6, "index", HostWorkKind::CopiedToDevice, 40),
                work(7, "sort", HostWorkKind::Computed, 12),
                work(8, "prod", HostWorkKind::Computed, 1),
                work(9, "topk", HostWorkKind::Computed, 1),
            ],
            cudnn: Some(Box::new(CudnnUse {
                version: Some("9.12.0".to_owned()),
                calls: 4,
                other_calls: 1,
                ..CudnnUse::default()
            })),
            device_times: Some(Box::new(DeviceTimes {
                by: DeviceTimer::Cupti,
                why: String::new(),
                lost: 7,
            })),
            ..Report::without_times(Outcome::Done)
        };
        insta::assert_snapshot!(sentences(&report).join("\n"), @"
        line 5: computed on the host, since warpup has no kernel for it: max_pool2d (1.00 MiB)
        line 7: computed on the host, since warpup has no kernel for it: sort, 12 times (1.00 MiB)
        line 8: computed on the host, since warpup has no kernel for it: prod (1.00 MiB)
        1 more operation was computed on the host
        convolutions and recurrent layers: 4 of 5 calls computed by cuDNN 9.12.0, the others by warpup's own slower kernels
        the device times of 7 operations are lost, so those of their lines are too small
        ");
    }
}
