//! The settings: theme and mouse to choose from, and the keys that are in force.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::behaviour::{Screen, Step, Target};
use crate::effect::Effect;
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, KeyGroup, Motion, RebindableAction};
use crate::page;
use crate::scroll::{Scroll, VisibleLines};
use crate::session::{Session, SettingSave, UpdateContext};
use crate::theme::{Role, Theme};
use warpup_store::settings::{Change, ThemeSetting};

/// Columns for the signs and the name of a choice.
const CHOICE: usize = 19;

/// Columns for the name of an action.
const NAME: usize = 20;

/// Columns for the keys of an action.
const KEYS: usize = 20;

/// From this width on, what an action does is beside its keys.
const ROOMY: u16 = 70;

/// All choices, each with what it means, under the heading of its kind.
const CHOICES: [(&str, &[(Change, &str)]); 2] = [
    (
        "Theme",
        &[
            (Change::Theme(ThemeSetting::Auto), "what fits the terminal"),
            (Change::Theme(ThemeSetting::Dark), "for a dark background"),
            (Change::Theme(ThemeSetting::Light), "for a light background"),
            (
                Change::Theme(ThemeSetting::HighContrast),
                "weight and lines, no dim text",
            ),
            (
                Change::Theme(ThemeSetting::ColourBlind),
                "two colours that everybody can tell apart",
            ),
            (
                Change::Theme(ThemeSetting::Sixteen),
                "the colours of your terminal",
            ),
            (Change::Theme(ThemeSetting::None), "no colours"),
        ],
    ),
    (
        "Mouse",
        &[
            (
                Change::Mouse(true),
                "the wheel scrolls, clicks choose; Shift selects text",
            ),
            (Change::Mouse(false), "the mouse stays with the terminal"),
        ],
    ),
];

#[derive(Debug, Default)]
pub(crate) struct Settings {
    at: usize,
    scroll: Scroll,
    /// Whether the learner has scrolled away from the choice.
    has_scrolled: bool,
    /// The lines of each choice.
    places: Vec<Range<usize>>,
}

impl Settings {
    /// The settings, with the mark on the chosen theme.
    pub(super) fn open(session: &Session) -> Self {
        let at = choices().position(|it| session.settings.is_chosen(it.0));
        Self {
            at: at.unwrap_or(0),
            ..Self::default()
        }
    }

    fn choose(&self, ctx: &mut UpdateContext<'_>) {
        let Some((change, _)) = choices().nth(self.at) else {
            return;
        };
        let session = &mut *ctx.session;
        if !session.settings.is_chosen(change) {
            session.settings.choose(change);
            session.theme.colours = session.settings.colours();
            ctx.effects.push(Effect::Set(change));
        }
    }

    fn go(&mut self, motion: Motion) {
        let last = choices().count().saturating_sub(1);
        let is_seen = self.places.get(self.at).is_some_and(|it| {
            let visible = self.scroll.visible();
            visible.contains(&it.start)
        });
        let at = match motion {
            Motion::Up if is_seen => Some(self.at.saturating_sub(1)),
            Motion::Down if is_seen && self.at < last => Some(self.at + 1),
            Motion::Top => Some(0),
            // The keys come after the choices.
            Motion::Up | Motion::Down | Motion::PageUp | Motion::PageDown | Motion::Bottom => None,
        };
        self.has_scrolled = at.is_none();
        match at {
            Some(at) => self.at = at,
            None => self.scroll.go(motion),
        }
    }

    /// The theme in which the screen is drawn: the marked one, so that moving the mark shows what a choice would look like.
    fn theme(&self, session: &Session) -> Theme {
        let settings = &session.settings;
        let marked = choices().nth(self.at).map(|it| it.0);
        let colours = match marked.filter(|it| !settings.is_chosen(*it)) {
            Some(Change::Theme(set)) => settings.colours_of(set),
            Some(Change::Mouse(_)) | None => session.theme.colours,
        };
        Theme {
            colours,
            ..session.theme
        }
    }

    fn lines(&mut self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = self.theme(session);
        let mut lines = Vec::new();
        self.places.clear();
        for (heading, of_kind) in CHOICES {
            lines.push(theme.line(heading, Role::Heading));
            for (change, about) in of_kind {
                let start = lines.len();
                let is_marked = self.places.len() == self.at;
                let look = (theme, width);
                lines.extend(choice((*change, about), is_marked, session, look));
                self.places.push(start..lines.len());
            }
            lines.push(Line::default());
        }
        lines.extend(place(session, (theme, width)));
        lines.push(Line::default());
        lines.extend(keys(session, (theme, width)));
        lines
    }
}

fn choices() -> impl Iterator<Item = (Change, &'static str)> {
    CHOICES.into_iter().flat_map(|it| it.1).copied()
}

/// A choice, what it means beside its name.
fn choice(
    (change, about): (Change, &str),
    is_marked: bool,
    session: &Session,
    (theme, width): (Theme, u16),
) -> Vec<Line<'static>> {
    let settings = &session.settings;
    let name = match change {
        Change::Theme(theme) => theme.name(),
        Change::Mouse(true) => "on",
        Change::Mouse(false) => "off",
    };
    let (sign, role) = if settings.is_chosen(change) {
        ("● ", Role::Strong)
    } else {
        ("○ ", Role::Text)
    };
    let head = [
        theme.span(if is_marked { "▸ " } else { "  " }, Role::Key),
        theme.span(sign, role),
        theme.span(&format!("{name:<0$}", CHOICE - 4), role),
    ];
    let rest = [theme.span(&" ".repeat(CHOICE), Role::Text)];
    let room = usize::from(width).saturating_sub(CHOICE).max(1);
    let mut about = page::paragraph(about, theme.style(Role::Dim), room);
    if let Change::Theme(set) = change
        && is_marked
    {
        let colours = settings.colours_of(set);
        about.push(sample(Theme { colours, ..theme }));
    }
    page::prefixed(about, &head, &rest).collect()
}

/// What texts of each kind look like in a theme.
fn sample(theme: Theme) -> Line<'static> {
    let words = [
        ("Heading", Role::Heading),
        ("code", Role::Code),
        ("key", Role::Key),
        ("✓ right", Role::Good),
        ("✗ wrong", Role::Bad),
        ("! warning", Role::Warn),
        ("MODELLED", Role::Modelled),
    ];
    let gap = theme.span(" ", Role::Text);
    let spans = words.map(|(word, role)| [theme.span(word, role), gap.clone()]);
    Line::from(spans.into_iter().flatten().collect::<Vec<_>>())
}

/// Where the choices are kept, and what is wrong there.
fn place(session: &Session, (theme, width): (Theme, u16)) -> Vec<Line<'static>> {
    let settings = &session.settings;
    let said = match &settings.file {
        Some(file) => format!("Your choices are kept in {file}"),
        None => "There is no folder for settings: a choice holds until you quit.".to_owned(),
    };
    let mut lines = page::paragraph(&said, theme.style(Role::Dim), width);
    let (said, role) = match &settings.kept {
        SettingSave::Unchanged => (String::new(), Role::Dim),
        SettingSave::Yes => ("✓ kept".to_owned(), Role::Good),
        SettingSave::No(why) => (
            format!("! The choice holds until you quit. {why}"),
            Role::Warn,
        ),
    };
    if !said.is_empty() {
        lines.extend(page::paragraph(&said, theme.style(role), width));
    }
    for warning in &settings.warnings {
        let warning = warning.trim_end();
        lines.extend(page::wrap_output(
            warning,
            theme.style(Role::Warn),
            width,
            theme,
        ));
    }
    lines
}

/// The keys of all actions that can have others.
fn keys(session: &Session, (theme, width): (Theme, u16)) -> Vec<Line<'static>> {
    let mut lines = vec![theme.line("Keys", Role::Heading)];
    let how = "For other keys, write a table into the file, such as:";
    lines.extend(page::paragraph(how, theme.style(Role::Dim), width));
    for line in ["  [keys]", "  page-down = [\"space\", \"f\"]"] {
        lines.push(theme.line(line, Role::Code));
    }
    let named = session.keys.named();
    for group in KeyGroup::ALL {
        let of_group: Vec<_> = named.iter().filter(|it| it.group == group).collect();
        if !of_group.is_empty() {
            lines.extend([Line::default(), theme.line(group.heading(), Role::Heading)]);
            lines.extend(
                of_group
                    .into_iter()
                    .flat_map(|it| keys_of(it, width, theme)),
            );
        }
    }
    lines
}

/// An action with its keys, and what it does where there is room.
fn keys_of(action: &RebindableAction, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let name = theme.span(&format!("{:<NAME$}", action.name), Role::Text);
    let keys = theme.span(&format!("{:<KEYS$}", action.keys), Role::Key);
    if width < ROOMY {
        return vec![Line::from(vec![name, keys])];
    }
    let room = usize::from(width).saturating_sub(NAME + KEYS).max(1);
    let help = page::paragraph(action.help, theme.style(Role::Dim), room);
    let rest = [theme.span(&" ".repeat(NAME + KEYS), Role::Text)];
    page::prefixed(help, &[name, keys], &rest).collect()
}

impl Screen for Settings {
    fn context(&self) -> Context {
        Context::SETTINGS
    }

    fn title(&self, _session: &Session) -> Title {
        Title::new("Settings", self.scroll.place())
    }

    fn offers(&self, _action: Action, _session: &Session) -> bool {
        true
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => return Step::Back,
            Action::Open => self.choose(ctx),
            Action::Scroll(motion) => self.go(motion),
            Action::App(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn at(&self, place: Position, body: Rect, _session: &Session) -> Option<Target> {
        let row = self.scroll.row_at(place, frame::column(body));
        row.map(Target::Row)
    }

    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        if let Target::Row(at) = target {
            self.at = at;
            self.choose(ctx);
        }
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let lines = self.lines(session, frame::column(body).width);
        let place = self.places.get(self.at).filter(|_| !self.has_scrolled);
        let focus = place.cloned().unwrap_or_default();
        // The heading above the first choice is part of it.
        let start = if focus.start == 1 { 0 } else { focus.start };
        let drawn = VisibleLines {
            lines,
            focus: start..focus.end,
            rows: self.places.clone(),
            cursor: None,
        };
        self.scroll.draw(drawn, body.height);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        frame::scrolled(frame, body, &self.scroll, self.theme(session));
    }
}
