//! What a confined process tried, and what the system said: a line each of `warpup worker --probe-confinement`.

use serde::{Deserialize, Serialize};

/// One thing that a program in the worker must not be able to do, tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What was tried.
    pub what: ForbiddenAction,
    /// What came of it.
    pub came: AttemptResult,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptResult {
    /// The system refused it: `EPERM` or `EACCES`.
    Refused,
    /// It failed for another reason, in the system's words: nothing is proven.
    Failed(String),
    /// It worked.
    Worked,
}

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForbiddenAction {
    /// Opens a file that everybody may read.
    ReadFile,
    /// Asks for the size of a file.
    FileSize,
    /// Lists a folder.
    ListFolder,
    /// Makes a file in the folder for temporary files.
    WriteFile,
    /// Makes a file that has no name.
    NamelessFile,
    /// Opens the memory of the process that started it.
    ParentMemory,
    /// Opens the environment of that process.
    ParentEnvironment,
    /// Takes a handle of that process, by which it could be debugged and its files taken.
    ParentHandle,
    /// Attaches to it as a debugger does.
    DebugParent,
    /// Copies from its memory.
    CopyParentMemory,
    /// Takes an open file of another process.
    TakeHandle,
    /// Signals it.
    SignalParent,
    /// Listens on a TCP port.
    Listen,
    /// Connects to a TCP port.
    Connect,
    /// Makes a socket for programs of this machine.
    LocalSocket,
    /// Starts another program.
    StartProgram,
    /// Begins a session of its own, which a kill of its group would not reach.
    NewSession,
    /// Changes what it sees as `/`.
    ChangeRoot,
    /// Mounts a file system.
    Mount,
    /// Makes a namespace of its own, in which it might be root.
    NewNamespace,
    /// Reads a file that was open when it was started.
    ReadInherited,
    /// Maps it into its memory.
    MapInherited,
    /// Has the system send it elsewhere.
    SendInherited,
    /// Has the system move it through a pipe.
    SpliceInherited,
    /// Opens it once more by its number.
    ReopenInherited,
    /// Changes who may read a file.
    FileMode,
    /// Changes whose a file is.
    FileOwner,
    /// Changes when a file was written.
    FileTimes,
    /// Changes an attribute of a file.
    FileAttribute,
    /// Learns what happens in a folder.
    WatchFolder,
    /// Changes a limit of the process that started it.
    ParentLimit,
    /// Changes how much of a processor that process gets.
    ParentPriority,
    /// Changes where that process runs.
    ParentProcessors,
    /// Makes a pair of sockets, of which each message may go to another address.
    SocketPair,
    /// Becomes a program that is named by a descriptor.
    BecomeOpenFile,
    /// Becomes another program.
    BecomeProgram,
}

impl ForbiddenAction {
    /// All of them, in the order in which they are tried; the last one ends the process if it works.
    pub const ALL: [Self; 36] = [
        Self::ReadFile,
        Self::FileSize,
        Self::ListFolder,
        Self::WriteFile,
        Self::NamelessFile,
        Self::ParentMemory,
        Self::ParentEnvironment,
        Self::ParentHandle,
        Self::DebugParent,
        Self::CopyParentMemory,
        Self::TakeHandle,
        Self::SignalParent,
        Self::Listen,
        Self::Connect,
        Self::LocalSocket,
        Self::StartProgram,
        Self::NewSession,
        Self::ChangeRoot,
        Self::Mount,
        Self::NewNamespace,
        Self::ReadInherited,
        Self::MapInherited,
        Self::SendInherited,
        Self::SpliceInherited,
        Self::ReopenInherited,
        Self::FileMode,
        Self::FileOwner,
        Self::FileTimes,
        Self::FileAttribute,
        Self::WatchFolder,
        Self::ParentLimit,
        Self::ParentPriority,
        Self::ParentProcessors,
        Self::SocketPair,
        Self::BecomeOpenFile,
        Self::BecomeProgram,
    ];

    /// In words, after "can" or "cannot".
    pub const fn words(self) -> &'static str {
        match self {
            Self::ReadFile => "read a file",
            Self::FileSize => "ask for the size of a file",
            Self::ListFolder => "list a folder",
            Self::WriteFile => "make a file",
            Self::NamelessFile => "make a file without a name",
            Self::ParentMemory => "read the memory of the app",
            Self::ParentEnvironment => "read the environment of the app",
            Self::ParentHandle => "take a handle of the app",
            Self::DebugParent => "debug the app",
            Self::CopyParentMemory => "copy memory of the app",
            Self::TakeHandle => "take an open file of another process",
            Self::SignalParent => "signal the app",
            Self::Listen => "listen on a TCP port",
            Self::Connect => "connect to a TCP port",
            Self::LocalSocket => "make a local socket",
            Self::StartProgram => "start a program",
            Self::NewSession => "begin a session",
            Self::ChangeRoot => "change its root folder",
            Self::Mount => "mount a file system",
            Self::NewNamespace => "make a namespace",
            Self::ReadInherited => "read a file that was left open",
            Self::MapInherited => "map a file that was left open",
            Self::SendInherited => "send a file that was left open",
            Self::SpliceInherited => "splice a file that was left open",
            Self::ReopenInherited => "open again a file that was left open",
            Self::FileMode => "change the mode of a file",
            Self::FileOwner => "change the owner of a file",
            Self::FileTimes => "change the times of a file",
            Self::FileAttribute => "change an attribute of a file",
            Self::WatchFolder => "watch a folder",
            Self::ParentLimit => "change the limits of the app",
            Self::ParentPriority => "change the priority of the app",
            Self::ParentProcessors => "change the processors of the app",
            Self::SocketPair => "make a pair of sockets for messages",
            Self::BecomeOpenFile => "become a program by its descriptor",
            Self::BecomeProgram => "become another program",
        }
    }
}
