//! The workspaces of matrix products on a modelled card.

use super::run_on;
use crate::support::lab_runner::run_once;
use crate::support::request::python_on;
use warpup_protocol::Purpose;

fn printed(source: &str) -> String {
    run_on("t4", source).output
}

/// PyTorch 2.15 allocates the workspace of cuBLAS for each product and frees it after that: 8320 KiB, or 32 MiB on Hopper,
/// and 1 MiB where cuBLASLt adds a bias.
#[test]
fn a_product_allocates_the_workspace_of_its_library_and_frees_it() {
    let source = r#"
import os
import torch
from torch import cuda
a = torch.ones(256, 256, device="cuda")
layer = torch.nn.Linear(256, 256, device="cuda")
ints = torch.ones(4, 4, dtype=torch.int64, device="cuda")
def extra(work):
    cuda.reset_peak_memory_stats()
    before = cuda.memory_allocated()
    result = work()
    held = max(-(-result.nbytes // 512), 1) * 512
    return cuda.max_memory_allocated() - before - held, cuda.memory_allocated() - before - held
for work in (
    lambda: a + a,
    lambda: a @ a,
    lambda: a.expand(3, 256, 256) @ a.expand(3, 256, 256),
    lambda: a @ a[0],
    lambda: torch.dot(a[0], a[0]),
    lambda: layer(a),
    lambda: torch.addmm(a, a, a),
    lambda: a[:0] @ a,
):
    print(*extra(work))
torch._C._cuda_clearCublasWorkspaces()
print(torch.backends.cuda.cublas_workspace_size(), torch.backends.cuda.cublaslt_workspace_size())
torch.backends.cuda.cublas_workspace_size(1024)
# PyTorch reads it before the first product.
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":16:8"
print(extra(lambda: a @ a))
"#;
    let lines = |workspace: u64| {
        let kept = format!("{workspace} 0");
        let rows = ["0 0", &kept, &kept, &kept, &kept, "1048576 0", &kept, "0 0"];
        format!("{}\n{workspace} 1048576\n(1024, 0)\n", rows.join("\n"))
    };
    assert_eq!(printed(source), lines(8_519_680));
    assert_eq!(run_on("h100", source).output, lines(33_554_432));
}

#[test]
fn the_environment_sets_the_workspace_before_the_first_product() {
    let printed = printed(
        r#"
import os
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
import torch
a = torch.ones(4, 4, device="cuda")
a @ a
print(torch.cuda.max_memory_allocated() >> 20, torch.backends.cuda.cublas_workspace_size() >> 20)
"#,
    );
    assert_eq!(printed, "32 32\n");
}

#[test]
fn a_workspace_that_is_kept_stays_with_its_stream_until_it_is_cleared() {
    let printed = printed(
        r#"
import os
os.environ["TORCH_CUBLAS_WORKSPACE_CACHE"] = "1"
import torch
a = torch.ones(256, 256, device="cuda")
layer = torch.nn.Linear(256, 256, device="cuda")
def more(before=torch.cuda.memory_allocated()):
    return torch.cuda.memory_allocated() - before
with torch.no_grad():
    a @ a
    print(more())
    layer(a)
    a @ a
    print(more())
    with torch.cuda.stream(torch.cuda.Stream()):
        a @ a
    print(more())
torch.cuda.empty_cache()
print(more())
torch._C._cuda_clearCublasWorkspaces()
print(more())
"#,
    );
    assert_eq!(printed, "8519680\n8519680\n17039360\n17039360\n0\n");
}

/// `tiny.py` and `mlp.py` under PyTorch 2.11 on an H200: 65.0 MiB, in the one beside next to nothing, in the other beside 482.
#[test]
fn a_report_says_what_pytorch_before_2_15_keeps() {
    let kept = |source: &str| {
        let memory = run_on("h200", source).report.unwrap().memory.unwrap();
        memory
            .kept_before_2_15
            .map(|it| (it.bytes >> 20, it.peak_live >> 20))
    };
    let tiny = "import torch
nn = torch.nn
m = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).cuda()
loss = m(torch.zeros(4, 8, device='cuda')).sum()
";
    assert_eq!(kept(tiny), Some((33, 33)));
    assert_eq!(kept(&format!("{tiny}loss.backward()\n")), Some((65, 65)));
    assert_eq!(
        kept("import torch\ntorch.ones(4, device='cuda') + 1\n"),
        None
    );
    let cached = "import os\nos.environ['TORCH_CUBLAS_WORKSPACE_CACHE'] = '1'\n";
    assert_eq!(kept(&format!("{cached}{tiny}")), None);
}

#[test]
fn the_workspace_has_a_name_of_its_own_at_the_peak() {
    let source = "import torch\na = torch.ones(1024, 1024, device='cuda')\na @ a\n";
    let memory = run_once(python_on("model:t4", source))
        .report
        .unwrap()
        .memory
        .unwrap();
    let held = [Purpose::Inputs, Purpose::Workspace, Purpose::Temporaries];
    let held = held.map(|it| memory.peak.of(it) >> 10);
    assert_eq!((memory.peak_line, held), (3, [4096, 8320, 4096]));
    assert_eq!(memory.floor, 0);
}
