//! `_matrices`: what the decompositions in `lib/warpup/_decompositions.py` compute of one matrix, on lists of rows.

use rustpython_vm::pymodule;

pub(super) use _matrices::module_def;

#[pymodule]
mod _matrices {
    use crate::kernels::matrices::{
        EliminationResult, Lines, Triple, eliminate, identity, singular,
    };
    use crate::python::convert;
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

    fn lines(rows: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Lines> {
        let none = || vm.new_type_error("a matrix is a list of rows");
        let number = |it: PyObjectRef| convert::number(&it, vm).map(|it| it.0).ok_or_else(none);
        let line = |row: PyObjectRef| -> PyResult<Vec<f64>> {
            let row = convert::items(&row).ok_or_else(none)?;
            row.into_iter().map(number).collect()
        };
        let rows = convert::items(rows).ok_or_else(none)?;
        rows.into_iter().map(line).collect()
    }

    fn line(numbers: Vec<f64>, vm: &VirtualMachine) -> PyObjectRef {
        let numbers = numbers.into_iter().map(|it| vm.ctx.new_float(it).into());
        vm.ctx.new_list(numbers.collect()).into()
    }

    /// The determinant, the inverse as rows, and the number of the first row without a pivot or -1.
    #[pyfunction]
    fn inverted(rows: PyObjectRef, vm: &VirtualMachine) -> PyResult<(f64, PyObjectRef, i64)> {
        let rows = lines(&rows, vm)?;
        let beside = identity(rows.len());
        let EliminationResult {
            determinant,
            solution,
            singular_at,
        } = eliminate(rows, beside);
        let solution = solution.into_iter().map(|it| line(it, vm)).collect();
        let singular_at = singular_at.map_or(-1, |it| it as i64);
        Ok((determinant, vm.ctx.new_list(solution).into(), singular_at))
    }

    /// Triples of a column of U, a singular value and a row of Vh.
    #[pyfunction]
    fn rotated(rows: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let found = singular(&lines(&rows, vm)?).into_iter();
        let triple = |it: Triple| {
            let (left, right) = (line(it.left, vm), line(it.right, vm));
            let value = vm.ctx.new_float(it.value).into();
            vm.ctx.new_tuple(vec![left, value, right]).into()
        };
        Ok(vm.ctx.new_list(found.map(triple).collect()).into())
    }
}
