use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Module, Optimizer, SGD, VarBuilder, VarMap};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(768, 3, builder)?;
    let mut optimizer = SGD::new(weights.all_vars(), 0.1)?;
    let tickets = Tensor::randn(0f32, 1f32, (64, 768), &Device::Cpu)?;
    let classes = Tensor::from_iter((0..64u32).map(|it| it % 3), &Device::Cpu)?;

    // No loader here: a batch is a part of the tickets.
    let (features, labels) = (tickets.narrow(0, 0, 32)?, classes.narrow(0, 0, 32)?);
    let place = |tensor: &Tensor| format!("{:?}", tensor.device().location());
    println!("1 read: {:?} on {}", features.dims(), place(&features));

    let (moved, targets) = (features.to_device(&device)?, labels.to_device(&device)?);
    println!("2 copied: {:?} on {}", moved.dims(), place(&moved));

    let logits = model.forward(&moved)?;
    let loss = candle_nn::loss::cross_entropy(&logits, &targets)?;
    let (dims, there) = (logits.dims(), place(&logits));
    println!("3 forward: logits {dims:?} on {there}");

    let gradients = loss.backward()?;
    let Some(gradient) = gradients.get(model.weight()) else {
        candle_core::bail!("the weight has no gradient");
    };
    let (dims, there) = (gradient.dims(), place(gradient));
    println!("4 backward: gradient {dims:?} on {there}");
    optimizer.step(&gradients)?;

    let _logged: f32 = loss.to_scalar()?;
    println!("5 logging: a Rust f32");
    Ok(())
}
