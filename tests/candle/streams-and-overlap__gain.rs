use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

/// One loop, in the one stream that candle uses.
fn ms(device: &Device, host: &[Tensor], other: &Tensor, kernels: usize) -> Result<f64> {
    let start = Instant::now();
    for batch in host {
        let batch = batch.to_device(device)?;
        for _ in 0..kernels {
            (&batch + other)?;
        }
    }
    device.synchronize()?;
    Ok(start.elapsed().as_secs_f64() * 1000.0)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let rows = if device.is_cuda() { 2048 } else { 4 };
    let other = Tensor::ones((rows, 2560), DType::F32, &device)?;
    let host = (0..8)
        .map(|_| Tensor::ones((rows, 2560), DType::F32, &Device::Cpu))
        .collect::<Result<Vec<_>>>()?;

    let counts = [1, 2, 4, 6, 8, 12, 24, 48];
    for kernels in counts {
        for _ in 0..2 {
            assert!(ms(&device, &host, &other, kernels)? > 0.0);
        }
    }
    println!("batches {} loops {}", host.len(), 2 * counts.len());
    Ok(())
}
