//! The commands of a lab: run it, get a hint, choose a device. Those that change its program are in [`super::program`].

use super::command::LabCommand;
use super::program;
use crate::cli::RunArgs;
use crate::commands::context::CommandContext;
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::find::LessonLab;
use crate::commands::run;
use crate::commands::runner::RunLab;
use std::collections::BTreeMap;
use warpup_course::{LabId, LessonId, plain};
use warpup_lab::device_choice::DeviceChoice;
use warpup_lab::prediction;
use warpup_protocol::{DeviceInfo, DeviceName};

/// The devices that labs run on, and how to run a lab.
pub(super) struct Devices<'a> {
    pub(super) run_lab: &'a mut RunLab<'a>,
    /// Refuses a device that is missing here, with the reason.
    pub(super) can_run_on: &'a dyn Fn(&DeviceName) -> Result<()>,
    pub(super) all: Vec<DeviceInfo>,
}

/// Executes the commands of labs.
pub(super) struct LabCommands<'a> {
    devices: Devices<'a>,
    /// How many hints of each lab were given.
    hints: BTreeMap<(LessonId, LabId), usize>,
    /// How many programs that pass were shown of each lab.
    shown: BTreeMap<(LessonId, LabId), usize>,
}

impl<'a> LabCommands<'a> {
    pub(super) fn new(devices: Devices<'a>) -> Self {
        Self {
            devices,
            hints: BTreeMap::new(),
            shown: BTreeMap::new(),
        }
    }

    /// Executes a command on a lab. The course goes on after a mistake of the learner.
    pub(super) fn execute(
        &mut self,
        context: &mut CommandContext<'_, '_>,
        at: LessonLab<'_>,
        command: LabCommand,
    ) -> Result<()> {
        let done = match command {
            LabCommand::Run => self.run(context, at),
            LabCommand::Show => {
                let source = run::saved_source(&context.learner.progress, at);
                program::show(context, &source)
            }
            LabCommand::Candle => match &at.lab.rust {
                Some(rust) => program::show(context, rust),
                None => context.console.line("This lab has no version in candle."),
            },
            LabCommand::Hint => self.hint(context, at),
            LabCommand::Edit => program::edit(context, at),
            LabCommand::Save(file) => program::write_to(context, at, &file),
            LabCommand::Take(file) => program::read_from(context, at, &file),
            LabCommand::Reset => program::save(context, at, at.lab.starter.clone()),
            LabCommand::Solution => {
                let key = (at.lesson.id.clone(), at.lab.id.clone());
                program::solution(context, at, self.shown.entry(key).or_default())
            }
        };
        report_mistake(context, done)
    }

    fn run(&mut self, context: &mut CommandContext<'_, '_>, at: LessonLab<'_>) -> Result<()> {
        let device = DeviceChoice::saved(&context.learner.progress).device(&at.lab.device);
        (self.devices.can_run_on)(&device)?;
        let progress = context.learner.progress.lesson(&at.lesson.id);
        if let Some(question) = prediction::question(at.lesson, at.lab)
            && progress.predicted(question).is_none()
            && run::predict::ask(context, at.lesson, question)?.is_some()
        {
            return Ok(());
        }
        context.console.line("")?;
        let args = RunArgs {
            program: format!("{}/{}", at.lesson.id, at.lab.id),
            device: Some(device),
            ..RunArgs::default()
        };
        run::run(context, &args, self.devices.run_lab).map(drop::<Exit>)
    }

    fn hint(&mut self, context: &mut CommandContext<'_, '_>, at: LessonLab<'_>) -> Result<()> {
        let key = (at.lesson.id.clone(), at.lab.id.clone());
        let given = self.hints.entry(key).or_default();
        let Some(hint) = at.lab.hints.get(*given) else {
            if *given == 0 {
                return context.console.line("This lab has no hints.");
            }
            *given = 0;
            let said = "There is no other hint; the next one is the first.";
            return context.console.line(said);
        };
        *given += 1;
        let (given, of) = (*given, at.lab.hints.len());
        context.console.line(&format!("Hint {given} of {of}"))?;
        let width = context.console.prose_width();
        context.console.text(&plain::blocks(hint, width))
    }

    /// Lists the devices, or chooses one.
    pub(super) fn device(
        &self,
        context: &mut CommandContext<'_, '_>,
        name: Option<&str>,
    ) -> Result<()> {
        let Some(name) = name else {
            return self.list(context);
        };
        let chosen = self.choose(context, name);
        report_mistake(context, chosen)
    }

    fn list(&self, context: &mut CommandContext<'_, '_>) -> Result<()> {
        let chosen = DeviceChoice::saved(&context.learner.progress).any;
        context.console.line(&format!(
            "Labs that leave it to you run on {chosen}. There are:"
        ))?;
        let devices = self.devices.all.iter();
        let named = devices.map(|it| format!("{:<16}  {}", it.name.to_string(), it.title));
        context.console.lines(named)
    }

    fn choose(&self, context: &mut CommandContext<'_, '_>, name: &str) -> Result<()> {
        let Ok(device) = name.parse::<DeviceName>() else {
            return Err(Failure::arguments_but(
                format!("`{name}` is not a device"),
                "type `device` for a list of those that there are",
            ));
        };
        (self.devices.can_run_on)(&device)?;
        let before = DeviceChoice::saved(&context.learner.progress);
        let card = Some(device.clone()).filter(|it| *it != DeviceName::Cpu);
        let choice = DeviceChoice {
            any: device.clone(),
            card: card.or(before.card),
        };
        for event in choice.unsaved(&context.learner.progress) {
            context.note(event);
        }
        context.console.line(&format!(
            "Labs run on {device} now, unless they ask for another device."
        ))
    }
}

/// Reports a mistake of the learner, after which the course goes on. Other failures end it.
pub(super) fn report_mistake(context: &mut CommandContext<'_, '_>, done: Result<()>) -> Result<()> {
    match done {
        Err(failure @ Failure::Arguments { .. }) => {
            let console = &mut *context.console;
            let columns = console.draws.out.then_some(console.width);
            failure.report(console.out, columns);
            Ok(())
        }
        other => other,
    }
}
