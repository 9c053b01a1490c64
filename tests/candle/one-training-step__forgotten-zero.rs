use candle_core::{Device, Result, Tensor, Var};
use candle_nn::{Optimizer, SGD};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weight = Var::new(&[2f32], &device)?;
    let mut optimizer = SGD::new(vec![weight.clone()], 0.25)?;

    for _ in 0..4 {
        let loss = (weight.as_tensor() * weight.as_tensor())?.sum_all()?;
        // Each backward pass returns new gradients: nothing can be left over.
        let gradients = loss.backward()?;
        let Some(gradient) = gradients.get(&weight) else {
            candle_core::bail!("the weight has no gradient");
        };
        let number = |tensor: &Tensor| tensor.squeeze(0)?.to_scalar::<f32>();
        let (value, slope) = (number(&weight)?, number(gradient)?);
        println!("weight {value:?} gradient {slope:?}");
        optimizer.step(&gradients)?;
    }
    Ok(())
}
