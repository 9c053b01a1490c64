use candle_core::{DType, Device, Result, Tensor, Var};
use candle_nn::loss::mse;

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let features = Tensor::arange(0f32, 16f32, &device)?.reshape((8, 2))?;
    let targets = Tensor::arange(0f32, 8f32, &device)?.reshape((8, 1))?;
    let weight = Var::zeros((1, 2), DType::F32, &device)?;
    let scores = |x: &Tensor| x.matmul(&weight.t()?);

    let gradients = mse(&scores(&features)?, &targets)?.backward()?;
    let whole = gradients.get(&weight).unwrap();

    // Each `backward` of candle gives gradients of its own, so the sum is ours to make.
    let pieces = 4;
    let mut summed = weight.zeros_like()?;
    for (x, y) in features.chunk(pieces, 0)?.iter().zip(targets.chunk(pieces, 0)?) {
        let loss = (mse(&scores(x)?, &y)? / pieces as f64)?;
        summed = (summed + loss.backward()?.get(&weight).unwrap())?;
    }

    println!("whole batch {:?}", whole.to_vec2::<f32>()?);
    println!("four pieces {:?}", summed.to_vec2::<f32>()?);
    Ok(())
}
