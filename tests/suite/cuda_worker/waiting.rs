//! A worker that waits for its turn on a card. A shell script takes its place.

use super::lifetime::{LONG, on, script};
use crate::support::fifo::LinePipe;
use crate::support::lab_runner::{LabRunner, outcome};
use std::time::Duration;
use warpup_lab::engine::cards::CardWorker;
use warpup_protocol::{Outcome, RunRequest};

/// The first worker runs a program at once, and has to wait with the second. Any other one waits for a moment with the
/// first.
const WAITS: &str = r#"
echo started >"$PIPE"
echo '{"say":"hello","version":1,"warpup":"0","devices":[]}'
while read -r line; do
  case $line in
    *'"ask":"run"'*)
      run=${line#*'"run":'} run=${run%%,*}
      case $line in *'"timed":true'*)
        echo '{"say":"waiting","run":'$run',"why":"1st in line for the card"}'
        sleep 1 ;;
      esac
      echo '{"say":"started","run":'$run',"device":{"name":"cuda","title":"Some card","clock":"measured"}}'
      echo '{"say":"finished","run":'$run',"report":{"outcome":{"how":"done"},"clock":"measured","host_ns":1,"lines":[],"spans_dropped":0}}' ;;
  esac
done
"#;

fn timed() -> RunRequest {
    RunRequest {
        timed: true,
        ..on("cuda")
    }
}

fn worker(pipe: &LinePipe) -> CardWorker {
    CardWorker {
        // Shorter than its wait.
        ready_timeout: Duration::from_millis(500),
        linger: LONG,
        ..script(WAITS, &pipe.path(), &[])
    }
}

#[test]
fn a_wait_for_a_turn_counts_against_no_limit() {
    let pipe = LinePipe::new();
    let mut runner = LabRunner::with_card_worker(worker(&pipe));
    let run = runner.run(timed());
    assert_eq!(outcome(&run), &Outcome::Done);
    assert_eq!(pipe.next(), "started");
}

#[test]
fn a_worker_that_waits_holds_no_memory_of_a_run_before() {
    let pipe = LinePipe::new();
    let mut runner = LabRunner::with_card_worker(worker(&pipe));
    assert_eq!(outcome(&runner.run(on("cuda"))), &Outcome::Done);
    assert_eq!(pipe.next(), "started");
    // Another worker waits in its place, and runs the program.
    assert_eq!(outcome(&runner.run(timed())), &Outcome::Done);
    assert_eq!(pipe.next(), "started");
}
