//! The fields of one event that somebody asks for, as the text has them.

use super::json_scanner::{JsonError, JsonScanner, Scalar};

/// An event as it is written. What is missing is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EventFields<'a> {
    pub(super) phase: &'a [u8],
    pub(super) category: &'a [u8],
    pub(super) name: &'a [u8],
    pub(super) process: &'a [u8],
    pub(super) thread: &'a [u8],
    pub(super) start: Option<Scalar<'a>>,
    pub(super) duration: Option<Scalar<'a>>,
    pub(super) args: EventArguments<'a>,
}

/// The arguments of an event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EventArguments<'a> {
    /// The name of a process or thread.
    pub(super) name: &'a [u8],
    pub(super) correlation: u64,
    pub(super) external: u64,
    pub(super) device: &'a [u8],
    pub(super) stream: &'a [u8],
    pub(super) bytes: Option<Scalar<'a>>,
    pub(super) address: u64,
    pub(super) allocated: u64,
    pub(super) reserved: u64,
    pub(super) device_type: Option<Scalar<'a>>,
    pub(super) device_id: Option<Scalar<'a>>,
    pub(super) dims: &'a [u8],
    pub(super) types: &'a [u8],
    /// Values of inputs that are not tensors.
    pub(super) values: &'a [u8],
    pub(super) stack: &'a [u8],
    pub(super) call_from: &'a [u8],
    pub(super) occupancy: Option<Scalar<'a>>,
    /// What ranks exchange in a kernel.
    pub(super) collective: &'a [u8],
    pub(super) element: &'a [u8],
    pub(super) elements_in: u64,
    pub(super) elements_out: u64,
    pub(super) ranks: u64,
}

/// Reads the event that is next.
pub(super) fn read<'a>(scanner: &mut JsonScanner<'a>) -> Result<EventFields<'a>, JsonError> {
    let mut fields = EventFields::default();
    if !scanner.take(b'{') {
        return scanner.broken("expected an event, which begins with `{`");
    }
    scanner.depth += 1;
    let mut is_first = true;
    while let Some(key) = scanner.key(&mut is_first)? {
        if key == b"args" && scanner.peek() == Some(b'{') {
            fields.args = args(scanner)?;
            continue;
        }
        let value = scanner.value()?;
        match key {
            b"ph" => fields.phase = value.bytes(),
            b"cat" => fields.category = value.bytes(),
            b"name" => fields.name = value.bytes(),
            b"pid" => fields.process = value.bytes(),
            b"tid" => fields.thread = value.bytes(),
            b"ts" => fields.start = Some(value),
            b"dur" => fields.duration = Some(value),
            _ => {}
        }
    }
    scanner.depth -= 1;
    Ok(fields)
}

fn args<'a>(scanner: &mut JsonScanner<'a>) -> Result<EventArguments<'a>, JsonError> {
    let mut args = EventArguments::default();
    scanner.take(b'{');
    scanner.depth += 1;
    let mut is_first = true;
    while let Some(key) = scanner.key(&mut is_first)? {
        let value = scanner.value()?;
        match key {
            b"name" => args.name = value.bytes(),
            b"correlation" => args.correlation = value.count().unwrap_or(0),
            b"External id" | b"external id" => args.external = value.count().unwrap_or(0),
            b"device" => args.device = value.bytes(),
            b"stream" => args.stream = value.bytes(),
            b"bytes" | b"Bytes" => args.bytes = Some(value),
            b"Addr" => args.address = value.count().unwrap_or(0),
            b"Total Allocated" => args.allocated = value.count().unwrap_or(0),
            b"Total Reserved" => args.reserved = value.count().unwrap_or(0),
            b"Device Type" => args.device_type = Some(value),
            b"Device Id" => args.device_id = Some(value),
            b"Input Dims" | b"Input dims" => args.dims = value.bytes(),
            b"Input type" => args.types = value.bytes(),
            b"Concrete Inputs" => args.values = value.bytes(),
            b"Call stack" => args.stack = value.bytes(),
            b"CallFrom" => args.call_from = value.bytes(),
            b"est. achieved occupancy %" => args.occupancy = Some(value),
            b"Collective name" => args.collective = value.bytes(),
            b"dtype" => args.element = value.bytes(),
            b"In msg nelems" => args.elements_in = value.count().unwrap_or(0),
            b"Out msg nelems" => args.elements_out = value.count().unwrap_or(0),
            b"Group size" => args.ranks = value.count().unwrap_or(0),
            _ => {}
        }
    }
    scanner.depth -= 1;
    Ok(args)
}
