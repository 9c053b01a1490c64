use std::collections::BTreeMap;

use candle_core::{DType, Device, DeviceLocation, Result, Tensor};

enum Field {
    One(Tensor),
    Named(BTreeMap<&'static str, Self>),
    Row(Vec<Self>),
    Other,
}

fn preflight(here: DeviceLocation, field: &Field, name: &str) -> Result<usize> {
    let mut seen = 0;
    match field {
        Field::One(tensor) => {
            let there = tensor.device().location();
            if there != here {
                candle_core::bail!("{name} is on {there:?}, the model is on {here:?}");
            }
            seen += 1;
        }
        Field::Named(parts) => {
            for (key, part) in parts {
                seen += preflight(here, part, &format!("{name}.{key}"))?;
            }
        }
        Field::Row(parts) => {
            for (at, part) in parts.iter().enumerate() {
                seen += preflight(here, part, &format!("{name}[{at}]"))?;
            }
        }
        Field::Other => {}
    }
    Ok(seen)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let tokens = Tensor::zeros((2, 5), DType::I64, &device)?;
    let mask = Tensor::ones((2, 5), DType::U8, &device)?;
    let labels = Tensor::new(&[0i64, 2], &device)?;
    let state = Tensor::zeros((2, 8), DType::F32, &device)?;
    let inputs = BTreeMap::from([("tokens", Field::One(tokens)), ("mask", Field::One(mask))]);
    let hidden = vec![Field::One(state.clone()), Field::One(state)];
    let batch = Field::Named(BTreeMap::from([
        ("inputs", Field::Named(inputs)),
        ("labels", Field::One(labels)),
        ("hidden", Field::Row(hidden)),
        ("names", Field::Other),
    ]));

    let seen = preflight(device.location(), &batch, "batch")?;
    println!("tensors seen: {seen}");
    Ok(())
}
