use std::collections::BTreeMap;

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{VarBuilder, VarMap};

fn preflight(model: &candle_nn::Linear, batch: &BTreeMap<&str, Tensor>) -> Result<()> {
    let here = model.weight().device().location();
    for (name, tensor) in batch {
        let there = tensor.device().location();
        if there != here {
            candle_core::bail!("{name} is on {there:?}, the model is on {here:?}");
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(16, 3, builder)?;
    let batch = BTreeMap::from([
        ("features", Tensor::ones((4, 16), DType::F32, &device)?),
        ("mask", Tensor::ones(4, DType::U8, &device)?),
        ("labels", Tensor::new(&[0i64, 2, 1, 0], &device)?),
    ]);

    preflight(&model, &batch)?;
    println!("all fields are on {:?}", device.location());
    Ok(())
}
