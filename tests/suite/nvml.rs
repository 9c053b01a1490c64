//! `warpup nvml` reads a library: the stand-in of `tests/stand_in_nvml`.
//!
//! On Linux only, where `LD_LIBRARY_PATH` makes the loader find it.

#![cfg(target_os = "linux")]

use crate::support::stand_in_nvml::LIBRARY;
use crate::support::temp_home::TempHome;
use std::process::Output;

/// Runs `warpup` with a driver that fails in this way.
fn warpup(arguments: &[&str], failure: &str) -> Output {
    let home = TempHome::new();
    let mut command = home.warpup(arguments);
    command.env("LD_LIBRARY_PATH", LIBRARY.path());
    command.env("STAND_IN_NVML", failure).output().unwrap()
}

/// What `warpup nvml` prints.
fn report(failure: &str) -> String {
    let Output { status, stdout, .. } = warpup(&["nvml"], failure);
    assert!(status.success());
    String::from_utf8(stdout).unwrap()
}

#[test]
fn every_figure_of_a_card_is_read() {
    insta::assert_snapshot!(report(""), @r#"
    {
      "came": "read",
      "driver": "580.95.05",
      "cuda": "13.0",
      "cards": [
        {
          "index": 0,
          "name": "Stand-in H200",
          "uuid": "GPU-00000000-1111-2222-3333-444444444444",
          "bus": "00000000:3B:00.0",
          "capability": [
            9,
            0
          ],
          "memory_total": 17179869184,
          "memory_used": 3221225472,
          "busy_percent": 42,
          "temperature": 41,
          "compute_mode": "exclusive_process",
          "persistence": true,
          "mig": true,
          "mig_instances": 2,
          "processes": [
            {
              "pid": 4242,
              "name": "/usr/bin/python3",
              "memory": 2147483648,
              "is_own": null
            }
          ],
          "ecc_errors": null,
          "lost": null
        }
      ]
    }
    "#);
}

#[test]
fn failures_of_the_library_are_told_apart() {
    for (number, fault) in [
        ("9", "driver_not_loaded"),
        ("4", "no_permission"),
        ("15", "gpu_lost"),
        ("17", "operating_system"),
        ("18", "version_mismatch"),
        ("999", "other"),
    ] {
        let report: serde_json::Value = serde_json::from_str(&report(number)).unwrap();
        assert_eq!(report["came"], "failed", "{number}");
        assert_eq!(report["fault"], fault, "{number}");
    }
}

#[test]
fn a_card_that_fell_off_the_bus_is_listed_with_the_reason() {
    let report: serde_json::Value = serde_json::from_str(&report("lost")).unwrap();
    let why = report["cards"][0]["lost"].as_str().unwrap();
    assert!(why.contains("fell off the bus"), "{why}");
}

#[test]
fn the_doctor_reports_what_the_library_said() {
    let output = warpup(&["doctor", "--json"], "");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rungs = report["rungs"].as_array().unwrap();
    let rung = |id| rungs.iter().find(|it| it["id"] == id).unwrap();
    assert_eq!(
        rung("driver")["says"],
        "Driver 580.95.05 answers and shows one card."
    );
    let load = rung("load")["evidence"].to_string();
    assert!(
        load.contains("process 4242, /usr/bin/python3, 2.00 GiB"),
        "{load}"
    );
}
