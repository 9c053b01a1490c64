//! A hundred drop folders: good files of several learners, among what somebody puts there to stop the collecting.

use super::*;
use crate::commands::class::collect::tests::hostile::{
    Hostile, damaged, files as odd_files, forged,
};
use crate::commands::class::tests::report_of;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

/// Learners with a good file that is to be collected.
const GOOD: [u32; 3] = [61_001, 61_002, 61_003];

/// A learner with good files that cannot be written, or are gone once they are read.
const UNLUCKY: [u32; 2] = [61_004, 61_005];

/// A learner who has read the source.
const FORGER: u32 = 61_006;

/// Numbers that look random: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Whose files they are, which only root could set.
type Owners = BTreeMap<PathBuf, u32>;

/// A file with these bytes, of a learner.
fn put(class: &Class, owners: &mut Owners, name: &OsStr, owner: u32, make: impl FnOnce(&Path)) {
    let path = class.inbox().join(name);
    make(&path);
    if path.symlink_metadata().unwrap().is_file() {
        let is_good = name.as_bytes().starts_with(b"good");
        set_time(&path, if is_good { AT } else { AT + 1000 });
    }
    owners.insert(path, owner);
}

fn pipe(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
}

/// Something in the place of a file in the folder of the instructor.
fn in_the_way(path: &Path, kind: usize) {
    match kind {
        0 => fs::create_dir(path).unwrap(),
        1 => fs::create_dir_all(path.join("inner")).unwrap(),
        2 => pipe(path),
        3 => drop(UnixListener::bind(path).unwrap()),
        4 => fs::write(path, "my notes").unwrap(),
        5 => symlink(path, path).unwrap(),
        6 => symlink("/", path).unwrap(),
        7 => symlink("/dev/zero", path).unwrap(),
        _ => File::create(path).unwrap().set_len(1 << 40).unwrap(),
    }
}

/// Something to collect from that cannot be read, beside the drop folder.
fn unreadable(class: &Class, kind: usize) -> PathBuf {
    let at = class.dir.path().join(OsStr::from_bytes(b"other-\xff"));
    match kind {
        0 => drop(UnixListener::bind(&at).unwrap()),
        1 => pipe(&at),
        2 => symlink(&at, &at).unwrap(),
        3 => symlink("nowhere", &at).unwrap(),
        4 => return at.join("missing"),
        5 => return class.inbox().join("good-61001/x"),
        6 => return PathBuf::from("/dev/zero"),
        _ => {}
    }
    at
}

/// What happens to a file between looking at it and reading it.
fn meanwhile(path: &Path, kind: usize) {
    if kind == 0 {
        // Another file of the same bytes, while the first one still has its number.
        let other = path.with_file_name(".other-one");
        fs::copy(path, &other).unwrap();
        return fs::rename(other, path).unwrap();
    }
    fs::remove_file(path).unwrap();
    match kind {
        1 => pipe(path),
        2 => symlink("/dev/zero", path).unwrap(),
        3 => fs::create_dir(path).unwrap(),
        _ => {}
    }
}

#[test]
fn in_a_hundred_hostile_folders_every_good_file_is_collected_and_reported() {
    let course = sample::course();
    let source = TempDir::new().unwrap();
    let good = fs::read_to_string(export(source.path(), "good", attempt(true, 400))).unwrap();
    for seed in 1..=100 {
        let (class, mut dice, mut owners) = (Class::new(), Dice(seed), Owners::new());
        let write = |path: &Path| fs::write(path, &good).unwrap();
        for owner in GOOD.into_iter().chain(UNLUCKY) {
            let name = format!("good-{owner}");
            put(&class, &mut owners, name.as_ref(), owner, write);
        }
        let mut hostile: Vec<_> = damaged().into_iter().chain(odd_files()).collect();
        for _ in 0..8 {
            let at = dice.below(hostile.len());
            let Hostile { name, make } = hostile.swap_remove(at);
            let owner = dice.one_of(&GOOD);
            put(&class, &mut owners, &name, owner, |path| make(path, &good));
        }
        let mut hostile = forged();
        for _ in 0..4 {
            let at = dice.below(hostile.len());
            let Hostile { name, make } = hostile.swap_remove(at);
            put(&class, &mut owners, &name, FORGER, |path| make(path, &good));
        }
        fs::create_dir(class.collected()).unwrap();
        let names = users::names(&owners.values().copied().collect());
        let written = |owner| {
            let name = users::name(&names, owner);
            class.collected().join(format!("{name}.jsonl"))
        };
        in_the_way(&written(UNLUCKY[0]), dice.below(9));
        let from = [class.inbox(), unreadable(&class, dice.below(8))];

        let mut found = files(&from).unwrap();
        for file in &mut found.files {
            file.owner = owners.get(&file.path).copied().unwrap_or(FORGER);
        }
        let gone = class.inbox().join(format!("good-{}", UNLUCKY[1]));
        meanwhile(&gone, dice.below(5));
        let into = Destination::prepare(&class.collected(), &from);
        let into = into.unwrap_or_else(|_| panic!("{seed}: a folder of one's own"));
        let collected = collected(found, &into, &course, AT + HOUR);

        assert!(collected.has_problems(), "{seed}");
        for owner in GOOD {
            assert_eq!(fs::read_to_string(written(owner)).unwrap(), good, "{seed}");
        }
        let row = |owner| {
            collected
                .owners
                .iter()
                .find(|it| it.owner == owner)
                .unwrap()
        };
        let statuses = UNLUCKY.map(|it| row(it).files[0].fate);
        assert_eq!(
            statuses,
            [HandInStatus::NotWritten, HandInStatus::Refused],
            "{seed}"
        );
        let (text, exit) = sample::console("", |console| {
            print(&course, &class.collected(), &collected, console)?;
            Ok(Exit::Fine)
        });
        assert_eq!(exit, Exit::Fine, "{text}");
        let is_safe = |it: char| it == '\n' || !it.is_control() && it != '\u{202e}';
        assert!(text.chars().all(is_safe), "{text}");

        let (csv, exit) = report_of(&from, true);
        assert_eq!(exit, Exit::Wrong, "{seed}");
        for owner in GOOD {
            let row = format!("lesson,good-{owner},copies,done,4,4,1,");
            assert!(csv.contains(&row), "{seed}: {csv}");
        }
    }
}
