//! Elements read at, written to, or added at positions that index tensors name.

use super::launch::{Argument, Grid, Module, launch, memory};
use super::walk::Walk;
use super::{floats, on_one_card, wide_type};
use crate::kernels::fast::{contiguous, copied};
use crate::shape;
use candle_core::{DType, Error, Result, Tensor};

/// As many dimensions may be indexed at once: `Positions` in `positions.cu`.
const MOST_INDICES: usize = 4;

/// Where elements of a tensor lie, some of whose dimensions are indexed.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    /// The shape of the elements.
    shape: Vec<usize>,
    /// For each dimension of that shape, the dimension of the tensor that it goes along; nothing for those of an index.
    along: Vec<Option<usize>>,
    /// Dimensions of the tensor, and their index tensors, which broadcast to the shape.
    indexed: Vec<(usize, Tensor)>,
    /// Whether a negative index counts from the end.
    from_end: bool,
}

impl Positions {
    /// Those of `gather` and `scatter`.
    pub(crate) fn along_dim(index: &Tensor, dim: usize) -> Self {
        Self {
            shape: index.dims().to_vec(),
            along: along_all_but(index.rank(), dim),
            indexed: vec![(dim, index.clone())],
            from_end: false,
        }
    }

    /// Those of `index_select` in a tensor of these sizes.
    pub(crate) fn of_slices(sizes: &[usize], index: &Tensor, dim: usize) -> Result<Self> {
        let count = index.elem_count();
        let (mut shape, mut beside) = (sizes.to_vec(), vec![1; sizes.len()]);
        for of in [&mut shape, &mut beside] {
            if let Some(it) = of.get_mut(dim) {
                *it = count;
            }
        }
        Ok(Self {
            along: along_all_but(shape.len(), dim),
            shape,
            indexed: vec![(dim, index.reshape(beside)?)],
            from_end: false,
        })
    }

    /// Those of `tensor[i, j]` in a tensor of these sizes, whose index tensors have one shape.
    pub(crate) fn of_indices(sizes: &[usize], dims: &[usize], indices: &[&Tensor]) -> Result<Self> {
        let picked = indices.first().map_or(&[][..], |it| it.dims());
        let shape = shape::index(sizes, dims, picked);
        let at = shape::index_at(dims);
        let mut along: Vec<Option<usize>> = (0..sizes.len())
            .filter(|it| !dims.contains(it))
            .map(Some)
            .collect();
        along.splice(at..at, picked.iter().map(|_| None));
        let behind = shape.len() - at - picked.len();
        let beside: Vec<usize> = picked
            .iter()
            .copied()
            .chain(std::iter::repeat_n(1, behind))
            .collect();
        let indexed = dims.iter().zip(indices);
        let indexed = indexed.map(|(dim, it)| Ok((*dim, it.reshape(&*beside)?)));
        Ok(Self {
            shape,
            along,
            indexed: indexed.collect::<Result<_>>()?,
            from_end: true,
        })
    }

    /// The end of a kernel's name for elements of this type; nothing for tensors that have no kernel.
    fn kernel(&self, tensors: &[&Tensor]) -> Option<usize> {
        let dtype = tensors.first()?.dtype();
        let indices = self.indexed.iter().map(|it| &it.1);
        let all: Vec<&Tensor> = tensors.iter().copied().chain(indices).collect();
        let is_one_type = tensors.iter().all(|it| it.dtype() == dtype);
        let fits = self.indexed.len() <= MOST_INDICES && is_one_type;
        (fits && on_one_card(&all) && !self.shape.contains(&0)).then(|| dtype.size_in_bytes())
    }

    /// How many neighbours are read at once: as many as one access takes, where they lie together.
    fn together(&self, a: &Tensor) -> usize {
        let size = 16 / a.dtype().size_in_bytes();
        let is_whole = |it: &usize| it.is_multiple_of(size);
        let (Some(Some(last)), Some(width)) = (self.along.last(), self.shape.last()) else {
            return 1;
        };
        let mut indices = self.indexed.iter();
        let others = a.stride().iter().enumerate().filter(|it| it.0 != *last);
        let start = a.storage_and_layout().1.start_offset();
        let lies_together = a.stride().get(*last) == Some(&1)
            && is_whole(width)
            && indices.all(|it| it.1.dims().last() == Some(&1))
            && is_whole(&start)
            && others.map(|it| it.1).all(is_whole);
        if lies_together { size } else { 1 }
    }

    /// The same for groups of so many neighbours.
    fn of_groups(&self, size: usize) -> Self {
        let mut groups = self.clone();
        if let Some(last) = groups.shape.last_mut() {
            *last /= size;
        }
        groups
    }

    /// Runs a kernel over elements of a tensor, or over groups of so many.
    fn run(
        &self,
        kernel: &str,
        (a, group): (&Tensor, usize),
        given: &[Argument<'_>],
    ) -> Result<()> {
        let stride_of = |dim: usize| match a.stride().get(dim) {
            Some(1) => 1,
            Some(stride) => stride / group,
            None => 0,
        };
        let strides = self.along.iter().map(|it| it.map_or(0, stride_of));
        let rest = Walk::over(&self.shape, &strides.collect::<Vec<_>>());
        let rest = rest.ok_or_else(too_many_dims)?;
        let indices = self.indexed.iter().map(|(_, index)| {
            let index = index.to_dtype(DType::I64)?;
            index.broadcast_as(&*self.shape)
        });
        let mut indices = indices.collect::<Result<Vec<Tensor>>>()?;
        let first = indices.first().map(|it| it.stride().to_vec());
        if indices
            .iter()
            .any(|it| Some(it.stride()) != first.as_deref())
        {
            indices = indices.iter().map(contiguous).collect::<Result<_>>()?;
        }
        let index = indices
            .first()
            .map_or_else(|| Ok(Walk::default()), walk_of)?;
        let count: usize = self.shape.iter().product();
        let mut arguments = vec![Argument::U64(count as u64)];
        arguments.extend(given);
        arguments.extend([
            Argument::Walk(&rest),
            Argument::Walk(&index),
            Argument::U32(self.from_end.into()),
        ]);
        let signed = |it: usize| Argument::I64(i64::try_from(it).unwrap_or(i64::MAX));
        for at in 0..MOST_INDICES {
            let dim = self.indexed.get(at).map(|it| it.0);
            arguments.extend([
                indices.get(at).map_or(Argument::Absent, Argument::Data),
                signed(dim.and_then(|it| a.dims().get(it).copied()).unwrap_or(0)),
                signed(dim.map_or(0, stride_of)),
            ]);
        }
        let kernel = (Module::Positions, kernel);
        launch(a.device(), kernel, Grid::over(count), &arguments)
    }

    fn write(&self, kernel: &str, to: &Tensor, values: &Tensor) -> Result<()> {
        let values = values.broadcast_as(&*self.shape)?;
        let walk = walk_of(&values)?;
        let given = [
            Argument::Data(to),
            Argument::Data(&values),
            Argument::Walk(&walk),
        ];
        self.run(kernel, (to, 1), &given)
    }
}

/// The elements at these positions; nothing on the host, or where no kernel is for them.
pub(crate) fn read_at(a: &Tensor, positions: &Positions) -> Option<Result<Tensor>> {
    let bytes = positions.kernel(&[a])?;
    let group = positions.together(a);
    let run = || {
        let out = memory(&*positions.shape, a.dtype(), a.device())?;
        let given = [Argument::Data(&out), Argument::Data(a)];
        let kernel = format!("read_at_{}", bytes * group);
        positions
            .of_groups(group)
            .run(&kernel, (a, group), &given)?;
        Ok(out)
    };
    Some(run())
}

/// A copy with values at these positions.
pub(crate) fn written_at(
    a: &Tensor,
    values: &Tensor,
    positions: &Positions,
) -> Option<Result<Tensor>> {
    let kernel = format!("write_at_{}", positions.kernel(&[a, values])?);
    let run = || {
        let out = copied(a)?;
        positions.write(&kernel, &out, values)?;
        Ok(out)
    };
    Some(run())
}

/// A copy with values added at these positions.
pub(crate) fn added_at(
    a: &Tensor,
    values: &Tensor,
    positions: &Positions,
) -> Option<Result<Tensor>> {
    let dtype = a.dtype();
    // Sums of a narrow type would lose what is added late.
    let (sums, read, name) = match floats(dtype) {
        Some(name) => (wide_type(dtype), dtype, name),
        None => (DType::I64, DType::I64, "i64"),
    };
    positions.kernel(&[a, values])?;
    let kernel = format!("add_at_{name}");
    let run = || {
        let values = values.to_dtype(read)?;
        let out = if dtype == sums {
            copied(a)?
        } else {
            contiguous(&a.to_dtype(sums)?)?
        };
        positions.write(&kernel, &out, &values)?;
        out.to_dtype(dtype)
    };
    Some(run())
}

fn along_all_but(rank: usize, dim: usize) -> Vec<Option<usize>> {
    (0..rank).map(|it| (it != dim).then_some(it)).collect()
}

fn walk_of(it: &Tensor) -> Result<Walk> {
    Walk::over(it.dims(), it.stride()).ok_or_else(too_many_dims)
}

fn too_many_dims() -> Error {
    Error::msg(
        "a tensor on a card with so many dimensions cannot be indexed; make it contiguous first",
    )
}
