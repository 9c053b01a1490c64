use std::time::{Duration, Instant};

use candle_core::{DType, Device, Result, Tensor};

fn timed(
    device: &Device,
    warmups: usize,
    repeats: usize,
    work: impl Fn() -> Result<()>,
) -> Result<Vec<Duration>> {
    for _ in 0..warmups {
        work()?;
    }
    let mut times = Vec::new();
    for _ in 0..repeats {
        device.synchronize()?;
        let start = Instant::now();
        work()?;
        device.synchronize()?;
        times.push(start.elapsed());
    }
    Ok(times)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let x = Tensor::ones((256, 256), DType::F32, &device)?;
    let found = timed(&device, 3, 5, || x.matmul(&x).map(drop))?;
    println!("timed {} repeats", found.len());
    Ok(())
}
