use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Module, Optimizer, SGD, VarBuilder, VarMap};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(512, 3, builder)?;
    let mut optimizer = SGD::new(weights.all_vars(), 0.1)?;
    let features = Tensor::randn(0f32, 1f32, (4096, 512), &Device::Cpu)?.to_device(&device)?;
    let labels = Tensor::from_iter((0..4096u32).map(|it| it % 3), &Device::Cpu)?;
    let labels = labels.to_device(&device)?;

    let mut read_at = Vec::new();
    let mut history = Vec::new();
    for step in 1..=20 {
        let loss = candle_nn::loss::cross_entropy(&model.forward(&features)?, &labels)?;
        optimizer.backward_step(&loss)?;
        if step % 5 == 0 {
            read_at.push(step);
            history.push(loss.to_scalar::<f32>()?);
        }
    }

    println!("steps 20");
    println!("read at steps {read_at:?}");
    println!("loss fell: {}", history.last() < history.first());
    Ok(())
}
