//! What can be done with a lab: run it, change it, ask for help, choose a device.

use super::command::LabCommand;
use super::{Machine, predict};
use crate::cli::RunArgs;
use crate::commands::program_file::ProgramFile;
use crate::commands::{CommandContext, Exit, Failure, run};
use crate::course::{Lab, LabId, Lesson, LessonId, plain};
use crate::lab::device_choice::DeviceChoice;
use crate::lab::prediction;
use crate::progress::Event;
use crate::protocol::DeviceName;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Where labs are worked on.
pub(super) struct Bench<'a> {
    machine: Machine<'a>,
    /// How many hints of each lab were given.
    hints: BTreeMap<(LessonId, LabId), usize>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(machine: Machine<'a>) -> Self {
        Self {
            machine,
            hints: BTreeMap::new(),
        }
    }

    /// Does something with a lab. What the learner can mend is said, and the course goes on.
    pub(super) fn act(
        &mut self,
        seat: &mut CommandContext<'_, '_>,
        lesson: &Lesson,
        lab: &Lab,
        deed: LabCommand,
    ) -> Result<(), Failure> {
        let done = match deed {
            LabCommand::Run => self.run(seat, lesson, lab),
            LabCommand::Show => show(seat, &run::saved(&seat.learner.progress, lesson, lab)),
            LabCommand::Candle => match &lab.rust {
                Some(rust) => show(seat, rust),
                None => seat.console.line("This lab has no version in candle."),
            },
            LabCommand::Hint => self.hint(seat, lesson, lab),
            LabCommand::Edit => edit(seat, lesson, lab),
            LabCommand::Save(file) => save(seat, lesson, lab, &file),
            LabCommand::Take(file) => {
                ProgramFile::read(&file).and_then(|it| keep(seat, lesson, lab, it.source))
            }
            LabCommand::Reset => keep(seat, lesson, lab, lab.starter.clone()),
            LabCommand::Solution => solution(seat, lesson, lab),
        };
        told(seat, done)
    }

    fn run(
        &mut self,
        seat: &mut CommandContext<'_, '_>,
        lesson: &Lesson,
        lab: &Lab,
    ) -> Result<(), Failure> {
        let device = DeviceChoice::saved(&seat.learner.progress).device(&lab.device);
        (self.machine.can_be_had)(&device)?;
        if let Some(question) = prediction::question(lesson, lab)
            && seat
                .learner
                .progress
                .lesson(&lesson.id)
                .predicted(question)
                .is_none()
            && !predict::ask(seat, lesson, question)?
        {
            return Ok(());
        }
        seat.console.line("")?;
        let args = RunArgs {
            program: format!("{}/{}", lesson.id, lab.id),
            device: Some(device),
            solution: false,
            starter: false,
            json: false,
            trace: None,
            no_trace: false,
        };
        run::run(seat, &args, self.machine.run_lab).map(drop::<Exit>)
    }

    fn hint(
        &mut self,
        seat: &mut CommandContext<'_, '_>,
        lesson: &Lesson,
        lab: &Lab,
    ) -> Result<(), Failure> {
        let key = (lesson.id.clone(), lab.id.clone());
        let given = self.hints.entry(key).or_default();
        let Some(hint) = lab.hints.get(*given) else {
            if *given == 0 {
                return seat.console.line("This lab has no hints.");
            }
            *given = 0;
            return seat
                .console
                .line("There is no other hint; the next one is the first.");
        };
        *given += 1;
        let (given, of) = (*given, lab.hints.len());
        seat.console.line(&format!("Hint {given} of {of}"))?;
        let width = seat.console.prose_width();
        seat.console.text(&plain::blocks(hint, width))
    }

    /// Says what labs can run on, or chooses.
    pub(super) fn device(
        &self,
        seat: &mut CommandContext<'_, '_>,
        name: Option<&str>,
    ) -> Result<(), Failure> {
        let Some(name) = name else {
            return self.devices(seat);
        };
        let chosen = self.choose(seat, name);
        told(seat, chosen)
    }

    fn devices(&self, seat: &mut CommandContext<'_, '_>) -> Result<(), Failure> {
        let chosen = DeviceChoice::saved(&seat.learner.progress).any;
        seat.console.line(&format!(
            "Labs that leave it to you run on {chosen}. There are:"
        ))?;
        for device in &self.machine.devices {
            let name = device.name.to_string();
            seat.console
                .line(&format!("{name:<16}  {}", device.title))?;
        }
        Ok(())
    }

    fn choose(&self, seat: &mut CommandContext<'_, '_>, name: &str) -> Result<(), Failure> {
        let Ok(device) = name.parse::<DeviceName>() else {
            return Err(Failure::arguments_but(
                format!("`{name}` is no device"),
                "type `device` for a list of those that there are",
            ));
        };
        (self.machine.can_be_had)(&device)?;
        let before = DeviceChoice::saved(&seat.learner.progress);
        let is_card = device != DeviceName::Cpu;
        let choice = DeviceChoice {
            any: device.clone(),
            card: if is_card {
                Some(device.clone())
            } else {
                before.card
            },
        };
        for event in choice.unsaved(&seat.learner.progress) {
            seat.learner.note(event, (seat.clock)());
        }
        seat.console.line(&format!(
            "Labs run on {device} now, unless they ask for another device."
        ))
    }
}

/// Says what was asked for in a way that cannot be; what broke ends the course.
pub(super) fn told(
    seat: &mut CommandContext<'_, '_>,
    done: Result<(), Failure>,
) -> Result<(), Failure> {
    match done {
        Err(failure @ Failure::Arguments { .. }) => {
            failure.report(seat.console.out);
            Ok(())
        }
        other => other,
    }
}

fn show(seat: &mut CommandContext<'_, '_>, source: &str) -> Result<(), Failure> {
    for (n, line) in source.lines().enumerate() {
        let n = n + 1;
        seat.console.line(format!("{n:>3}  {line}").trim_end())?;
    }
    Ok(())
}

/// Keeps the learner's program.
fn keep(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    lab: &Lab,
    source: String,
) -> Result<(), Failure> {
    let said = if source == lab.starter {
        "The program is as the lesson has it."
    } else {
        "Taken. `run` runs it."
    };
    let event = Event::Edited {
        lesson: lesson.id.clone(),
        lab: lab.id.clone(),
        source: (source != lab.starter).then_some(source),
    };
    seat.learner.note(event, (seat.clock)());
    seat.console.line(said)
}

fn save(
    seat: &mut CommandContext<'_, '_>,
    lesson: &Lesson,
    lab: &Lab,
    file: &Path,
) -> Result<(), Failure> {
    let source = run::saved(&seat.learner.progress, lesson, lab);
    let name = file.display();
    // A file that is there already is somebody's: it is not replaced.
    let written = File::create_new(file).and_then(|mut it| it.write_all(source.as_bytes()));
    written.map_err(|error| {
        Failure::arguments_but(format!("cannot write {name}"), error.to_string())
    })?;
    seat.console
        .line(&format!("Written. Change it, then `take {name}`."))
}

/// Opens the program in the learner's editor, which needs a terminal.
fn edit(seat: &mut CommandContext<'_, '_>, lesson: &Lesson, lab: &Lab) -> Result<(), Failure> {
    let named = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|it| std::env::var(it).ok());
    let named = named.filter(|it| !it.trim().is_empty() && seat.console.is_terminal);
    let Some(named) = named else {
        return Err(Failure::arguments_but(
            "there is no editor to open: VISUAL and EDITOR name none, or this is no terminal",
            "`save FILE`, change the file, then `take FILE`",
        ));
    };
    let dir = tempfile::tempdir().map_err(anyhow::Error::from)?;
    let file = dir.path().join(format!("{}.py", lab.id));
    let before = run::saved(&seat.learner.progress, lesson, lab);
    fs::write(&file, &before).map_err(anyhow::Error::from)?;
    let mut words = named.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let ended = Command::new(program).args(words).arg(&file).status();
    match ended {
        Ok(status) if status.success() => {}
        Ok(_) => return seat.console.line("The editor gave up; nothing is changed."),
        Err(error) => {
            return Err(Failure::arguments_but(
                format!("cannot start the editor `{named}`"),
                error.to_string(),
            ));
        }
    }
    let ProgramFile { source, .. } = ProgramFile::read(&file)?;
    if source == before {
        return seat.console.line("Nothing is changed.");
    }
    keep(seat, lesson, lab, source)
}

fn solution(seat: &mut CommandContext<'_, '_>, lesson: &Lesson, lab: &Lab) -> Result<(), Failure> {
    let Some(solution) = &lab.solution else {
        return seat
            .console
            .line("This lab needs no solution: it works as it stands.");
    };
    let has_passed = seat
        .learner
        .progress
        .lesson(&lesson.id)
        .lab(&lab.id)
        .has_passed();
    if !has_passed {
        let sure = seat
            .console
            .ask("Show the solution before you have passed? [y/N] ")?;
        if !matches!(sure.as_deref(), Some("y" | "Y" | "yes")) {
            return Ok(());
        }
    }
    show(seat, solution)
}
