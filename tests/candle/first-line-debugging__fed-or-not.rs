use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Module, Optimizer, SGD, VarBuilder, VarMap};

fn feed(rows: &[Tensor], device: &Device) -> Result<Tensor> {
    Tensor::stack(rows, 0)?.to_device(device)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(1024, 1024, builder)?;
    let mut optimizer = SGD::new(weights.all_vars(), 0.1)?;
    let rows = (0..128u8)
        .map(|number| Tensor::full(f32::from(number % 7), 1024, &Device::Cpu))
        .collect::<Result<Vec<_>>>()?;

    let mut losses = Vec::new();
    for _ in 0..6 {
        let batch = feed(&rows, &device)?;
        let loss = model.forward(&batch)?.sqr()?.mean_all()?;
        optimizer.backward_step(&loss)?;
        losses.push(loss.detach());
    }

    println!("steps: {}", losses.len());
    println!("shape of a batch: {:?}", feed(&rows, &device)?.dims());
    Ok(())
}
