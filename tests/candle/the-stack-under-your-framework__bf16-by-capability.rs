use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};

fn milliseconds(side: usize, dtype: DType, device: &Device) -> Result<f64> {
    let a = Tensor::ones((side, side), dtype, device)?;
    let b = Tensor::ones((side, side), dtype, device)?;
    a.matmul(&b)?;
    device.synchronize()?;
    let start = Instant::now();
    a.matmul(&b)?;
    device.synchronize()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    for dtype in [DType::F32, DType::BF16] {
        let mut times = Vec::new();
        for side in [96, 192, 384, 768] {
            let took = milliseconds(side, dtype, &device)?;
            times.push(format!("{side}:{took:.3}ms"));
        }
        let row = Tensor::ones((1, 256), dtype, &device)?;
        let sum = row.matmul(&row.t()?)?.to_dtype(DType::F32)?;
        let sum = sum.reshape(())?.to_scalar::<f32>()?;
        let bytes = dtype.size_in_bytes();
        let times = times.join(" ");
        println!("{dtype:?} takes {bytes} bytes; 256 ones sum to {sum:.1}; {times}");
    }
    Ok(())
}
