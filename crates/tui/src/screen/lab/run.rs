//! Running a lab: starting and cancelling a run, and what follows when it has finished.

use super::origin::ProgramOrigin;
use super::state::{Lab, Mode};
use crate::effect::Effect;
use crate::session::{LastRun, Pane, Receipt, Runs, UpdateContext};
use warpup_course::DeviceWish;
use warpup_lab::run::Run;
use warpup_lab::{findings, line_weight, prediction, request, timed};
use warpup_protocol::{DeviceName, RunRequest};

impl Lab {
    /// Starts a run, after a prediction where the lab wants one.
    pub(super) fn run(&mut self, ctx: &mut UpdateContext<'_>) {
        if self.is_running() {
            return;
        }
        self.save_changes(ctx);
        if let Some(predicting) = self.must_predict(ctx.session) {
            self.mode = Mode::Predicting(Box::new(predicting));
            self.scroll.go_to_top();
            return;
        }
        let run = ctx.session.new_run();
        let source = self.editor.text();
        let device = self.device.clone();
        ctx.effects.push(Effect::Run(match &self.origin {
            ProgramOrigin::File(program) => program.request(run, source.clone(), device),
            ProgramOrigin::Lesson => RunRequest {
                timed: timed::is_timed(&self.lesson, &self.definition, &source),
                ..request::of_lab(&self.definition, run, source.clone(), device)
            },
        }));
        self.runs.retire();
        (self.window, self.finding) = (None, 0);
        self.runs.last = Some(LastRun {
            run: Run::new(run),
            source,
            device: self.device.clone(),
            clock: None,
            found: Vec::new(),
            receipt: Receipt::default(),
            is_cancelled: false,
        });
        // Who edits goes on editing: letters stay letters.
        if !matches!(self.mode, Mode::Editing) {
            self.mode = Mode::Reading;
        }
        self.pane = Pane::Output;
        self.scroll.go_to_top();
        self.follows_end = true;
    }

    /// Asks the run to stop. Says whether nobody had asked before.
    pub(super) fn cancel(&mut self, ctx: &mut UpdateContext<'_>) -> bool {
        let Some(ran) = self.runs.last.as_mut().filter(|it| it.run.report.is_none()) else {
            return false;
        };
        ctx.effects.push(Effect::Cancel(ran.run.id));
        !std::mem::replace(&mut ran.is_cancelled, true)
    }

    /// Records a finished run and chooses the pane to show.
    pub(super) fn finished(&mut self, ctx: &mut UpdateContext<'_>) {
        self.note_run(ctx);
        if let Some(ran) = &mut self.runs.last
            && let Some(report) = &ran.run.report
        {
            ran.found = findings::of_run(report, &ran.source, self.origin.kind());
        }
        let Some(LastRun { run, .. }) = &self.runs.last else {
            return;
        };
        let Some(report) = &run.report else { return };
        ctx.session
            .machine
            .devices
            .note_end(&self.device, &report.outcome);
        if let Some(question) = self.question()
            && let Some(truth) = prediction::truth(question, run)
        {
            let key = (self.lesson.id.clone(), question.id.clone());
            ctx.session.labs.truths.insert(key, truth);
        }
        let slowest = line_weight::slowest(report);
        if let Some(raised) = run.raised() {
            // The exception is below all printed output. Who edits keeps the cursor: the next letters belong where the last ones went.
            let edits = matches!(self.mode, Mode::Editing);
            if !raised.in_check && raised.line > 0 && !edits {
                self.editor.go_to_line(raised.line);
            }
            return;
        }
        if report.outcome.reason().is_some() {
            // The output pane says why, from its top.
        } else if self.definition.predict.is_some() || run.checks.iter().any(|it| !it.ok) {
            self.pane = Pane::Checks;
        } else if !run.plots.is_empty() {
            self.pane = Pane::Plot;
        }
        self.follows_end = false;
        self.scroll.go_to_top();
        // Who edits keeps the cursor.
        if let Some(line) = slowest.filter(|_| matches!(self.mode, Mode::Reading)) {
            self.editor.go_to_line(line);
        }
    }

    /// Records a finished run, unless it does not count.
    fn note_run(&mut self, ctx: &mut UpdateContext<'_>) {
        let Self {
            origin,
            lesson,
            definition,
            device,
            runs,
            ..
        } = self;
        let Runs {
            last: Some(LastRun { run, receipt, .. }),
            past,
            ..
        } = runs
        else {
            return;
        };
        let wish = &definition.device;
        past.add(run, wish, device);
        let ProgramOrigin::Lesson = origin else {
            return;
        };
        if let Some(event) = run.event(&lesson.id, &definition.id, wish, device) {
            ctx.note(prediction::remembered(event, lesson, run));
            *receipt = ctx.session.learner.saving.newest();
        }
    }

    /// Changes the device, for other labs too where this one leaves the choice to the learner.
    pub(super) fn change_device(&mut self, device: DeviceName, ctx: &mut UpdateContext<'_>) {
        let choice = &mut ctx.session.machine.devices.choice;
        match (&self.origin, &self.definition.device, &device) {
            (ProgramOrigin::Lesson, DeviceWish::Any, _) => choice.any = device.clone(),
            (ProgramOrigin::Lesson, DeviceWish::Cuda, DeviceName::Cuda(_) | DeviceName::Model(_)) => {
                choice.card = Some(device.clone());
            }
            (ProgramOrigin::Lesson, DeviceWish::Cuda, DeviceName::Cpu)
            | (ProgramOrigin::Lesson, DeviceWish::Cpu | DeviceWish::Model(_), _)
            // What a program of one's own runs on says nothing of labs.
            | (ProgramOrigin::File(_), _, _) => {}
        }
        let is_real = |it: &DeviceName| matches!(it, DeviceName::Cuda(_));
        if is_real(&self.device) && !is_real(&device) {
            ctx.effects.push(Effect::ReleaseCard);
        }
        self.device = device;
    }
}
