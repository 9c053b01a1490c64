use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Module, VarBuilder, VarMap};

fn kib(tensor: &Tensor) -> f64 {
    let bytes = tensor.elem_count() * tensor.dtype().size_in_bytes();
    bytes as f64 / 1024.0
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = candle_nn::linear(768, 3, builder)?;

    for count in [4, 8, 16, 32] {
        let batch = Tensor::zeros((count, 128, 768), DType::F32, &Device::Cpu)?;
        let batch = batch.to_device(&device)?;
        let scores = model.forward(&batch)?;
        let (in_kib, out_kib) = (kib(&batch), kib(&scores));
        println!("{count} texts: {in_kib:?} KiB in, {out_kib:?} KiB out");
        if count == 32 {
            println!("model lives on {:?}", model.weight().device().location());
            println!("scores live on {:?}", scores.device().location());
            println!("scores have shape {:?}", scores.dims());
        }
    }
    Ok(())
}
