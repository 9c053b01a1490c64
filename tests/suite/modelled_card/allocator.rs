//! The options of PyTorch's caching allocator, what it allows, and what it shows.

use super::{from_shell, run_on};
use crate::support::lab_runner::run_once;

/// A T4 that is full with segments of 1000 MiB, which are free but for 400 MiB each in every second one; then 9000 MiB at once.
const PIECES: &str = "import torch
def block(mib): return torch.empty(mib * 2**20, dtype=torch.uint8, device='cuda')
large = [block(1000) for step in range(14)]
del large
small = [block(400) for step in range(14)]
del small[::2]
print(torch.cuda.memory_allocated() >> 20)
x = block(9000)
print('fits')
";

#[test]
fn expandable_segments_have_no_memory_in_pieces() {
    let pieces = run_once(from_shell("t4", &[], PIECES));
    assert_eq!(pieces.raised().unwrap().kind, "torch.OutOfMemoryError");
    for name in ["PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"] {
        let variables = [(name, "expandable_segments:True")];
        let run = run_once(from_shell("t4", &variables, PIECES));
        assert_eq!(run.output, "2800\nfits\n");
    }
    let source = format!(
        "import os; os.environ['PYTORCH_ALLOC_CONF'] = 'expandable_segments:True'; {PIECES}"
    );
    assert_eq!(run_on("t4", &source).output, "2800\nfits\n");
}

#[test]
fn a_mistake_in_the_options_is_raised_at_the_first_use_of_the_card() {
    let source = "import torch
print(torch.cuda.is_available())
for what in (torch.cuda.init, lambda: torch.ones(2, device='cuda')):
    try: what()
    except ValueError as error: print(error)
";
    let variables = [("PYTORCH_ALLOC_CONF", "max_split:128")];
    let run = run_once(from_shell("t4", &variables, source));
    insta::assert_snapshot!(run.output, @"
    True
    Unrecognized key 'max_split' in Accelerator allocator config.
    Unrecognized key 'max_split' in Accelerator allocator config.
    ");
}

#[test]
fn a_program_may_allow_itself_a_part_of_the_card() {
    let source = "import torch
cuda = torch.cuda
for fraction in (1, 1.5):
    try: cuda.set_per_process_memory_fraction(fraction)
    except (TypeError, ValueError) as error: print(error)
cuda.memory.set_per_process_memory_fraction(0.25, 0)
print(cuda.get_per_process_memory_fraction())
x = torch.empty(3 * 2**30, dtype=torch.uint8, device='cuda')
try: torch.empty(2**30, dtype=torch.uint8, device='cuda')
except cuda.OutOfMemoryError as error: print(error)
";
    insta::assert_snapshot!(run_on("t4", source).output, @"
    Invalid type for fraction argument, must be `float`
    Invalid fraction value: 1.5. Allowed range: 0~1
    0.25
    CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 11.62 GiB is free. 3.69 GiB allowed; Of the allocated memory 3.00 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. (modelled card: no GPU was touched)
    ");
}

#[test]
fn a_snapshot_names_segments_and_blocks() {
    let source = "import torch
first = torch.ones(1000, device='cuda')
large = torch.ones(3 * 2**20, device='cuda')
del first
for segment in torch.cuda.memory_snapshot():
    blocks = [(it['size'], it['requested_size'], it['state']) for it in segment['blocks']]
    print(segment['segment_type'], segment['total_size'], segment['allocated_size'], segment['is_expandable'], blocks)
";
    insta::assert_snapshot!(run_on("t4", source).output, @"
    small 2097152 0 False [(2097152, 0, 'inactive')]
    large 12582912 12582912 False [(12582912, 12582912, 'active_allocated')]
    ");
}

#[test]
fn older_names_of_resets_warn_as_in_pytorch() {
    let source = "import torch, warnings
x = torch.ones(2**20, device='cuda')
del x
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    torch.cuda.reset_max_memory_allocated()
print(torch.cuda.max_memory_allocated(), caught[0].category.__name__, caught[0].message)
";
    insta::assert_snapshot!(run_on("t4", source).output, @"0 FutureWarning torch.cuda.reset_max_memory_allocated now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak memory stats.");
}
