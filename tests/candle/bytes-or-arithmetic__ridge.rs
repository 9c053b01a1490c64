use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

fn seconds(device: &Device, work: impl Fn() -> Result<Tensor>) -> Result<f64> {
    work()?;
    device.synchronize()?;
    let start = Instant::now();
    for _ in 0..5 {
        work()?;
    }
    device.synchronize()?;
    Ok(start.elapsed().as_secs_f64() / 5.0)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let n = if device.is_cuda() { 4096 } else { 64 };
    let x = Tensor::ones((n, n), DType::F32, &device)?;
    let y = Tensor::ones((n, n), DType::F32, &device)?;

    let bytes_of_addition = 3 * x.elem_count() * x.dtype().size_in_bytes();
    let flop_of_product = 2 * n * n * n;

    let bandwidth = bytes_of_addition as f64 / seconds(&device, || &x + &y)?;
    let rate = flop_of_product as f64 / seconds(&device, || x.matmul(&y))?;
    assert!(rate / bandwidth > 0.0);
    let (for_sum, for_product) = (bytes_of_addition / (n * n), flop_of_product / (n * n * n));
    println!("bytes for each number of the sum {for_sum}");
    println!("FLOP for each number of the product {for_product} * n");
    Ok(())
}
