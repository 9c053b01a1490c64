use candle_core::{DType, Device, Result, Tensor, Var};
use candle_nn::{Optimizer, SGD};

/// The next running mean of the loss, at most 3. A NaN, which differs from itself, is left out.
fn smooth(mean: &Tensor, loss: &Tensor, limit: &Tensor) -> Result<Tensor> {
    let new = (mean + ((loss - mean)? * 0.1)?)?;
    loss.ne(loss)?.where_cond(mean, &new)?.minimum(limit)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let n = if device.is_cuda() { 2100 } else { 16 };
    let heavy = Tensor::ones((n, n), DType::F32, &device)?;
    let w = Var::zeros(1, DType::F32, &device)?;
    let mut optimizer = SGD::new(vec![w.clone()], 0.25)?;

    let limit = Tensor::full(3f32, (), &device)?; // once, before the loop
    let mut mean = limit.clone();
    let mut steps = 0;
    for _ in 0..20 {
        let prepared = ((Tensor::ones(1 << 20, DType::F32, &Device::Cpu)? * 3.0)? - 2.0)?;
        let batch = prepared.to_device(&device)?;
        let loss = (w.broadcast_mul(&batch)? - 2.0)?.sqr()?.mean_all()?;
        optimizer.backward_step(&loss)?;
        heavy.matmul(&heavy)?;
        mean = smooth(&mean, &loss.detach(), &limit)?;
        steps += 1;
    }

    println!("steps {steps}");
    println!("running mean {:.2}", mean.to_scalar::<f32>()?);
    Ok(())
}
