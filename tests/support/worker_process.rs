//! A worker process and the messages on its pipes, without the app's engine between.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use warpup_protocol::{Reply, Request, VERSION, frame};

/// A worker process. When it is dropped its input closes, and it ends by itself.
pub(crate) struct WorkerProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl WorkerProcess {
    /// Starts `warpup worker`.
    pub(crate) fn start() -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_warpup")).arg("worker"))
    }

    /// Starts another worker.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.stderr(Stdio::null()).spawn().unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line as it is.
    pub(crate) fn send_line(&self, line: &str) {
        writeln!(self.input.as_ref().unwrap(), "{line}").unwrap();
    }

    /// Sends a request.
    pub(crate) fn send(&mut self, request: &Request) {
        frame::write(self.input.as_mut().unwrap(), request).unwrap();
    }

    /// Sends the first request of the protocol.
    pub(crate) fn send_hello(&mut self) {
        self.send(&Request::Hello { version: VERSION });
    }

    /// Receives a reply.
    pub(crate) fn reply(&mut self) -> Reply {
        frame::read(&mut self.output).unwrap().unwrap()
    }

    /// The replies up to the one that ends a run or refuses a request; that one is the last.
    pub(crate) fn replies_of_run(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        loop {
            let reply = self.reply();
            let is_last = matches!(reply, Reply::Finished { .. } | Reply::Refused { .. });
            replies.push(reply);
            if is_last {
                return replies;
            }
        }
    }

    /// The reply that ends a run or refuses a request.
    pub(crate) fn last_reply(&mut self) -> Reply {
        self.replies_of_run().pop().unwrap()
    }

    /// Closes the input; returns the exit status and what the worker wrote since the last reply.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let mut rest = String::new();
        while self.output.read_line(&mut rest).unwrap() > 0 {}
        (self.child.wait().unwrap().code(), rest)
    }
}

/// The texts that a program printed, one for each message.
pub(crate) fn printed(replies: &[Reply]) -> Vec<&str> {
    let mut texts = Vec::new();
    for reply in replies {
        if let Reply::Output { text, .. } = reply {
            texts.push(text.as_str());
        }
    }
    texts
}
