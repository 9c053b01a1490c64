use candle_core::DType;

/// Bytes that training holds: so many f32 numbers for each parameter.
fn floor(parameters: u64, numbers_each: u64) -> u64 {
    parameters * numbers_each * DType::F32.size_in_bytes() as u64
}

fn main() {
    for (name, each) in [("SGD", 2), ("SGD with momentum", 3), ("Adam", 4)] {
        let held = floor(1_000_000_000, each) as f64;
        let (gb, gib) = (held / 1e9, held / (1u64 << 30) as f64);
        println!("{name}: {gb:.2} GB are {gib:.2} GiB");
    }
}
