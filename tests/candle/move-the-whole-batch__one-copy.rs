use candle_core::{Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let rows = (0..1000)
        .map(|number| Tensor::full(number as f32, 256, &Device::Cpu))
        .collect::<Result<Vec<_>>>()?;

    let table = Tensor::stack(&rows, 0)?.to_device(&device)?;

    println!("table {:?}", table.dims());
    let first = table.get(999)?.get(0)?.to_scalar::<f32>()?;
    println!("last row begins with {first:.1}");
    Ok(())
}
