use std::time::{Duration, Instant};

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let a = Tensor::ones((1024, 1024), DType::F32, &device)?;

    for _ in 0..3 {
        a.matmul(&a)?;
    }
    device.synchronize()?;

    let begin = Instant::now();
    a.matmul(&a)?;
    let unsynchronized = begin.elapsed();

    device.synchronize()?;
    let begin = Instant::now();
    let b = a.matmul(&a)?;
    device.synchronize()?;
    let synchronized = begin.elapsed();

    assert!(unsynchronized > Duration::ZERO && synchronized > Duration::ZERO);
    let b = b.flatten_all()?;
    let (least, most) = (b.min(0)?.to_scalar::<f32>()?, b.max(0)?.to_scalar::<f32>()?);
    println!(
        "every number of b is 1024: {}",
        (least, most) == (1024.0, 1024.0)
    );
    Ok(())
}
