//! A pseudo-terminal with a program in it: keys in, screens out.
//!
//! One thread passes what the program writes to a terminal emulator, another waits for its end. They wake the
//! test that waits for a screen, so nothing sleeps. Each wait has a deadline; after it the test fails and prints
//! the screen. The program sees a clean environment and a temporary home.
//!
//! Terminal queries get no answer. Unix only.

mod keys;

use super::temp_home::TempHome;
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::termios::{Action, OptionalActions, SpecialCodeIndex, tcflow, tcgetattr, tcsetattr};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits; only a failure waits that long.
const DEADLINE: Duration = Duration::from_mins(1);

/// A program in a pseudo-terminal. It is killed when this is dropped.
pub(crate) struct Terminal {
    shared: Arc<Shared>,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    pid: Pid,
    home: Arc<TempHome>,
}

/// What the threads write and the test reads.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    emulator: vt100::Parser,
    written: u64,
    last_write: Instant,
    is_read: bool,
    is_hung_up: bool,
    exit: Option<ExitStatus>,
}

/// How to start a program in a pseudo-terminal.
pub(crate) struct Start {
    command: CommandBuilder,
    variables: Vec<(&'static str, OsString)>,
    home: Arc<TempHome>,
    columns: u16,
    rows: u16,
    is_stopped: bool,
}

impl Start {
    /// The executable of this build, in 80 columns and 24 rows, with an empty home.
    pub(crate) fn warpup() -> Self {
        Self::program(env!("CARGO_BIN_EXE_warpup"))
    }

    /// Another program, under the same conditions.
    pub(crate) fn program(path: &str) -> Self {
        Self {
            command: CommandBuilder::new(path),
            variables: Vec::new(),
            home: Arc::new(TempHome::new()),
            columns: 80,
            rows: 24,
            is_stopped: false,
        }
    }

    /// Adds arguments.
    pub(crate) fn args<S: AsRef<std::ffi::OsStr>>(
        mut self,
        args: impl IntoIterator<Item = S>,
    ) -> Self {
        self.command.args(args);
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Sets the size.
    pub(crate) fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// Makes the terminal accept no bytes, like that of a connection that hangs.
    pub(crate) fn stopped(mut self) -> Self {
        self.is_stopped = true;
        self
    }

    /// Uses the home of an earlier terminal, with what the program saved there.
    pub(crate) fn home_of(mut self, earlier: &Terminal) -> Self {
        self.home = Arc::clone(&earlier.home);
        self
    }

    /// The home that the program will have.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Starts the program.
    pub(crate) fn spawn(mut self) -> Terminal {
        self.command.env_clear();
        let environment = self.home.environment().into_iter();
        let environment = environment.chain([("TERM", "xterm-256color".into())]);
        for (name, value) in environment.chain(self.variables) {
            self.command.env(name, value);
        }
        self.command.cwd(self.home.path());
        let size = PtySize {
            rows: self.rows,
            cols: self.columns,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        if self.is_stopped {
            stop(pair.master.as_ref());
        }
        let reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let mut child = pair.slave.spawn_command(self.command).unwrap();
        let pid = i32::try_from(child.process_id().unwrap()).unwrap();
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                emulator: vt100::Parser::new(cells(self.rows), cells(self.columns), 0),
                written: 0,
                last_write: Instant::now(),
                is_read: false,
                is_hung_up: false,
                exit: None,
            }),
            changed: Condvar::new(),
        });
        let for_reader = Arc::clone(&shared);
        in_thread("pty reader", move || for_reader.read(reader));
        let for_end = Arc::clone(&shared);
        in_thread("pty end", move || {
            let status = child.wait().unwrap();
            for_end.change(|state| state.exit = Some(status));
        });
        Terminal {
            shared,
            master: Some(pair.master),
            writer: Some(writer),
            pid: Pid::from_raw(pid).unwrap(),
            home: self.home,
        }
    }
}

impl Terminal {
    /// Waits for a screen, and returns it.
    pub(crate) fn wait_for(&self, is_it: impl Fn(&str) -> bool, what: &str) -> String {
        let state = self.wait(what, |state| is_it(&state.text()));
        state.text()
    }

    /// Waits for a screen, or for the end of the program. Returns whether the screen came.
    pub(crate) fn wait_or_end(&self, is_it: impl Fn(&str) -> bool, what: &str) -> bool {
        let state = self.wait(what, |state| is_it(&state.text()) || state.is_final());
        is_it(&state.text())
    }

    /// Waits until so many bytes have been written since the start.
    pub(crate) fn wait_for_bytes(&self, count: u64, what: &str) {
        drop(self.wait(what, |state| state.written >= count));
    }

    /// Waits until nothing has been written for this long.
    pub(crate) fn wait_until_quiet(&self, quiet: Duration) {
        let deadline = Instant::now() + DEADLINE;
        let mut state = self.shared.lock();
        loop {
            let since = state.last_write.elapsed();
            if since >= quiet || state.is_read {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "never quiet for {quiet:?}:\n{}",
                state.text()
            );
            (state, _) = self
                .shared
                .changed
                .wait_timeout(state, quiet.saturating_sub(since))
                .unwrap();
        }
    }

    /// Waits for the end of the program and of its output.
    pub(crate) fn wait_exit(&self) -> ExitStatus {
        let is_over = |state: &State| state.is_read || state.is_hung_up;
        let state = self.wait("the end of the program", |state| {
            state.exit.is_some() && is_over(state)
        });
        state.exit.clone().unwrap()
    }

    /// Presses keys, such as `jj<Enter>` or `<C-r>`; `<lt>` is `<`.
    ///
    /// `<Esc>` has to be the last key of a press, and the test has to wait for its effect before the next press:
    /// an escape byte that another key follows at once means Alt.
    pub(crate) fn press(&mut self, keys: &str) {
        let is_application = self.shared.lock().emulator.screen().application_cursor();
        self.send(&keys::bytes_of(keys, is_application));
    }

    /// Sends these bytes, as they are.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let writer = self
            .writer
            .as_mut()
            .expect("nobody presses keys after a hang-up");
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }

    /// The screen now: its rows without spaces at their ends.
    pub(crate) fn text(&self) -> String {
        self.shared.lock().text()
    }

    /// The screen now, as the emulator has it: colours, cursor, modes.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.shared.lock().emulator.screen().clone()
    }

    /// Shows these bytes, as if another program had written them.
    pub(crate) fn write_as_another(&self, bytes: &[u8]) {
        self.shared.change(|state| state.emulator.process(bytes));
    }

    /// How many bytes have been written so far, and when the last of them.
    pub(crate) fn written(&self) -> (u64, Instant) {
        let state = self.shared.lock();
        (state.written, state.last_write)
    }

    /// The settings of the terminal now: raw or not, echo, control characters.
    pub(crate) fn settings(&self) -> String {
        let master = self.master.as_ref();
        let master = master.expect("nobody asks for settings after a hang-up");
        format!("{:?}", master.get_termios().unwrap())
    }

    /// The number of the program's process.
    pub(crate) fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// The program's home, where it keeps its files.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Changes the size, as dragging a corner of the window does.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.shared
            .change(|state| state.emulator.set_size(cells(rows), cells(columns)));
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        let master = self
            .master
            .as_ref()
            .expect("nobody resizes after a hang-up");
        master.resize(size).unwrap();
    }

    /// Makes the terminal accept no more bytes, like that of a connection that hangs.
    pub(crate) fn stop(&self) {
        let master = self.master.as_ref();
        stop(master.expect("nobody stops it after a hang-up").as_ref());
    }

    /// Sends a signal to the program, if it still runs.
    pub(crate) fn signal(&self, signal: Signal) {
        let state = self.shared.lock();
        if state.exit.is_none() {
            match kill_process(self.pid, signal) {
                // It has ended, and the thread that waits for it has not recorded that yet.
                Ok(()) | Err(Errno::SRCH) => {}
                Err(error) => panic!("cannot send {signal:?}: {error}"),
            }
        }
    }

    /// Closes the terminal, as a closed window or a lost connection does.
    pub(crate) fn hang_up(&mut self) {
        let Some(master) = self.master.take() else {
            return;
        };
        let mut tty = other_end(master.as_ref());
        // When it is dropped, the writer types a line break and the end-of-file character, if there is one.
        // A terminal that closes types nothing.
        let mut settings = tcgetattr(&tty).unwrap();
        settings.special_codes[SpecialCodeIndex::VEOF] = 0;
        tcsetattr(&tty, OptionalActions::Now, &settings).unwrap();
        self.writer = None;
        // The reader holds the terminal open and blocks on it; a byte from the other end wakes it.
        self.shared.change(|state| state.is_hung_up = true);
        tty.write_all(b" ").unwrap();
        drop(tty);
        drop(master);
        drop(self.wait("the reader to end", |state| state.is_read));
    }

    /// Waits until the state is as asked for.
    fn wait(&self, what: &str, is_it: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let (state, timeout) = self
            .shared
            .changed
            .wait_timeout_while(self.shared.lock(), DEADLINE, |state| {
                !is_it(state) && !state.is_final()
            })
            .unwrap();
        if !is_it(&state) {
            let why = if timeout.timed_out() {
                "in time"
            } else {
                "before the program ended"
            };
            let (text, exit) = (state.text(), state.exit.clone());
            // Unlock first: a panic under the lock would poison it for `drop`.
            drop(state);
            panic!("did not come {why}: {what}; exit: {exit:?}; the screen:\n{text}");
        }
        state
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let state = self.shared.lock();
        if state.exit.is_none() {
            // It may have ended just now, which is fine.
            let _gone = kill_process_group(self.pid, Signal::KILL);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn read(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = reader.read(&mut buffer).unwrap_or(0);
            let now = Instant::now();
            if count == 0 || self.lock().is_hung_up {
                break;
            }
            self.change(|state| {
                state.emulator.process(&buffer[..count]);
                state.written += count as u64;
                state.last_write = now;
            });
        }
        drop(reader);
        self.change(|state| state.is_read = true);
    }
}

impl State {
    fn text(&self) -> String {
        let screen = self.emulator.screen();
        let (_, columns) = screen.size();
        let rows: Vec<String> = screen
            .rows(0, columns.get())
            .map(|row| row.trim_end().to_owned())
            .collect();
        rows.join("\n")
    }

    /// Whether the program has ended and all its output was read.
    fn is_final(&self) -> bool {
        self.is_read && self.exit.is_some()
    }
}

/// Makes a pseudo-terminal accept no bytes.
fn stop(master: &dyn MasterPty) {
    tcflow(other_end(master), Action::OOff).unwrap();
}

/// The program's end of a pseudo-terminal.
fn other_end(master: &dyn MasterPty) -> File {
    let no_controlling_terminal = i32::try_from(rustix::fs::OFlags::NOCTTY.bits()).unwrap();
    OpenOptions::new()
        .write(true)
        .custom_flags(no_controlling_terminal)
        .open(master.tty_name().unwrap())
        .unwrap()
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has at least one cell")
}

fn in_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let builder = thread::Builder::new().name(name.to_owned());
    drop(builder.spawn(work).unwrap());
}
