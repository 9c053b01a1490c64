//! What kernels and calls cost on a modelled card: by their access to memory, their alignment and their kind.

use super::run_on;

/// The microseconds that a program on an A100 prints for each expression, with what the host takes to queue it.
fn microseconds(before: &str, expressions: &[&str]) -> Vec<f64> {
    let all: Vec<String> = expressions
        .iter()
        .map(|it| format!("timed(lambda: {it})\n"))
        .collect();
    let source = format!(
        "import torch, time
F = torch.nn.functional
def timed(work):
    # Libraries start, and the allocator asks for memory.
    work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    torch.cuda.synchronize()
    print((time.perf_counter() - start) * 1e6)
{before}
{}",
        all.concat()
    );
    let output = run_on("a100", &source).output;
    output.lines().map(|it| it.parse().unwrap()).collect()
}

fn rounded(number: f64) -> String {
    format!("{number:.1}")
}

#[test]
fn a_softmax_of_long_rows_reads_them_three_times_and_one_of_columns_waits() {
    let took = microseconds(
        "short, long = (torch.empty(*it, device='cuda') for it in ((98304, 2048), (4096, 49152)))",
        &[
            "F.softmax(short, -1)",
            "F.softmax(long, -1)",
            "F.softmax(short, 0)",
        ],
    );
    assert_eq!(rounded(took[1] / took[0]), "1.8");
    // 2048 threads, of which each does 3 × 98304 loads.
    assert!((100.0..120.0).contains(&(took[2] / took[0])), "{took:?}");
}

#[test]
fn a_vocabulary_of_odd_rows_takes_three_times_as_long_where_its_rows_are_read() {
    let took = microseconds(
        "x = torch.empty(8192, 768, device='cuda', dtype=torch.bfloat16)
even, odd = (torch.empty(it, 768, device='cuda', dtype=torch.bfloat16) for it in (50304, 50257))
y = torch.empty(8192, 50304, device='cuda', dtype=torch.bfloat16)
z = torch.empty(8192, 50257, device='cuda', dtype=torch.bfloat16)",
        &[
            "F.linear(x, even)",
            "F.linear(x, odd)",
            "y @ even",
            "z @ odd",
        ],
    );
    assert_eq!(rounded(took[1] / took[0]), "1.0");
    assert_eq!(rounded(took[3] / took[2]), "3.6");
}

#[test]
fn a_copy_from_rows_to_columns_takes_longer_than_one_in_order() {
    let took = microseconds(
        "x = torch.empty(8192, 8192, device='cuda')",
        &["x.clone()", "x.t().contiguous()"],
    );
    assert_eq!(rounded(took[1] / took[0]), "2.5");
}

#[test]
fn the_host_takes_longer_for_some_calls_than_for_others() {
    let took = microseconds(
        "x = torch.empty(8, 8, device='cuda')
c = torch.empty(1, 8, 8, 8, device='cuda')
k = torch.empty(8, 8, 1, 1, device='cuda')
class Nothing(torch.nn.Module):
    def forward(self, x):
        return x
same, empty = Nothing(), lambda x: x",
        &[
            "x + x",
            "x.view(64)",
            "empty(x)",
            "same(x)",
            "x.sum(0)",
            "F.conv2d(c, k)",
        ],
    );
    // The last kernel of each, 2 us, is in these; of the convolution its copies, too.
    let host: Vec<String> = took.iter().map(|it| rounded(it - took[2])).collect();
    assert_eq!(host, ["6.8", "1.1", "0.0", "3.5", "8.8", "29.0"]);
}
