//! What the algorithms of a convolution work in, by cuDNN's names for them.
//!
//! cuDNN tells nobody before it is asked, so these are bounds from what the algorithms write: a model has no other way to
//! know. Which of them is taken is the device's matter.

use super::operation::all_bytes;
use crate::dtype::DType;
use crate::kernels::convolution::Steps;
use crate::meta::{ConvolutionMemory, Meta};

/// Rows and columns of a tile of `CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING` (cuDNN, *API Reference*: "32 × 32").
const TILE: u64 = 32;

/// The transform of a tile of real numbers has so many complex numbers of `float32`.
const TRANSFORM: u64 = TILE * (TILE / 2 + 1) * 8;

/// Tensor cores take the channels of a pixel 16 bytes at a time; cuDNN pads what is narrower (*Tensor Core Operations*).
const PIXEL: u64 = 16;

/// The three tensors of a convolution, whichever of them is the result.
pub(super) struct ConvolutionTensors<'a> {
    pub(super) input: &'a Meta,
    pub(super) weight: &'a Meta,
    pub(super) output: &'a Meta,
}

impl ConvolutionTensors<'_> {
    /// Bytes for each algorithm; `product` tells the three products of a convolution apart.
    pub(super) fn memory(&self, steps: &Steps, product: u64) -> ConvolutionMemory {
        let groups = steps.groups.max(1) as u64;
        let is_depthwise = groups > 1 && groups == channels(self.input);
        // PyTorch has a kernel of its own for those, and cuDNN's need no copies.
        if is_depthwise || all_bytes(&[self.input], self.output) == 0 {
            return ConvolutionMemory::default();
        }
        let is_plain = |numbers: &[usize]| numbers.iter().all(|it| *it == 1);
        let window: u64 = self.window().iter().product();
        // A product of matrices as they lie in memory.
        let is_product =
            window == 1 && is_plain(&steps.stride) && steps.padding.iter().all(|it| *it == 0);
        let reordered = if is_product {
            0
        } else {
            reordered(self.input).saturating_add(reordered(self.output))
        };
        ConvolutionMemory {
            reordered,
            lowered: self.lowered(window),
            transforms: if groups == 1 && is_plain(&steps.stride) && is_plain(&steps.dilation) {
                self.transforms()
            } else {
                0
            },
            shape: [
                product,
                self.input.count(),
                self.weight.count(),
                self.output.count(),
            ],
        }
    }

    /// The elements of a kernel along each spatial dimension.
    fn window(&self) -> Vec<u64> {
        spatial(self.weight)
    }

    /// Each result with the elements that it is a sum of; nothing where that is the input itself.
    fn lowered(&self, window: u64) -> u64 {
        if window == 1 {
            return 0;
        }
        let pixels = pixels(self.output);
        let each = window.saturating_mul(channels(self.input));
        pixels
            .saturating_mul(each)
            .saturating_mul(self.input.dtype.size())
    }

    /// Planes of input, weight and result as tiles, in two dimensions and for `float32` only.
    fn transforms(&self) -> u64 {
        let window = self.window();
        let output = spatial(self.output);
        let fits = window.len() == 2 && window.iter().all(|it| *it <= TILE);
        if !fits || self.input.dtype != DType::F32 {
            return 0;
        }
        let along = |(size, kernel): (&u64, &u64)| size.div_ceil(TILE + 1 - kernel);
        let tiles: u64 = output.iter().zip(&window).map(along).product();
        let planes = |it: &Meta| size(it, 0).saturating_mul(channels(it));
        let moved = planes(self.input).saturating_add(planes(self.output));
        moved
            .saturating_mul(tiles)
            .saturating_add(planes(self.weight))
            .saturating_mul(TRANSFORM)
    }
}

/// A copy with the channels of a pixel as neighbours.
fn reordered(tensor: &Meta) -> u64 {
    let each = channels(tensor).max(1).saturating_mul(tensor.dtype.size());
    pixels(tensor).saturating_mul(each.next_multiple_of(PIXEL))
}

fn pixels(of: &Meta) -> u64 {
    of.count() / channels(of).max(1)
}

fn channels(of: &Meta) -> u64 {
    size(of, 1)
}

fn size(of: &Meta, dim: usize) -> u64 {
    of.shape.get(dim).copied().unwrap_or(1) as u64
}

fn spatial(of: &Meta) -> Vec<u64> {
    let sizes = of.shape.get(2..).unwrap_or_default();
    sizes.iter().map(|it| *it as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// MiB of input and result in another order, of the lowered input, and of transforms.
    fn mib(dtype: DType, shapes: [[usize; 4]; 3], stride: usize, padding: usize) -> [u64; 3] {
        let [input, weight, output] = shapes.map(|it| Meta::new(it.to_vec(), dtype));
        let steps = Steps {
            stride: vec![stride; 2],
            padding: vec![padding; 2],
            dilation: vec![1; 2],
            groups: 1,
        };
        let tensors = ConvolutionTensors {
            input: &input,
            weight: &weight,
            output: &output,
        };
        let memory = tensors.memory(&steps, 0);
        [memory.reordered, memory.lowered, memory.transforms].map(|it| it / MIB)
    }

    /// ResNet-18 on 512 images: three channels of `float16` become eight.
    #[test]
    fn a_first_layer_is_lowered_to_many_times_its_input() {
        let shapes = [[512, 3, 224, 224], [64, 3, 7, 7], [512, 64, 112, 112]];
        assert_eq!(mib(DType::F16, shapes, 2, 3), [392 + 784, 1800, 0]);
    }

    /// The last layers of ResNet-50 on 128 images: the weight is what grows, for a tile has 32 × 32 elements whatever the
    /// kernel.
    #[test]
    fn transforms_of_small_kernels_are_large() {
        let shapes = [[128, 512, 7, 7], [2048, 512, 1, 1], [128, 2048, 7, 7]];
        assert_eq!(mib(DType::F32, shapes, 1, 0), [0, 0, 5712]);
        assert_eq!(mib(DType::F16, shapes, 1, 0), [0, 0, 0]);
        let shapes = [[128, 64, 56, 56], [64, 64, 3, 3], [128, 64, 56, 56]];
        assert_eq!(mib(DType::F32, shapes, 1, 1), [196, 882, 289]);
    }
}
