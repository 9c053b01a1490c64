use std::collections::BTreeMap;

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let features = Tensor::randn(0f32, 1f32, (4, 8, 16), &Device::Cpu)?;
    let batch = BTreeMap::from([
        ("features", features),
        ("mask", Tensor::ones((4, 8), DType::U8, &Device::Cpu)?),
        ("labels", Tensor::new(&[0i64, 2, 1, 0], &Device::Cpu)?),
    ]);

    let moved = batch
        .into_iter()
        .map(|(name, tensor)| Ok((name, tensor.to_device(&device)?)))
        .collect::<Result<BTreeMap<_, _>>>()?;

    for (name, tensor) in &moved {
        let (shape, dtype) = (tensor.dims(), tensor.dtype());
        let bytes = tensor.elem_count() * dtype.size_in_bytes();
        let place = tensor.device().location();
        println!("{name} {shape:?} {dtype:?} {place:?} {bytes}");
    }
    Ok(())
}
