use candle_core::{Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;

    let x = Tensor::arange(0f32, 6f32, &Device::Cpu)?.reshape((2, 3))?;
    println!("x starts on {:?}", x.device().location());

    let x = x.to_device(&device)?;
    let y = (&x * 2.0)?.sum(1)?;
    println!("x lives on {:?}", x.device().location());
    println!("y lives on {:?}", y.device().location());
    println!("y is {:?}", y.to_vec1::<f32>()?);

    let again = x.to_device(&device)?;
    again.zero_set()?;
    println!("x adds up to {:?}", x.sum_all()?.to_scalar::<f32>()?);
    Ok(())
}
