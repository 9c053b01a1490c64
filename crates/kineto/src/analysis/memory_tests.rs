//! Small traces with memory in, what is alive out.

use super::*;
use crate::load;

/// A change of a card's memory, in bytes, with the total after it, inside an operator that is as long.
fn change(at: u32, operator: &str, address: u32, bytes: i64, total: i64) -> String {
    format!(
        r#"{{"ph":"X","cat":"cpu_op","name":"{operator}","pid":9,"tid":9,"ts":{at},"dur":8}},
        {{"ph":"X","cat":"cpu_op","name":"aten::empty","pid":9,"tid":9,"ts":{at}.5,"dur":3}},
        {{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":{at}.7,"args":{{"Bytes":{bytes},"Addr":{address},"Total Allocated":{total},"Total Reserved":2000,"Device Type":1,"Device Id":0}}}}"#
    )
}

#[test]
fn what_is_alive_at_the_peak_has_the_place_where_it_was_made() {
    let changes = [
        change(10, "aten::linear", 64, 300, 400),
        change(20, "aten::relu", 6400, 200, 600),
        change(30, "aten::relu", 6400, -200, 400),
        change(40, "aten::linear", 12800, 500, 900),
        change(50, "aten::linear", 64, -300, 600),
    ];
    let text = format!(r#"{{"traceEvents":[{}]}}"#, changes.join(","));
    let it = Analysis::of(&load::text("t", text.as_bytes()).unwrap());
    let memory = &it.memory[0];
    assert_eq!(
        (memory.peak_bytes, memory.reserved_at_peak_bytes),
        (900, 2000)
    );
    let alive: Vec<_> = memory
        .alive_at_peak
        .iter()
        .map(|it| (it.place.as_deref(), it.bytes, it.tensors))
        .collect();
    // 100 bytes were there before the recording.
    assert_eq!(alive, [(Some("aten::linear"), 800, 2), (None, 100, 0)]);
}
