use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let n = if device.is_cuda() { 4096 } else { 16 };
    let big = Tensor::ones((n, n), DType::F32, &device)?;
    let small = Tensor::ones(3, DType::F32, &device)?;
    big.matmul(&big)?;
    small.sum_all()?.to_scalar::<f32>()?; // the first use is over

    let start = Instant::now();
    let total = small.sum_all()?;
    let summed = start.elapsed();
    for _ in 0..10 {
        big.matmul(&big)?;
    }
    let queued = start.elapsed();
    let value = total.to_scalar::<f32>()?;
    let done = start.elapsed();
    println!("total {value:?}");
    assert!(summed <= queued && queued <= done);
    Ok(())
}
