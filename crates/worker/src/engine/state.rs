//! What the engine of one run holds: the device, the recorder, the ledger, the modes, and the line that runs.
//!
//! What it does lies in the other files of this folder, which import this one; this one imports none of them.

use super::compiled::{CompiledNodes, Recomputation, Region};
use super::cpu_time::cpu_time;
use super::cuda_graph::Capture;
use super::in_flight::InFlight;
use super::interruptions::Interruptions;
use super::ledger::Ledger;
use super::notes::ProgramNotes;
use crate::device::{Allocation, BlasThread, CardFacts, Device, DeviceUnavailable, TensorDevice};
use crate::dtype::DType;
use crate::facts::{FactCounter, RunCounter};
use crate::kernels::card;
use crate::meta::Cost;
use crate::ops::{AllowTf32, AttentionBackends};
use crate::tensor::{Backlog, Charge, Pack, Tensor, graph_use};
use crate::trace::Recorder;
use std::cell::{Cell, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Duration;
use warpup_protocol::{Clock, NotComputed, Report, Span};

/// The engine of one run. All calls come from one thread.
pub(crate) struct Engine {
    pub(super) this: std::rc::Weak<Self>,
    pub(super) backend: RefCell<Box<dyn Device>>,
    pub(super) recorder: RefCell<Recorder>,
    pub(super) facts: RefCell<FactCounter>,
    /// What it did, if somebody may ask: its check, or who sees its report.
    pub(super) counts: RefCell<Option<RunCounter>>,
    /// The line of the first layer in training mode since gradients were switched off; 0 if there is none.
    pub(super) training_layer: Cell<u32>,
    /// Whether a loader without workers makes a batch.
    pub(super) is_loading: Cell<bool>,
    pub(super) grad_enabled: Cell<bool>,
    /// Whether the program is inside `torch.inference_mode`.
    pub(super) inference_mode: Cell<bool>,
    pub(super) autocast: AutocastState,
    /// Where `float32` may take the faster units with fewer digits, if a card has them.
    pub(super) tf32: Cell<AllowTf32>,
    /// The implementations of attention that the program allows on a card.
    pub(crate) attention: Cell<AttentionBackends>,
    pub(super) next_id: Cell<u64>,
    /// How what is saved for backward is kept, by the open blocks of the program, innermost last.
    pub(super) packing: RefCell<Vec<Option<Rc<dyn Pack>>>>,
    /// Where the memory that is counted is: on the card, or on the host where there is none.
    pub(super) home: CountedMemory,
    /// Whether a view is a call of the program, which takes host time, or made inside of one.
    pub(super) views_take_time: Cell<bool>,
    /// Whether anybody sees when an operation was done: on a card always, elsewhere if spans are kept.
    pub(super) tells_times: Cell<bool>,
    /// Whether the host waits for each kernel (`CUDA_LAUNCH_BLOCKING`).
    pub(super) launch_blocking: Cell<bool>,
    /// The kernel of a modelled card that has asserted something, if one has.
    pub(super) asserted: RefCell<Option<DeviceAssertion>>,
    /// Copies of a modelled card that are queued, and what the program did too early.
    pub(super) in_flight: InFlight,
    pub(super) notes: ProgramNotes,
    pub(super) ledger: RefCell<Ledger>,
    /// The workspaces of products that are kept, by stream.
    pub(super) workspaces: RefCell<BTreeMap<u32, Charge>>,
    /// The thread that PyTorch would be in.
    pub(super) thread: Cell<BlasThread>,
    /// The operations on a modelled card that are launched together, while there is such a batch.
    pub(super) together: Cell<Option<Batch>>,
    /// The CUDA graph that is being captured.
    pub(super) capture: RefCell<Option<Capture>>,
    /// The compiled code that runs, and what backward of earlier code computes again, by address.
    pub(super) region: RefCell<Option<Region>>,
    pub(super) recomputed: RefCell<HashMap<u64, Recomputation>>,
    /// Compiled code that a call of code which is not compiled interrupts.
    pub(super) paused_region: RefCell<Option<Region>>,
    /// The nodes that compiled code made.
    pub(super) compiled_nodes: RefCell<Vec<CompiledNodes>>,
    /// Lines that read a value which was not computed.
    pub(super) unknown_read: RefCell<BTreeSet<u32>>,
    /// Bytes of this machine's memory that values of tensors hold.
    pub(super) value_bytes: Cell<u64>,
    /// When another program had the interpreter's core.
    pub(super) interruptions: Interruptions,
    /// The values that wait until somebody reads them.
    pub(super) backlog: Rc<Backlog>,
    /// The first result of the run that was not computed.
    pub(super) not_computed: Cell<Option<NotComputed>>,
    /// The CPU time of this process before the run.
    pub(super) cpu_before: Duration,
    /// Whether the output says so already.
    pub(super) noticed: Cell<bool>,
    /// Report and spans of a program that has ended.
    pub(super) ended: RefCell<Option<(Report, Vec<Span>)>>,
}

/// How PyTorch runs an operation on lists of tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeachMode {
    /// One operation on all tensors; its results take memory (`torch._foreach_*`).
    Foreach,
    /// All operations of a step; what is between them takes no memory (`torch._fused_*`).
    Fused,
}

/// The operations that are launched together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) how: ForeachMode,
    pub(super) cost: Cost,
}

/// A kernel that has found an index out of range.
#[derive(Clone, Debug)]
pub(super) struct DeviceAssertion {
    /// When it runs into it, on the host's clock.
    pub(super) at_ns: u64,
    pub(super) line: u32,
    /// What was out of range.
    pub(super) why: String,
}

/// The memory that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedMemory {
    Card,
    Host,
}

impl CountedMemory {
    /// Where it is with this device.
    pub(super) fn of(device: &dyn Device) -> Self {
        if device.card().is_some() {
            Self::Card
        } else {
            Self::Host
        }
    }

    /// Whether this memory is counted.
    pub(super) fn counts(self, held: Allocation) -> bool {
        match held {
            Allocation::Host(_) => self == Self::Host,
            Allocation::Block(_) | Allocation::Card(_) => self == Self::Card,
        }
    }
}

/// The 16-bit type of each device, and casts that are kept.
#[derive(Debug, Default)]
pub(super) struct AutocastState {
    pub(super) on_cpu: Cell<Option<DType>>,
    pub(super) on_card: Cell<Option<DType>>,
    /// Whether a weight is cast once in a block, and not each time it is used.
    pub(super) caching: Cell<bool>,
    /// Weights in the 16-bit type, by the id of the weight.
    pub(super) weights: RefCell<HashMap<u64, Tensor>>,
}

impl AutocastState {
    pub(super) fn is_on(&self) -> bool {
        self.on_cpu.get().is_some() || self.on_card.get().is_some()
    }

    pub(super) fn dtype(&self, device: TensorDevice) -> Option<DType> {
        match device {
            TensorDevice::Cpu => self.on_cpu.get(),
            TensorDevice::Card(_) => self.on_card.get(),
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// PyTorch's defaults.
const PYTORCH_TF32: AllowTf32 = AllowTf32 {
    products: false,
    cudnn: true,
};

impl Engine {
    /// An engine on a device; spans up to a limit.
    pub(crate) fn new(mut device: Box<dyn Device>, spans: u32) -> Rc<Self> {
        card::forget();
        graph_use::begin();
        let backlog_bytes = device.value_budget().map_or(0, |it| it.backlog_bytes());
        let engine = Rc::new_cyclic(|this| Self {
            this: this.clone(),
            home: CountedMemory::of(&*device),
            tells_times: Cell::new(spans > 0 || device.clock() == Clock::Modelled),
            views_take_time: Cell::new(true),
            launch_blocking: Cell::new(false),
            asserted: RefCell::default(),
            in_flight: InFlight::of(device.clock() == Clock::Modelled),
            notes: ProgramNotes::default(),
            backend: RefCell::new(device),
            recorder: RefCell::new(Recorder::new(spans)),
            facts: RefCell::default(),
            counts: RefCell::default(),
            training_layer: Cell::new(0),
            is_loading: Cell::new(false),
            ledger: RefCell::default(),
            workspaces: RefCell::default(),
            thread: Cell::new(BlasThread::Program),
            together: Cell::new(None),
            capture: RefCell::default(),
            region: RefCell::default(),
            recomputed: RefCell::default(),
            paused_region: RefCell::default(),
            compiled_nodes: RefCell::default(),
            unknown_read: RefCell::default(),
            value_bytes: Cell::new(0),
            interruptions: Interruptions::default(),
            backlog: Backlog::new(backlog_bytes),
            not_computed: Cell::new(None),
            cpu_before: cpu_time(),
            noticed: Cell::new(false),
            grad_enabled: Cell::new(true),
            inference_mode: Cell::new(false),
            autocast: AutocastState::default(),
            tf32: Cell::new(PYTORCH_TF32),
            attention: Cell::new(AttentionBackends::ALL),
            next_id: Cell::new(0),
            packing: RefCell::default(),
            ended: RefCell::new(None),
        });
        // A run before this one may have changed it.
        engine.set_tf32(PYTORCH_TF32);
        engine
    }

    /// The host, and a card beside it, for questions and changes that concern nothing else.
    pub(crate) fn device(&self) -> RefMut<'_, Box<dyn Device>> {
        self.backend.borrow_mut()
    }

    pub(crate) fn has_card(&self) -> bool {
        self.home == CountedMemory::Card
    }

    /// The card, if there is one, as it is now.
    pub(crate) fn card(&self) -> Option<CardFacts> {
        self.backend.borrow().card()
    }

    /// Why the card was unavailable, which is not the program's mistake.
    pub(crate) fn unavailable(&self) -> Option<DeviceUnavailable> {
        self.backend.borrow_mut().real_card()?.unavailable()
    }

    pub(crate) fn clock(&self) -> Clock {
        self.backend.borrow().clock()
    }

    pub(crate) fn next_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }

    pub(crate) fn grad_enabled(&self) -> bool {
        self.grad_enabled.get()
    }

    /// Makes operations remember how to go backward, or not; says what it was.
    pub(crate) fn set_grad_enabled(&self, enabled: bool) -> bool {
        if enabled {
            self.training_layer.set(0);
        }
        self.grad_enabled.replace(enabled)
    }

    pub(crate) fn inference_mode(&self) -> bool {
        self.inference_mode.get()
    }

    /// Tensors that are made from now on are those of inference, or not; says what it was.
    pub(crate) fn set_inference_mode(&self, enabled: bool) -> bool {
        self.inference_mode.replace(enabled)
    }

    /// The program begins: the clock and the line times start here.
    pub(crate) fn start(&self) {
        self.backend.borrow_mut().start_clock();
        self.start_interruptions();
        self.recorder.borrow_mut().skip_to(self.now());
    }

    /// The program reaches a line, so deep in the stack.
    pub(crate) fn reach(&self, line: u32, depth: usize) {
        graph_use::reach(line);
        let mut backend = self.backend.borrow_mut();
        let mut recorder = self.recorder.borrow_mut();
        let now = backend.now();
        self.note_interruption(&mut recorder, now);
        recorder.reach_line((line, depth), now);
        // The line's own time begins here, so that it is charged to this line.
        backend.reach_line();
    }

    /// A function of the program ends, so deep in the stack.
    pub(crate) fn leave(&self, depth: usize) {
        let now = self.now();
        let mut recorder = self.recorder.borrow_mut();
        self.note_interruption(&mut recorder, now);
        recorder.leave_function(depth, now);
        drop(recorder);
        graph_use::reach(self.line());
    }

    /// The program is so deep in the stack: an exception may have left functions.
    pub(crate) fn return_to(&self, depth: usize) {
        if self.recorder.borrow().depth() > depth {
            self.leave(depth + 1);
        }
    }

    /// The line that runs now.
    pub(crate) fn line(&self) -> u32 {
        self.recorder.borrow().line()
    }
}
