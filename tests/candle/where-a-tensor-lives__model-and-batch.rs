use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Module, VarBuilder, VarMap};

fn mib(tensor: &Tensor) -> f64 {
    let bytes = tensor.elem_count() * tensor.dtype().size_in_bytes();
    bytes as f64 / 1_048_576.0
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(768, 3, builder)?;
    let batch = Tensor::randn(0f32, 1f32, (32, 128, 768), &Device::Cpu)?;
    let batch = batch.to_device(&device)?;

    let scores = model.forward(&batch)?;

    println!("model lives on {:?}", model.weight().device().location());
    println!("batch lives on {:?}", batch.device().location());
    println!("scores live on {:?}", scores.device().location());
    println!("scores have shape {:?}", scores.dims());
    println!("batch takes {:.1} MiB", mib(&batch));
    println!("scores take {:.3} MiB", mib(&scores));
    Ok(())
}
