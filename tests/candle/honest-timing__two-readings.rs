use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let width = if device.is_cuda() { 4000 } else { 4 };
    let weight = Tensor::ones((width, 256), DType::F32, &device)?;

    let rows = [70, 140, 280, 560, 1120];
    for count in rows {
        let batch = Tensor::ones((count, width), DType::F32, &device)?;
        batch.matmul(&weight)?; // warm up
        device.synchronize()?;
        let start = Instant::now();
        for _ in 0..50 {
            batch.matmul(&weight)?;
        }
        let asked = start.elapsed();
        device.synchronize()?;
        let worked = start.elapsed();
        assert!(asked <= worked);
    }
    println!("rows in the last round {}", rows[4]);
    Ok(())
}
