//! `torch.profiler` and `torch.utils.benchmark` on a modelled card.

use super::run_on;

#[test]
fn a_profile_has_operations_kernels_and_says_that_times_are_modelled() {
    let run = run_on(
        "t4",
        r#"
import torch
from torch.profiler import ProfilerActivity, profile, record_function
x = torch.ones(1024, 1024, device="cuda")
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as prof:
    with record_function("products"):
        y = x @ x @ x
    y.sum().item()
rows = {it.key: it for it in prof.key_averages()}
print(sorted(rows))
print(rows["aten::matmul"].count, rows["matmul"].count)
kernels = rows["matmul"].self_device_time_total
print(rows["products"].device_time_total == kernels == rows["aten::matmul"].self_device_time_total)
print(prof.key_averages().table(row_limit=1).splitlines()[-1])
"#,
    );
    let printed: Vec<&str> = run.output.lines().collect();
    let rows = "['Memcpy DtoH', 'aten::copy', 'aten::matmul', 'aten::sum', 'cublasCreate_v2', 'cudaDeviceSynchronize', 'matmul', 'products', 'sum']";
    let modelled = "All times are modelled, those of the host as well: Tesla T4 (modelled).";
    assert_eq!(printed, [rows, "2 2", "True", modelled]);
}

#[test]
fn a_timer_waits_for_the_card() {
    let run = run_on(
        "t4",
        r#"
import torch
from torch.utils.benchmark import Timer
x = torch.ones(2048, 2048, device="cuda")
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
x @ x  # cuBLAS starts
start.record()
x @ x
end.record()
end.synchronize()
measured = Timer("x @ x", globals={"x": x}).timeit(10)
print(measured.mean * 1e3 >= start.elapsed_time(end))
print(repr(measured).splitlines()[-1])
"#,
    );
    assert_eq!(run.output, "True\n  The clock is modelled\n");
}
