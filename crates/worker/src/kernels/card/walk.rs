//! Walks through strided memory, as a kernel takes them.

/// Dimensions that a kernel can walk over, after those that lie behind each other have become one.
const MOST_DIMS: usize = 8;

/// From the number of an element in row-major order to its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Walk {
    rank: u32,
    sizes: [u32; MOST_DIMS],
    strides: [i64; MOST_DIMS],
}

impl Walk {
    /// Over these dimensions; nothing if there are too many, or one is too long.
    pub(super) fn over(sizes: &[usize], strides: &[usize]) -> Option<Self> {
        let strides = strides.iter().map(|it| i64::try_from(*it).ok());
        Self::signed(sizes, &strides.collect::<Option<Vec<i64>>>()?)
    }

    /// The same where a stride may go back.
    pub(super) fn signed(sizes: &[usize], strides: &[i64]) -> Option<Self> {
        let mut walk = Self::default();
        for (size, stride) in sizes.iter().zip(strides) {
            if *size != 1 {
                walk.push(u32::try_from(*size).ok()?, *stride)?;
            }
        }
        Some(walk)
    }

    /// Sizes and strides of the dimensions that are left, the outer ones first.
    pub(super) fn dims(&self) -> impl DoubleEndedIterator<Item = (u32, i64)> {
        let all = self.sizes.iter().copied().zip(self.strides);
        let count = self.rank as usize;
        all.take(count)
    }

    /// One more dimension, inside of the others.
    fn push(&mut self, size: u32, stride: i64) -> Option<()> {
        let rank = self.rank as usize;
        if let Some(last) = rank.checked_sub(1) {
            let (outer, joined) = (self.sizes.get_mut(last)?, self.strides.get_mut(last)?);
            if *joined == stride * i64::from(size)
                && let Some(all) = outer.checked_mul(size)
            {
                (*outer, *joined) = (all, stride);
                return Some(());
            }
        }
        (*self.sizes.get_mut(rank)?, *self.strides.get_mut(rank)?) = (size, stride);
        self.rank += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Walk;

    fn walk(dims: &[(u32, i64)]) -> Walk {
        let mut walk = Walk::default();
        for (at, (size, stride)) in dims.iter().enumerate() {
            walk.rank += 1;
            walk.sizes[at] = *size;
            walk.strides[at] = *stride;
        }
        walk
    }

    #[test]
    fn dimensions_that_lie_behind_each_other_become_one() {
        let over = |sizes: &[usize], strides: &[usize]| Walk::over(sizes, strides).unwrap();
        assert_eq!(over(&[2, 3, 4], &[12, 4, 1]), walk(&[(24, 1)]));
        assert_eq!(over(&[2, 1, 4], &[8, 77, 1]), walk(&[(2, 8), (4, 1)]));
        assert_eq!(over(&[4, 3], &[1, 4]), walk(&[(4, 1), (3, 4)]));
        assert_eq!(over(&[5, 6], &[0, 0]), walk(&[(30, 0)]));
        assert_eq!(over(&[], &[]), walk(&[]));
        let back = Walk::signed(&[2, 3, 4], &[12, -4, -1]);
        assert_eq!(back, Some(walk(&[(2, 12), (12, -1)])));
    }

    #[test]
    fn more_dimensions_than_a_kernel_takes_are_refused() {
        let sizes = [2; 9];
        let strides: Vec<usize> = (0..9).map(|it| 3_usize.pow(it)).collect();
        assert_eq!(Walk::over(&sizes, &strides), None);
        assert_eq!(Walk::over(&[1 << 33, 2], &[1, 0]), None);
    }
}
