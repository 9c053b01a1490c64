//! What a trace shows over time, as plots: the launch queue of the busiest stream, and the memory of each device.

use super::analysis::{Analysis, Memory, Queue};
use warpup_protocol::{Plot, Series};

/// Plots of memory, at most; a host has few devices.
const DEVICES: usize = 4;

/// The plots that a trace has numbers for.
pub fn of(analysis: &Analysis) -> Vec<Plot> {
    let queue = analysis.queues.iter().max_by_key(|it| it.changes);
    let queue = queue.and_then(queued);
    let memory = analysis.memory.iter().take(DEVICES);
    queue.into_iter().chain(memory.filter_map(held)).collect()
}

/// How much was queued.
fn queued(queue: &Queue) -> Option<Plot> {
    let parts = queue.over_time.len();
    let part_ns = queue.span_ns as f64 / parts.max(1) as f64;
    // A part is as long as the others: its most is drawn in its middle.
    let points = queue.over_time.iter().enumerate().map(|(part, most)| {
        let at_ns = queue.start_ns as f64 + (part as f64 + 0.5) * part_ns;
        (at_ns, *most as f64)
    });
    plot(
        format!(
            "Launch queue of stream {} on device {}",
            queue.stream, queue.device
        ),
        "calls queued, the most".to_owned(),
        points.collect(),
    )
}

/// How much live tensors held.
fn held(memory: &Memory) -> Option<Plot> {
    let (unit, of) = unit(memory.peak_bytes);
    let points = memory.over_time.iter();
    let points = points.map(|it| (it.at_ns as f64, it.bytes as f64 / of));
    plot(
        format!("Memory on {}: {}", memory.device, memory.tensors()),
        format!("{unit}, the most"),
        points.collect(),
    )
}

/// A plot over time, of points in nanoseconds; none of less than two points.
fn plot(title: String, y_label: String, mut points: Vec<(f64, f64)>) -> Option<Plot> {
    let (Some(last), 2..) = (points.last(), points.len()) else {
        return None;
    };
    let (unit, of) = match last.0 {
        ns if ns >= 2e9 => ("s", 1e9),
        ns if ns >= 2e6 => ("ms", 1e6),
        _ => ("µs", 1e3),
    };
    for it in &mut points {
        it.0 /= of;
    }
    Some(Plot {
        title,
        x_label: format!("{unit} since the trace began"),
        y_label,
        series: vec![Series {
            points,
            ..Series::default()
        }],
        ..Plot::default()
    })
}

fn unit(bytes: u64) -> (&'static str, f64) {
    match bytes {
        0..2048 => ("B", 1.0),
        2048..0x20_0000 => ("KiB", 1024.0),
        0x20_0000..0x8000_0000 => ("MiB", f64::from(1 << 20)),
        0x8000_0000.. => ("GiB", f64::from(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Moment;

    #[test]
    fn parts_of_a_queue_are_drawn_in_the_middle_of_their_time() {
        let queue = Queue {
            device: "0".to_owned(),
            stream: "7".to_owned(),
            start_ns: 1_000_000,
            span_ns: 4_000_000,
            over_time: vec![3, 5],
            ..Queue::default()
        };
        let plot = queued(&queue).unwrap();
        assert_eq!(plot.series[0].points, [(2.0, 3.0), (4.0, 5.0)]);
        assert_eq!(plot.x_label, "ms since the trace began");
    }

    #[test]
    fn memory_is_in_the_unit_of_its_peak() {
        let moment = |at_ns, bytes| Moment { at_ns, bytes };
        let memory = Memory {
            device: "cuda:0".to_owned(),
            peak_bytes: 3 << 20,
            over_time: vec![moment(0, 1 << 20), moment(5_000, 3 << 20)],
            ..Memory::default()
        };
        let plot = held(&memory).unwrap();
        assert_eq!(plot.series[0].points, [(0.0, 1.0), (5.0, 3.0)]);
        assert_eq!(plot.y_label, "MiB, the most");
        let one = Memory {
            over_time: vec![moment(0, 1)],
            ..memory
        };
        assert_eq!(held(&one), None);
    }
}
