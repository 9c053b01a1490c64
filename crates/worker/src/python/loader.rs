//! `_loader`: the native functions of `torch.utils.data` for lanes of workers. Which worker makes which batch is in
//! `lib/warpup/utils/data`.

use rustpython_vm::pymodule;

pub(super) use _loader::module_def;

#[pymodule]
mod _loader {
    use crate::device::HostCall;
    use crate::python::convert::{checked, engine};
    use rustpython_vm::{PyResult, VirtualMachine};
    use warpup_protocol::{BatchKind, Lane, Span};

    /// How many processes the host runs at once; `None` where workers take turns with the program.
    #[pyfunction]
    fn cores(vm: &VirtualMachine) -> PyResult<Option<u32>> {
        Ok(engine(vm)?.loader_cores())
    }

    /// Starts workers; the numbers of their lanes.
    #[pyfunction]
    fn start(count: u32, vm: &VirtualMachine) -> PyResult {
        let lanes = engine(vm)?.start_workers(count).into_iter();
        let numbers = lanes.filter_map(|it| match it {
            Lane::Worker(number) => Some(vm.ctx.new_int(number).into()),
            Lane::Host | Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost | Lane::Pinning => {
                None
            }
        });
        Ok(vm.ctx.new_list(numbers.collect()).into())
    }

    /// Ends workers, and waits for that.
    #[pyfunction]
    fn end(lanes: Vec<u32>, vm: &VirtualMachine) -> PyResult<()> {
        let lanes: Vec<Lane> = lanes.into_iter().map(Lane::Worker).collect();
        engine(vm)?.end_workers(&lanes);
        Ok(())
    }

    /// A worker goes on when it is free, and not before its indices were sent.
    #[pyfunction]
    fn enter_worker(lane: u32, sent_ns: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.enter_lane(Lane::Worker(lane), sent_ns);
        Ok(())
    }

    /// The worker sends its batch of so many tensors; when it had done so.
    #[pyfunction]
    fn leave_worker(tensors: u64, vm: &VirtualMachine) -> PyResult<u64> {
        let engine = engine(vm)?;
        engine.call_loader(HostCall::SendBatch { tensors });
        Ok(engine.leave_lane(Span::BATCH))
    }

    /// The worker has run the program's `worker_init_fn`.
    #[pyfunction]
    fn leave_init(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.leave_lane("worker_init_fn");
        Ok(())
    }

    /// The pinning thread takes a batch of so many tensors when it is free, and not before it was sent.
    #[pyfunction]
    fn enter_pinning(tensors: u64, sent_ns: u64, vm: &VirtualMachine) -> PyResult<()> {
        let engine = engine(vm)?;
        engine.enter_lane(Lane::Pinning, sent_ns);
        engine.call_loader(HostCall::ReceiveBatch { tensors });
        Ok(())
    }

    /// The pinning thread has pinned it; when.
    #[pyfunction]
    fn leave_pinning(vm: &VirtualMachine) -> PyResult<u64> {
        Ok(engine(vm)?.leave_lane(Span::PIN))
    }

    /// The program waits until a batch is ready.
    #[pyfunction]
    fn wait(ready_ns: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.wait_for_batch(ready_ns);
        Ok(())
    }

    /// A loader without workers begins to make a batch; what `end_batch` takes.
    #[pyfunction]
    fn begin_batch(vm: &VirtualMachine) -> PyResult<(u32, u64, u64)> {
        Ok(engine(vm)?.begin_batch())
    }

    /// It has made it.
    #[pyfunction]
    fn end_batch(line: u32, begun_ns: u64, done_ns: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.end_batch((line, begun_ns, done_ns));
        Ok(())
    }

    /// The program gets a batch of a loader with so many workers, which pins its batches or does not.
    #[pyfunction]
    fn deliver(workers: u32, is_pinned: bool, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.count_batch(BatchKind { workers, is_pinned });
        Ok(())
    }

    /// A batch is made, beyond its examples.
    #[pyfunction]
    fn make(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.call_loader(HostCall::Batch);
        Ok(())
    }

    /// The program receives a batch of so many tensors from a worker.
    #[pyfunction]
    fn receive(tensors: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.call_loader(HostCall::ReceiveBatch { tensors });
        Ok(())
    }

    /// The program exchanges a message with a worker or with the pinning thread.
    #[pyfunction]
    fn message(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.call_loader(HostCall::Message);
        Ok(())
    }

    /// The card is made ready, if it is not: the pinning thread asks for its number.
    #[pyfunction]
    fn first_use(vm: &VirtualMachine) -> PyResult<()> {
        checked(engine(vm)?.first_use(), vm)
    }
}
