use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;

    let x = Tensor::ones(3, DType::F32, &device)?;
    println!("x lives on {:?}", x.device().location());
    println!("total {:?}", x.sum_all()?.to_scalar::<f32>()?);
    Ok(())
}
