//! The weights of a recurrent layer, as cuDNN wants them in one space.

use super::descriptors::Descriptor;
use super::handle::Handle;
use super::library::{Failure, call};
use crate::kernels::card::launch::{address_of, copy_bytes};
use candle_core::Tensor;

/// A part of a weight or a bias that lies in one piece in both places.
struct Piece {
    /// Which of the four tensors: both weights, then both biases.
    tensor: usize,
    /// Bytes from its beginning.
    from: usize,
    /// Bytes from the beginning of the space.
    to: usize,
    bytes: usize,
}

/// Where each part lies.
pub(super) struct WeightSpace {
    pieces: Vec<Piece>,
    pub(super) bytes: usize,
}

impl WeightSpace {
    /// As cuDNN describes it, for a layer with so many gates. `space` is its memory, and the tensors are those that lie in
    /// it, or are of the same sizes.
    pub(super) fn of(
        handle: &Handle,
        layer: &Descriptor,
        gates: usize,
        (space, bytes): (u64, usize),
        tensors: &[&Tensor],
    ) -> Result<Self, Failure> {
        let library = handle.library;
        let matrix = Descriptor::any_tensor(library)?;
        let bias = Descriptor::any_tensor(library)?;
        let mut pieces: Vec<Piece> = Vec::new();
        for side in 0..2 {
            for gate in 0..gates {
                let (mut of_matrix, mut of_bias) = (0, 0);
                call!(
                    library,
                    cudnnGetRNNWeightParams(
                        handle.raw,
                        layer.raw,
                        0,
                        bytes,
                        space,
                        (side * gates + gate) as i32,
                        matrix.raw,
                        &raw mut of_matrix,
                        bias.raw,
                        &raw mut of_bias
                    )
                )?;
                for (tensor, address) in [(side, of_matrix), (side + 2, of_bias)] {
                    let Some(whole) = tensors.get(tensor) else {
                        continue;
                    };
                    let size = whole.elem_count() * whole.dtype().size_in_bytes() / gates;
                    let piece = Piece {
                        tensor,
                        from: gate * size,
                        to: usize::try_from(address.wrapping_sub(space)).unwrap_or(usize::MAX),
                        bytes: size,
                    };
                    if piece.to.saturating_add(size) > bytes {
                        return Err(Failure::NotSupported);
                    }
                    pieces.push(piece);
                }
            }
        }
        Ok(Self {
            pieces: joined(pieces),
            bytes,
        })
    }

    /// Copies the tensors into the space.
    pub(super) fn fill(&self, space: &Tensor, tensors: &[&Tensor]) -> candle_core::Result<()> {
        let to = address_of(space)?;
        for piece in &self.pieces {
            if let Some(tensor) = tensors.get(piece.tensor) {
                let from = address_of(tensor)? + piece.from as u64;
                copy_bytes(space.device(), to + piece.to as u64, from, piece.bytes)?;
            }
        }
        Ok(())
    }

    /// Copies the gradients out of the space, each to its address.
    pub(super) fn take(&self, space: &Tensor, addresses: &[u64]) -> candle_core::Result<()> {
        let from = address_of(space)?;
        for piece in &self.pieces {
            if let Some(to) = addresses.get(piece.tensor) {
                let to = to + piece.from as u64;
                copy_bytes(space.device(), to, from + piece.to as u64, piece.bytes)?;
            }
        }
        Ok(())
    }
}

/// Pieces that follow each other in both places are one.
fn joined(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by_key(|it| (it.tensor, it.from));
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match all.last_mut() {
            Some(last)
                if last.tensor == piece.tensor
                    && last.from + last.bytes == piece.from
                    && last.to + last.bytes == piece.to =>
            {
                last.bytes += piece.bytes;
            }
            Some(_) | None => all.push(piece),
        }
    }
    all
}
