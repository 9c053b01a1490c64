//! The doctor's report: what is between a program and the card. The shell runs the doctor and the session keeps its
//! report, so that closing the screen loses nothing.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::behaviour::{Screen, Step, Target};
use crate::effect::Effect;
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, DoctorAction};
use crate::scroll::Scroll;
use crate::session::{DoctorState, Session, UpdateContext};
use crate::theme::{Role, Theme};
use crate::{page, styled};
use warpup_doctor::{LadderVerdict, Report, Rung, RungState};

/// From this width on, texts are beside the words for states.
const ROOMY: usize = 60;

/// Columns for the sign and the word of a state, before a title.
const WORD: usize = 12;

/// The indentation of texts on narrower screens.
const INDENT: usize = 2;

#[derive(Debug, Default)]
pub(crate) struct Doctor {
    detail: Detail,
    scroll: Scroll,
}

/// How much is shown of rungs without problems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Detail {
    /// One line.
    #[default]
    Short,
    /// Everything.
    All,
}

impl Doctor {
    /// Opens the screen; the first time in a session, this runs the doctor.
    pub(super) fn open(ctx: &mut UpdateContext<'_>) -> Self {
        if ctx.session.machine.doctor == DoctorState::NotRun {
            look(ctx);
        }
        Self::default()
    }
}

/// Runs the doctor, unless it is running.
fn look(ctx: &mut UpdateContext<'_>) {
    if ctx.session.machine.doctor.begin() {
        ctx.effects.push(Effect::RunDoctor);
    }
}

impl Screen for Doctor {
    fn context(&self) -> Context {
        Context::DOCTOR
    }

    fn title(&self, session: &Session) -> Title {
        let right = match &session.machine.doctor {
            DoctorState::Running(_) => "looking …".to_owned(),
            DoctorState::NotRun | DoctorState::Done(_) | DoctorState::Failed(_) => {
                self.scroll.place()
            }
        };
        Title::new("From a program to the card", right)
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        let Action::Doctor(action) = action else {
            return true;
        };
        match action {
            DoctorAction::LookAgain => !matches!(session.machine.doctor, DoctorState::Running(_)),
            DoctorAction::Details => session.machine.doctor.report().is_some(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => return Step::Back,
            Action::Doctor(DoctorAction::LookAgain) => look(ctx),
            Action::Doctor(DoctorAction::Details) => {
                self.detail = match self.detail {
                    Detail::Short => Detail::All,
                    Detail::All => Detail::Short,
                };
                self.scroll.go_to_top();
            }
            Action::Scroll(motion) => self.scroll.go(motion),
            Action::App(_)
            | Action::Open
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_) => {}
        }
        Step::Stay
    }

    fn at(&self, _place: Position, _body: Rect, _session: &Session) -> Option<Target> {
        None
    }

    fn click(&mut self, _target: Target, _ctx: &mut UpdateContext<'_>) -> Step {
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = usize::from(frame::column(body).width);
        self.scroll.set(lines(session, self.detail, width));
        self.scroll.fit(body.height);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        frame::scrolled(frame, body, &self.scroll, session.theme);
    }
}

fn lines(session: &Session, detail: Detail, width: usize) -> Vec<Line<'static>> {
    let theme = session.theme;
    if let DoctorState::Failed(why) = &session.machine.doctor {
        let said = format!("The doctor could not look: {why}");
        return page::paragraph(&said, theme.style(Role::Bad), width);
    }
    let Some(report) = session.machine.doctor.report() else {
        let said = "Looking at drivers, libraries and cards …";
        return page::paragraph(said, theme.style(Role::Dim), width);
    };
    let mut lines = summary(report, theme, width);
    lines.push(Line::default());
    for rungs in report.rungs.chunk_by(Rung::shares_reason) {
        match rungs {
            [rung] if rung.state != RungState::NotLookedAt => {
                let is_short = detail == Detail::Short && !needs_attention(rung);
                lines.extend(head(rung, is_short, theme, width));
                if !is_short {
                    lines.extend(details(rung, session, width));
                }
            }
            _ => lines.extend(not_looked_at(rungs, theme, width)),
        }
    }
    lines
}

fn needs_attention(rung: &Rung) -> bool {
    match rung.state {
        RungState::Warning | RungState::Broken => true,
        RungState::NotHere => !rung.try_next.is_empty(),
        RungState::Ok | RungState::NotLookedAt => false,
    }
}

/// The verdict, and the one next step.
fn summary(report: &Report, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let role = match report.verdict() {
        LadderVerdict::Broken => Role::Bad,
        LadderVerdict::Ready => Role::Good,
        LadderVerdict::WithoutCard | LadderVerdict::Looking => Role::Text,
    };
    let mut lines = page::paragraph(&report.summary(), theme.style(role), width);
    if let Some(step) = report.next_step() {
        let step = [
            theme.span("Next: ", Role::Key),
            theme.span(step, Role::Text),
        ];
        lines.extend(page::wrap(&step, width));
    }
    lines
}

fn role(state: RungState) -> Role {
    match state {
        RungState::Ok => Role::Good,
        RungState::Warning => Role::Warn,
        RungState::Broken => Role::Bad,
        RungState::NotHere | RungState::NotLookedAt => Role::Dim,
    }
}

/// The first line of a rung: sign, word, title, and in the short form its finding.
fn head(rung: &Rung, is_short: bool, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let colon = if width >= ROOMY { "" } else { ":" };
    let state = format!("{} {}{colon}", rung.state.sign(), rung.state.label());
    let state = theme.span(&state, role(rung.state));
    let mut spans = vec![theme.span(rung.title, Role::Strong)];
    // A narrow screen has no room for a sentence beside a title.
    if is_short && width >= ROOMY {
        let said = format!(": {}", rung.says);
        spans.push(theme.span(&said, Role::Dim));
    }
    beside(&state, &spans, width)
}

fn details(rung: &Rung, session: &Session, width: usize) -> Vec<Line<'static>> {
    let theme = session.theme;
    let mut lines = Vec::new();
    let mut say = |label: Option<Span<'static>>, text: &str, role| {
        for text in text.lines() {
            let spans: Vec<_> = label
                .clone()
                .into_iter()
                .chain([theme.span(text, role)])
                .collect();
            lines.extend(beside(&styled::span("", Style::new()), &spans, width));
        }
    };
    let dim = |label| Some(theme.span(label, Role::Dim));
    let key = |label| Some(theme.span(label, Role::Key));
    say(None, &rung.says, Role::Text);
    say(dim("looked at: "), &rung.looked_at.join("; "), Role::Dim);
    for line in &rung.evidence {
        say(dim("found: "), line, Role::Text);
    }
    for step in &rung.try_next {
        say(key("try: "), step, Role::Text);
    }
    let mut lessons = session.course.lessons.iter();
    let lesson = lessons.find(|it| it.id.as_str() == rung.lesson);
    if let Some(lesson) = lesson.filter(|_| rung.state != RungState::Ok) {
        say(key("read: "), &lesson.title, Role::Text);
    }
    lines.push(Line::default());
    lines
}

/// One line for rungs that were not examined for the same reason.
fn not_looked_at(rungs: &[Rung], theme: Theme, width: usize) -> Vec<Line<'static>> {
    let titles: Vec<&str> = rungs.iter().map(|it| it.title).collect();
    let why = rungs.first().map_or("", |it| it.says.as_str());
    let state = RungState::NotLookedAt;
    let said = format!("{} ({why}): {}", state.label(), titles.join("; "));
    let sign = theme.span(&state.sign().to_string(), Role::Dim);
    beside(&sign, &[theme.span(&said, Role::Dim)], width)
}

/// Text beside a mark, with all its lines in one column.
fn beside(mark: &Span<'static>, text: &[Span<'static>], width: usize) -> Vec<Line<'static>> {
    let indent = if width >= ROOMY { WORD } else { INDENT };
    let first = indent.max(mark.width() + usize::from(!mark.content.is_empty()));
    let room = width.saturating_sub(indent.max(first)).max(1);
    let blank = |columns: usize| styled::span(&" ".repeat(columns), Style::new());
    let gap = blank(first - mark.width());
    page::prefixed(
        page::wrap(text, room),
        &[mark.clone(), gap],
        &[blank(indent)],
    )
    .collect()
}
