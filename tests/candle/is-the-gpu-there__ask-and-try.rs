use candle_core::{Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    println!("cuda_if_available chose {:?}", device.location());

    let x = Tensor::arange(0f32, 4f32, &Device::Cpu)?;
    let there = x.to_device(&device)?;
    let doubled = (&there * 2.0)?;
    let back = doubled.to_device(&Device::Cpu)?;
    println!("worked on {:?}", doubled.device().location());
    println!("came back as {:?}", back.to_vec1::<f32>()?);
    Ok(())
}
