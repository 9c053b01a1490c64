//! The lines that record a trace.

use crate::commands::console::Console;
use crate::commands::failure::Result;

/// Ten lines of Python. `scripts/trace-how` runs them under PyTorch as they are here.
pub(super) const LINES: &str = r#"from torch.profiler import profile, schedule
with profile(
    schedule=schedule(wait=1, warmup=1, active=3, repeat=1),  # of five steps, the last three are recorded
    record_shapes=True, profile_memory=True,
    with_stack=True,
    on_trace_ready=lambda prof: prof.export_chrome_trace("trace.json.gz"),
) as prof:
    for batch in loader:
        train_step(batch)
        prof.step()
"#;

/// Prints the lines alone, so that they can go into a file.
pub(super) fn print(console: &mut Console<'_>) -> Result<()> {
    for line in LINES.lines() {
        console.line(line)?;
    }
    Ok(())
}
