use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Linear, Module, Optimizer, SGD, VarBuilder, VarMap};

fn train_step(model: &Linear, optimizer: &mut SGD, images: &Tensor) -> Result<Tensor> {
    let loss = model.forward(images)?.sqr()?.mean_all()?;
    optimizer.backward_step(&loss)?;
    Ok(loss.detach())
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(512, 512, builder)?;
    let mut optimizer = SGD::new(weights.all_vars(), 0.1)?;
    let images = Tensor::ones((64, 512), DType::F32, &device)?;

    let mut losses = Vec::new();
    for _ in 0..6 {
        losses.push(train_step(&model, &mut optimizer, &images)?);
    }
    let read = Tensor::stack(&losses, 0)?.to_vec1::<f32>()?;

    assert!(read.iter().all(|loss| loss.is_finite()));
    println!("steps: {}", losses.len());
    println!("images in a step: {}", images.dim(0)?);
    Ok(())
}
