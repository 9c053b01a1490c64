use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

/// The better of two tries, in milliseconds.
fn milliseconds(device: &Device, work: impl Fn() -> Result<Tensor>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let start = Instant::now();
        work()?;
        device.synchronize()?;
        best = best.min(1000.0 * start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let product = |here: &Tensor| {
        let product = here.to_device(&device)?.matmul(&here.to_device(&device)?)?;
        product.to_device(&Device::Cpu)
    };

    let sizes = [16, 32, 64, 128, 256, 512, 1024];
    let mut times = Vec::new();
    for size in sizes {
        let here = Tensor::ones((size, size), DType::F32, &Device::Cpu)?;
        let there = here.to_device(&device)?;
        times.push([
            milliseconds(&device, || here.matmul(&here))?,
            milliseconds(&device, || product(&here))?,
            milliseconds(&device, || there.matmul(&there))?,
        ]);
    }

    let small = Tensor::ones((16, 16), DType::F32, &Device::Cpu)?;
    let (on_host, on_device) = (small.matmul(&small)?, product(&small)?);
    let both = on_host.to_vec2::<f32>()? == on_device.to_vec2::<f32>()?;
    println!("sizes tried {}", times.len());
    println!("host and device agree: {both}");
    Ok(())
}
