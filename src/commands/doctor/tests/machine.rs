//! Made-up machines: reads their descriptions and lays them out in a folder.
//!
//! `tests/fixtures/machines/README.md` says what a description may hold. Programs are links to one script, which
//! nobody writes while somebody starts it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use warpup_doctor::InstalledBy;
use warpup_doctor::look::{Machine, TimeLimits};
use warpup_lab::engine::Launch;
use warpup_lab::engine::cards::BuildNotes;
use warpup_protocol::Reason;

/// What is at a path of a machine.
#[derive(Clone, Debug)]
enum PathEntry {
    File(Vec<u8>),
    Link(String),
    Closed,
    Says(i32, String),
    Complains(i32, String),
    Hangs,
}

/// A description of a machine.
#[derive(Clone, Debug)]
struct Description {
    things: BTreeMap<String, PathEntry>,
    environment: BTreeMap<String, String>,
    system: String,
    /// What starts the worker on another machine.
    launcher: Option<String>,
    installed_by: InstalledBy,
    limits: TimeLimits,
}

/// A machine in a folder, which goes with it.
pub(super) struct MadeUp {
    pub(super) machine: Machine,
    _folder: TempDir,
}

/// The folder of the descriptions.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/machines")
}

/// The names of all machines.
pub(super) fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap();
    let paths = entries.map(|it| it.unwrap().path());
    let mut names: Vec<String> = paths
        .filter(|it| it.extension().is_some_and(|it| it == "machine"))
        .map(|it| it.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Lays a machine out.
pub(super) fn made_up(name: &str) -> MadeUp {
    let description = Description::read(name);
    let folder = TempDir::new().unwrap();
    for (path, thing) in &description.things {
        put(folder.path(), path, thing);
    }
    let at = |path: &str| folder.path().join(path);
    let machine = Machine {
        guard: None,
        root: folder.path().to_owned(),
        system: description.system.clone(),
        environment: description
            .environment
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        can_use: |path| {
            path.metadata()
                .is_ok_and(|it| it.permissions().mode() & 0o200 != 0)
        },
        user: 0,
        nvml: (at("opt/warpup/nvml"), Vec::new()),
        worker: description.worker(folder.path()),
        installed_by: description.installed_by.clone(),
        limits: description.limits,
    };
    MadeUp {
        machine,
        _folder: folder,
    }
}

fn put(root: &Path, path: &str, thing: &PathEntry) {
    let real = root.join(path.trim_start_matches('/'));
    fs::create_dir_all(real.parent().unwrap()).unwrap();
    let beside =
        |end: &str, text: &str| fs::write(format!("{}.{end}", real.display()), text).unwrap();
    let plays = || symlink(folder().join("play"), &real).unwrap();
    match thing {
        PathEntry::File(bytes) => fs::write(&real, bytes).unwrap(),
        PathEntry::Link(target) => symlink(target, &real).unwrap(),
        PathEntry::Closed => {
            fs::write(&real, "").unwrap();
            fs::set_permissions(&real, fs::Permissions::from_mode(0o400)).unwrap();
        }
        PathEntry::Says(status, text) => {
            plays();
            beside("out", text);
            beside("status", &format!("{status}\n"));
        }
        PathEntry::Complains(status, text) => {
            plays();
            beside("err", text);
            beside("status", &format!("{status}\n"));
        }
        PathEntry::Hangs => {
            plays();
            beside("hangs", "");
        }
    }
}

impl Description {
    /// How the worker is started, if there is one: with its own libraries after those of the learner.
    fn worker(&self, root: &Path) -> Result<Launch, Reason> {
        let path = "/opt/warpup/warpup-worker-cuda";
        if !self.things.contains_key(path) {
            return Err(Reason {
                why: "it was not found beside warpup or on PATH".to_owned(),
                hint: String::new(),
                evidence: String::new(),
            });
        }
        let program = root.join(path.trim_start_matches('/'));
        let inherited = self.environment.get("LD_LIBRARY_PATH").cloned();
        let notes = BuildNotes::beside(&program).library_path.into_iter();
        let notes = notes.map(|it| it.display().to_string());
        let folders: Vec<String> = inherited.into_iter().chain(notes).collect();
        let mut environment = Vec::new();
        if !folders.is_empty() {
            environment.push(("LD_LIBRARY_PATH".to_owned(), folders.join(":").into()));
        }
        let launcher = self.launcher.as_deref();
        Ok(match launcher {
            None => Launch {
                program,
                arguments: Vec::new(),
                environment,
            },
            Some(launcher) => Launch {
                program: root.join(launcher.trim_start_matches('/')),
                arguments: vec!["gpubox".to_owned(), "warpup-worker-cuda".to_owned()],
                environment: Vec::new(),
            },
        })
    }

    fn read(name: &str) -> Self {
        let path = folder().join(format!("{name}.machine"));
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{name}: {why}"));
        let mut description = Self {
            things: BTreeMap::new(),
            environment: BTreeMap::new(),
            system: "linux".to_owned(),
            launcher: None,
            installed_by: InstalledBy::Other,
            // Much more than a script takes on a busy machine: only what hangs comes near.
            limits: TimeLimits {
                tool: Duration::from_mins(1),
                worker: Duration::from_mins(1),
            },
        };
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let mut body = String::new();
            while let Some(more) = lines.next_if(|it| it.starts_with('|')) {
                body.push_str(more.strip_prefix("| ").unwrap_or_default());
                body.push('\n');
            }
            description.apply(line, body);
        }
        description
    }

    fn apply(&mut self, line: &str, body: String) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut put = |path: &str, thing| drop(self.things.insert(path.to_owned(), thing));
        match word {
            "" | "#" => {}
            "like" => *self = Self::read(rest),
            "env" => {
                let (name, value) = rest.split_once('=').unwrap();
                self.environment.insert(name.to_owned(), value.to_owned());
            }
            "pip" => self.installed_by = InstalledBy::Pip(rest.to_owned()),
            "launcher" => self.launcher = Some(rest.to_owned()),
            "system" => self.system = rest.to_owned(),
            "limit-tools" => self.limits.tool = Duration::from_millis(rest.parse().unwrap()),
            "limit-worker" => self.limits.worker = Duration::from_millis(rest.parse().unwrap()),
            "file" => put(rest, PathEntry::File(body.into_bytes())),
            "bytes" => {
                let (path, bytes) = rest.split_once(' ').unwrap();
                let bytes = bytes
                    .split(' ')
                    .map(|it| u8::from_str_radix(it, 16).unwrap());
                put(path, PathEntry::File(bytes.collect()));
            }
            "link" => {
                let (path, target) = rest.split_once(" -> ").unwrap();
                put(path, PathEntry::Link(target.to_owned()));
            }
            "closed" => put(rest, PathEntry::Closed),
            "says" | "complains" => {
                let (path, status) = rest.split_once(' ').unwrap();
                let status = status.parse().unwrap();
                put(
                    path,
                    if word == "says" {
                        PathEntry::Says(status, body)
                    } else {
                        PathEntry::Complains(status, body)
                    },
                );
            }
            "hangs" => put(rest, PathEntry::Hangs),
            "gone" => {
                let there = self.things.len();
                let below = format!("{rest}/");
                self.things
                    .retain(|path, _| path != rest && !path.starts_with(&below));
                assert!(self.things.len() < there, "there is no {rest} to take away");
            }
            "swap" => self.swap(rest, &body),
            other => panic!("`{other}` is not a line of a machine"),
        }
    }

    fn swap(&mut self, path: &str, body: &str) {
        let Some(PathEntry::Says(_, text)) = self.things.get_mut(path) else {
            panic!("{path} says nothing that could be swapped");
        };
        for line in body.lines() {
            let (old, new) = line.split_once(" => ").unwrap();
            assert!(text.contains(old), "{path} does not say {old}");
            *text = text.replace(old, new);
        }
    }
}
