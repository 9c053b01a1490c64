use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{AdamW, Module, Optimizer, VarBuilder, VarMap};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let (batch, wide, hidden) = (256, 512, 2048);
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let up = candle_nn::linear(wide, hidden, builder.pp("up"))?;
    let down = candle_nn::linear(hidden, wide, builder.pp("down"))?;
    let mut optimizer = AdamW::new_lr(weights.all_vars(), 1e-3)?;
    let features = Tensor::randn(0f32, 1f32, (batch, wide), &device)?;

    let kept = up.forward(&features)?.relu()?;
    let given = down.forward(&kept)?;
    optimizer.backward_step(&given.sqr()?.mean_all()?)?;

    let mib = |numbers: usize| numbers as f64 * 4.0 / 1024.0 / 1024.0;
    let numbers: usize = weights.all_vars().iter().map(|it| it.elem_count()).sum();
    println!("weights {:.2} MiB", mib(numbers));
    println!("gradients {:.2} MiB", mib(numbers));
    println!("optimizer {:.2} MiB", mib(2 * numbers));
    println!(
        "activations {:.2} MiB",
        mib(kept.elem_count() + given.elem_count())
    );
    Ok(())
}
