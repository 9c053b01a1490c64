//! Shape rules, and PyTorch's words for breaking them.
//!
//! Pure arithmetic on sizes: the same rules serve devices that compute and cards that are modelled.

use super::error::TorchError;

/// The sizes of a tensor's dimensions; none for a scalar.
pub(crate) type Shape = Vec<usize>;

/// Elements of a tensor of this shape.
pub(crate) fn count(shape: &[usize]) -> u64 {
    shape
        .iter()
        .map(|size| *size as u64)
        .fold(1, u64::saturating_mul)
}

/// The shape as `[2, 3]`.
pub(crate) fn listed(shape: &[usize]) -> String {
    format!("{shape:?}")
}

/// The common shape of two operands.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> Result<Shape, TorchError> {
    let rank = a.len().max(b.len());
    let at = |shape: &[usize], dim: usize| {
        (dim + shape.len())
            .checked_sub(rank)
            .and_then(|it| shape.get(it))
            .copied()
            .unwrap_or(1)
    };
    let mut shape = vec![0; rank];
    // PyTorch names the last dimension that does not fit.
    for (dim, size) in shape.iter_mut().enumerate().rev() {
        *size = match (at(a, dim), at(b, dim)) {
            (x, y) if x == y => x,
            (1, y) => y,
            (x, 1) => x,
            (x, y) => {
                return Err(TorchError::runtime(format!(
                    "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {dim}"
                )));
            }
        };
    }
    Ok(shape)
}

/// A dimension as counted from the front.
pub(crate) fn dim(dim: i64, rank: usize) -> Result<usize, TorchError> {
    let span = rank.max(1) as i64;
    if dim < -span || dim >= span {
        return Err(TorchError::index(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -span,
            span - 1
        )));
    }
    Ok(usize::try_from(if dim < 0 { dim + span } else { dim }).unwrap_or(0))
}

/// The shape of a matrix product.
pub(crate) fn matmul(a: &[usize], b: &[usize]) -> Result<Shape, TorchError> {
    product("mm", a, b)
}

/// The shape of a matrix product. Where two matrices do not fit, the error begins with the name of PyTorch's operation.
pub(crate) fn product(operation: &str, a: &[usize], b: &[usize]) -> Result<Shape, TorchError> {
    let cannot_multiply = |rows: usize, inner: usize, k: usize, columns: usize| {
        TorchError::runtime(format!(
            "{operation}: mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {k}x{columns})"
        ))
    };
    match (a, b) {
        ([], _) | (_, []) => Err(TorchError::runtime(format!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            a.len(),
            b.len()
        ))),
        ([n], [k]) if n == k => Ok(vec![]),
        ([n], [k]) => Err(TorchError::runtime(format!(
            "inconsistent tensor size, expected tensor [{n}] and src [{k}] to have the same number of elements, but got {n} and {k} elements respectively"
        ))),
        ([.., rows, inner], [k]) if inner == k => {
            let mut out = a.split_at(a.len() - 2).0.to_vec();
            out.push(*rows);
            Ok(out)
        }
        ([.., rows, inner], [k]) => Err(TorchError::runtime(format!(
            "size mismatch, got input ({rows}), mat ({rows}x{inner}), vec ({k})"
        ))),
        ([n], [.., k, columns]) if n == k => {
            let mut out = b.split_at(b.len() - 2).0.to_vec();
            out.push(*columns);
            Ok(out)
        }
        ([n], [.., k, columns]) => Err(cannot_multiply(1, *n, *k, *columns)),
        ([batch_a @ .., rows, inner], [batch_b @ .., k, columns]) => {
            if inner != k {
                return Err(if batch_b.is_empty() {
                    cannot_multiply(count(batch_a) as usize * rows, *inner, *k, *columns)
                } else {
                    let batch = count(batch_b);
                    TorchError::runtime(format!(
                        "Expected size for first two dimensions of batch2 tensor to be: [{batch}, {inner}] but got: [{batch}, {k}]."
                    ))
                });
            }
            let mut out = broadcast(batch_a, batch_b)?;
            out.extend([*rows, *columns]);
            Ok(out)
        }
    }
}

/// The shape of `reshape`; one size may be -1.
pub(crate) fn reshape(from: &[usize], sizes: &[i64]) -> Result<Shape, TorchError> {
    let total = count(from);
    let invalid = || {
        TorchError::runtime(format!(
            "shape '{sizes:?}' is invalid for input of size {total}"
        ))
    };
    if sizes.iter().filter(|size| **size == -1).count() > 1 {
        return Err(TorchError::runtime("only one dimension can be inferred"));
    }
    if let Some(negative) = sizes.iter().find(|size| **size < -1) {
        return Err(TorchError::runtime(format!(
            "invalid shape dimension {negative}"
        )));
    }
    let known = sizes
        .iter()
        .filter_map(|size| u64::try_from(*size).ok())
        .try_fold(1_u64, u64::checked_mul)
        .ok_or_else(invalid)?;
    let inferred = if !sizes.contains(&-1) {
        if known == total { Some(1) } else { None }
    } else if known == 0 {
        return Err(TorchError::runtime(format!(
            "cannot reshape tensor of {total} elements into shape {sizes:?} because the unspecified dimension size -1 can be any value and is ambiguous"
        )));
    } else {
        total.is_multiple_of(known).then(|| total / known)
    };
    let inferred = inferred.ok_or_else(invalid)?;
    Ok(sizes
        .iter()
        .map(|size| usize::try_from(*size).unwrap_or(inferred as usize))
        .collect())
}

/// The strides that give this memory another shape without a copy; `None` if it needs one.
pub(crate) fn restrided(from: &[usize], strides: &[usize], to: &[usize]) -> Option<Vec<usize>> {
    let mut found = vec![1; to.len()];
    if count(from) == 0 {
        return Some(found);
    }
    // Runs of dimensions that lie without gaps, as (elements, step of the last one), from the last one.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let dims = from.iter().zip(strides).rev();
    for (size, stride) in dims.filter(|(size, _)| **size != 1) {
        match runs.last_mut() {
            Some((elements, step)) if *stride == *elements * *step => *elements *= size,
            _ => runs.push((*size, *stride)),
        }
    }
    // Each run has to be filled by whole sizes of the new shape.
    let mut runs = runs.into_iter();
    let mut run = runs.next().unwrap_or((1, 1));
    let mut filled = 1;
    for (size, stride) in to.iter().zip(&mut found).rev() {
        if filled == run.0 && *size != 1 {
            run = runs.next()?;
            filled = 1;
        }
        *stride = filled * run.1;
        filled *= size;
        if filled > run.0 {
            return None;
        }
    }
    (filled == run.0 && runs.next().is_none()).then_some(found)
}

/// The shape of indexing these dimensions with tensors of one shape.
pub(crate) fn index(from: &[usize], dims: &[usize], picked: &[usize]) -> Shape {
    let kept = |(at, size): (usize, &usize)| (!dims.contains(&at)).then_some(*size);
    let mut shape: Shape = from.iter().enumerate().filter_map(kept).collect();
    let at = index_at(dims);
    shape.splice(at..at, picked.iter().copied());
    shape
}

/// Where the dimensions of the index tensors are in the result of `index`.
pub(crate) fn index_at(dims: &[usize]) -> usize {
    let neighbours = dims.windows(2).all(|it| match it {
        [a, b] => a + 1 == *b,
        _ => true,
    });
    dims.first().copied().filter(|_| neighbours).unwrap_or(0)
}

/// The shape of `expand`; -1 keeps a size.
pub(crate) fn expand(from: &[usize], sizes: &[i64]) -> Result<Shape, TorchError> {
    let Some(extra) = sizes.len().checked_sub(from.len()) else {
        return Err(TorchError::runtime(format!(
            "expand: the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            sizes.len(),
            from.len()
        )));
    };
    sizes
        .iter()
        .enumerate()
        .map(|(at, size)| {
            let existing = at.checked_sub(extra).and_then(|it| from.get(it)).copied();
            match (existing, usize::try_from(*size)) {
                (Some(existing), _) if *size == -1 => Ok(existing),
                (Some(1) | None, Ok(size)) => Ok(size),
                (Some(existing), Ok(size)) if existing == size => Ok(size),
                (Some(existing), _) => Err(TorchError::runtime(format!(
                    "The expanded size of the tensor ({size}) must match the existing size ({existing}) at non-singleton dimension {at}.  Target sizes: {sizes:?}.  Tensor sizes: {from:?}"
                ))),
                (None, Err(_negative)) => Err(TorchError::runtime(format!(
                    "The expanded size of the tensor ({size}) isn't allowed in a leading, non-existing dimension {at}"
                ))),
            }
        })
        .collect()
}

/// The shape after reducing some dimensions; all of them if none is named.
pub(crate) fn reduce(from: &[usize], dims: &[usize], keep: Keep) -> Shape {
    from.iter()
        .enumerate()
        .filter_map(
            |(at, size)| match (dims.is_empty() || dims.contains(&at), keep) {
                (true, Keep::AsOne) => Some(1),
                (true, Keep::Drop) => None,
                (false, _) => Some(*size),
            },
        )
        .collect()
}

/// What happens to a reduced dimension (`keepdim`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Drop,
    AsOne,
}

/// The order of dimensions that undoes a permutation.
pub(crate) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse: Vec<usize> = (0..order.len()).collect();
    inverse.sort_by_key(|to| order.get(*to));
    inverse
}

/// Sizes for a new tensor; none may be negative.
pub(crate) fn creation(sizes: &[i64]) -> Result<Shape, TorchError> {
    sizes
        .iter()
        .map(|size| {
            usize::try_from(*size).map_err(|_negative| {
                TorchError::runtime(format!(
                    "Trying to create tensor with negative dimension {size}: {sizes:?}"
                ))
            })
        })
        .collect()
}

/// The shape of tensors joined along a dimension.
pub(crate) fn cat(shapes: &[&[usize]], along: usize) -> Result<Shape, TorchError> {
    let Some((first, rest)) = shapes.split_first() else {
        return Err(TorchError::value(
            "torch.cat(): expected a non-empty list of Tensors",
        ));
    };
    let mut out = first.to_vec();
    for (number, shape) in rest.iter().enumerate() {
        if shape.len() != first.len() {
            return Err(TorchError::runtime(format!(
                "Tensors must have same number of dimensions: got {} and {}",
                first.len(),
                shape.len()
            )));
        }
        for (at, (want, got)) in first.iter().zip(shape.iter()).enumerate() {
            if at == along {
                if let Some(size) = out.get_mut(at) {
                    *size += got;
                }
            } else if want != got {
                return Err(TorchError::runtime(format!(
                    "Sizes of tensors must match except in dimension {along}. Expected size {want} but got size {got} for tensor number {} in the list.",
                    number + 1
                )));
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: Result<Shape, TorchError>) -> String {
        match result {
            Ok(shape) => listed(&shape),
            Err(error) => error.message,
        }
    }

    #[test]
    fn shapes_broadcast_from_the_last_dimension() {
        assert_eq!(told(broadcast(&[2, 3], &[3])), "[2, 3]");
        assert_eq!(told(broadcast(&[4, 1, 3], &[2, 1])), "[4, 2, 3]");
        assert_eq!(
            told(broadcast(&[2, 3], &[2, 4])),
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
        );
        assert_eq!(
            told(broadcast(&[2, 3], &[3, 2])),
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1"
        );
    }

    #[test]
    fn memory_is_seen_otherwise_where_its_steps_allow_it() {
        assert_eq!(restrided(&[2, 6], &[6, 1], &[3, 4]), Some(vec![4, 1]));
        assert_eq!(restrided(&[6, 2], &[1, 6], &[12]), None);
        assert_eq!(restrided(&[6, 2], &[1, 6], &[2, 3, 2]), Some(vec![3, 1, 6]));
        assert_eq!(
            restrided(&[4, 2], &[6, 1], &[2, 2, 2]),
            Some(vec![12, 6, 1])
        );
        assert_eq!(restrided(&[4, 2], &[6, 1], &[8]), None);
        assert_eq!(restrided(&[3, 4], &[0, 1], &[3, 2, 2]), Some(vec![0, 2, 1]));
        assert_eq!(restrided(&[], &[], &[1, 1]), Some(vec![1, 1]));
    }

    #[test]
    fn matrix_products_follow_torch() {
        assert_eq!(told(matmul(&[32, 128, 768], &[768, 3])), "[32, 128, 3]");
        assert_eq!(told(matmul(&[3], &[3])), "[]");
        assert_eq!(told(matmul(&[5, 2, 3], &[5, 3, 4])), "[5, 2, 4]");
        assert_eq!(
            told(matmul(&[32, 128, 512], &[768, 3])),
            "mm: mat1 and mat2 shapes cannot be multiplied (4096x512 and 768x3)"
        );
    }

    #[test]
    fn reshapes_infer_one_size() {
        assert_eq!(told(reshape(&[6], &[2, -1])), "[2, 3]");
        assert_eq!(
            told(reshape(&[6], &[4, 2])),
            "shape '[4, 2]' is invalid for input of size 6"
        );
        assert_eq!(
            told(reshape(&[6], &[-1, 4])),
            "shape '[-1, 4]' is invalid for input of size 6"
        );
    }

    #[test]
    fn dimensions_count_from_either_end() {
        assert_eq!(dim(-1, 3), Ok(2));
        assert_eq!(
            dim(2, 2).unwrap_err().message,
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)"
        );
    }
}
