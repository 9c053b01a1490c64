use candle_core::{Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let lengths: Vec<usize> = (0..1000).map(|number| 1 + number % 7).collect();
    let mut notes = Vec::new();
    for (number, &length) in lengths.iter().enumerate() {
        notes.push(Tensor::full(number as f32, length, &Device::Cpu)?);
    }

    let packed = Tensor::cat(&notes, 0)?.to_device(&device)?;
    let mut moved = Vec::new();
    let mut first = 0;
    for &length in &lengths {
        moved.push(packed.narrow(0, first, length)?);
        first += length;
    }

    println!("notes {} numbers {first}", moved.len());
    println!("last note {:?}", moved[999].to_vec1::<f32>()?);
    Ok(())
}
