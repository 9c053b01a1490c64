use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let (rows, width) = if device.is_cuda() { (1100, 4000) } else { (4, 4) };
    let batch = Tensor::ones((rows, width), DType::F32, &device)?;
    let weight = Tensor::ones((width, 256), DType::F32, &device)?;
    for _ in 0..3 {
        batch.matmul(&weight)?; // warm up
    }

    let counts = [25, 50, 100, 200, 400];
    for count in counts {
        device.synchronize()?;
        let start = Instant::now();
        for _ in 0..count {
            batch.matmul(&weight)?;
        }
        let asked = start.elapsed();
        device.synchronize()?;
        let worked = start.elapsed();
        assert!(asked <= worked);
    }
    println!("products in the last round {}", counts[4]);
    Ok(())
}
