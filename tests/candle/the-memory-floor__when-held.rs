use candle_core::{DType, Device, Result, Tensor, Var, backprop::GradStore};
use candle_nn::{Module, VarBuilder, VarMap, linear};

/// Makes its moments in the first step, as PyTorch's does.
/// candle's `AdamW` makes them when it is made itself.
struct Adam {
    parameters: Vec<Var>,
    moments: Vec<[Tensor; 2]>,
    steps: i32,
}

impl Adam {
    fn step(&mut self, gradients: &GradStore) -> Result<()> {
        if self.moments.is_empty() {
            let zeros = |it: &Var| Ok([it.zeros_like()?, it.zeros_like()?]);
            self.moments = self.parameters.iter().map(zeros).collect::<Result<_>>()?;
        }
        self.steps += 1;
        for (parameter, moments) in self.parameters.iter().zip(&mut self.moments) {
            let Some(gradient) = gradients.get(parameter) else {
                continue;
            };
            let first = ((&moments[0] * 0.9)? + (gradient * 0.1)?)?;
            let second = ((&moments[1] * 0.999)? + (gradient.sqr()? * 0.001)?)?;
            let mean = (&first / (1.0 - 0.9f64.powi(self.steps)))?;
            let square = (&second / (1.0 - 0.999f64.powi(self.steps)))?;
            let change = (mean / (square.sqrt()? + 1e-8)?)?;
            parameter.set(&(parameter.as_tensor() - (change * 0.001)?)?)?;
            *moments = [first, second];
        }
        Ok(())
    }

    /// Weights, gradients and moments: bytes for each parameter.
    fn print(&self, line: &str, gradients: Option<&GradStore>) {
        let bytes = |it: &Tensor| it.elem_count() * it.dtype().size_in_bytes();
        let parameters: usize = self.parameters.iter().map(|it| it.elem_count()).sum();
        let weights: usize = self.parameters.iter().map(|it| bytes(it)).sum();
        let stored = self.parameters.iter().filter_map(|it| gradients?.get(it));
        let gradients: usize = stored.map(bytes).sum();
        let moments: usize = self.moments.iter().flatten().map(bytes).sum();
        let each = [weights, gradients, moments].map(|it| it / parameters);
        println!("{line} {each:?} together {}", each.iter().sum::<usize>());
    }
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let model = linear(256, 256, builder)?;
    let mut optimizer = Adam {
        parameters: weights.all_vars(),
        moments: Vec::new(),
        steps: 0,
    };
    let x = Tensor::ones((8, 256), DType::F32, &device)?;

    optimizer.print("made", None);
    let loss = model.forward(&x)?.sqr()?.mean_all()?;
    optimizer.print("forward", None);
    let gradients = loss.backward()?;
    optimizer.print("backward", Some(&gradients));
    optimizer.step(&gradients)?;
    optimizer.print("step", Some(&gradients));
    drop(gradients); // in place of `zero_grad`
    optimizer.print("zero_grad", None);
    Ok(())
}
