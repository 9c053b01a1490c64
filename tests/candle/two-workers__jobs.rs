/// Milliseconds: each job takes 2.
fn one_at_a_time(jobs: u32) -> u32 {
    2 * jobs
}

/// Milliseconds: up to 1000 jobs together take 40.
fn in_batches(jobs: u32) -> u32 {
    40 * jobs.div_ceil(1000)
}

fn main() {
    for jobs in [1, 10, 100, 1000, 10000] {
        let (one, other) = (one_at_a_time(jobs), in_batches(jobs));
        println!("{jobs} jobs: {one} ms or {other} ms");
    }

    for worker in [one_at_a_time, in_batches] {
        let latency = worker(1);
        let throughput = 10000 * 1000 / worker(10000);
        println!("latency {latency} ms, throughput {throughput} jobs a second");
    }
}
