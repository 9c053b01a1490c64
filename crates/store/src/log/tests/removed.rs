//! Logs that somebody deletes while they are written, and logs that have grown large.

use super::*;

#[test]
fn a_log_that_is_deleted_while_it_is_written_is_written_again() {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let mut log = Log::new(Some(data.clone()), &course());
    let mut written: Vec<_> = (0..3).map(|n| log.append(reset(), n).unwrap()).collect();
    fs::remove_dir_all(&data).unwrap();
    written.push(log.append(reset(), 3).unwrap());
    let loaded = read(&data);
    assert_eq!((loaded.records, loaded.problems), (written, Vec::new()));
}

#[test]
fn a_data_folder_that_has_become_a_file_takes_nothing_back() {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let mut log = Log::new(Some(data.clone()), &course());
    log.append(reset(), 0).unwrap();
    fs::remove_dir_all(&data).unwrap();
    fs::write(&data, "").unwrap();
    log.append(reset(), 1).unwrap_err();
    assert_eq!(log.unsaved(), 2);
}

#[test]
fn a_log_that_is_replaced_while_it_is_written_is_written_again() {
    let dir = TempDir::new().unwrap();
    let mut log = Log::new(Some(dir.path().to_owned()), &course());
    let first = log.append(reset(), 0).unwrap();
    fs::write(only_log(dir.path()), "").unwrap();
    fs::remove_file(only_log(dir.path())).unwrap();
    fs::create_dir(dir.path().join("elsewhere")).unwrap();
    let second = log.append(page("p"), 1).unwrap();
    // The first record was overwritten before the file was deleted; what is there is intact.
    let records = read(dir.path()).records;
    assert!(records.contains(&second), "{first:?}");
}

#[test]
fn whatever_fails_after_a_log_was_deleted_nothing_is_lost() {
    for operations in 0..12 {
        let disk = FailingDisk::default();
        let mut log = disk.log();
        let mut all: Vec<_> = (0..3).map(|n| log.append(reset(), n).unwrap()).collect();
        disk.clean_up();
        disk.fail_after(operations);
        match log.append(reset(), 3) {
            Ok(record) => {
                all.push(record);
                assert_eq!(disk.loaded().records, all);
            }
            Err(error) => all.push(error.record().unwrap().clone()),
        }
        disk.heal();
        log.flush(4).unwrap();
        assert_eq!(disk.loaded().records, all);
        assert_eq!(disk.loaded().problems, []);
    }
}

#[test]
fn a_full_log_is_closed_and_a_new_one_begun() {
    let disk = FailingDisk::default();
    let mut log = disk.log().rolling_over_at(400);
    let written: Vec<_> = (0..12).map(|n| log.append(page("p"), n).unwrap()).collect();
    assert!(disk.files() > 2);
    let loaded = disk.loaded();
    assert_eq!((loaded.records, loaded.problems), (written, Vec::new()));
}

#[test]
fn a_record_that_waits_behind_a_failure_is_synced_when_it_is_written() {
    let disk = FailingDisk::default();
    let mut log = disk.log();
    disk.fail_after(0);
    log.append(reset(), 0).unwrap_err();
    disk.heal();
    // This one alone would not wait for the disk.
    let synced = disk.synced();
    log.append(page("p"), 1).unwrap();
    assert_eq!(disk.synced(), synced + 1);
}
