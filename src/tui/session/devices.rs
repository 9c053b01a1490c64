//! What labs can run on, and what the learner has chosen.

use crate::course::DeviceWish;
use crate::progress::{Event, Labs, Progress};
use crate::protocol::{Clock, DeviceInfo, DeviceName};

/// What labs can run on, and what the learner has chosen.
#[derive(Debug)]
pub(crate) struct Devices {
    known: Vec<DeviceInfo>,
    /// The choice for labs that take any.
    pub(crate) chosen: DeviceName,
    /// The choice for labs that want a card, while the other choice is none.
    pub(crate) card: Option<DeviceName>,
}

impl Default for Devices {
    /// What every worker can do; more is known once the app is on screen.
    fn default() -> Self {
        Self {
            known: vec![
                DeviceInfo {
                    name: DeviceName::Cpu,
                    title: "CPU".to_owned(),
                    clock: Clock::Measured,
                    memory_bytes: None,
                },
                DeviceInfo {
                    name: DeviceName::Model("t4".to_owned()),
                    title: "Tesla T4 (modelled)".to_owned(),
                    clock: Clock::Modelled,
                    memory_bytes: None,
                },
            ],
            chosen: DeviceName::Cpu,
            card: None,
        }
    }
}

impl Devices {
    /// With what the learner chose when the course was open before.
    pub(super) fn chosen_before(progress: &Progress) -> Self {
        let before = |labs| progress.device(labs)?.parse().ok();
        Self {
            chosen: before(Labs::Any).unwrap_or(DeviceName::Cpu),
            card: before(Labs::Cards),
            ..Self::default()
        }
    }

    /// What is chosen and not yet noted.
    pub(super) fn unnoted(&self, progress: &Progress) -> Vec<Event> {
        let any = (Labs::Any, Some(&self.chosen), Some("cpu"));
        let cards = (Labs::Cards, self.card.as_ref(), None);
        let choices = [any, cards].into_iter();
        let unnoted = choices.filter_map(|(labs, chosen, usual)| {
            let device = chosen?.to_string();
            let is_noted = progress.device(labs).or(usual) == Some(device.as_str());
            (!is_noted).then_some(Event::Chose { labs, device })
        });
        unnoted.collect()
    }

    /// Takes over what labs can run on, from whoever knows. One worker knows of real cards and the other one of
    /// everything else, so what is said of neither kind stays as it was.
    pub(crate) fn learn(&mut self, said: Vec<DeviceInfo>) {
        let is_real = |it: &DeviceInfo| matches!(it.name, DeviceName::Cuda(_));
        let before = std::mem::take(&mut self.known);
        let (cards_before, others_before) = before.into_iter().partition(is_real);
        let (cards, others): (Vec<_>, Vec<_>) = said.into_iter().partition(is_real);
        let newer = |said: Vec<_>, before| if said.is_empty() { before } else { said };
        let (cards, others) = (newer(cards, cards_before), newer(others, others_before));
        // Beside the CPU: one key away from it, and from the modelled cards.
        let (first, rest) = others
            .into_iter()
            .partition(|it| it.name == DeviceName::Cpu);
        self.known = [first, cards, rest].concat();
        if !self.can_be(&self.chosen) {
            self.chosen = DeviceName::Cpu;
        }
        if self.card.as_ref().is_some_and(|it| !self.can_be(it)) {
            self.card = None;
        }
    }

    /// Whether a device may be there, as far as is known: how many real cards there are is not known before the
    /// first run on one.
    fn can_be(&self, name: &DeviceName) -> bool {
        let is_real = |it: &DeviceName| matches!(it, DeviceName::Cuda(_));
        let mut known = self.known.iter().map(|it| &it.name);
        known.any(|it| it == name || is_real(it) && is_real(name))
    }

    /// What to show for a device.
    pub(crate) fn title(&self, name: &DeviceName) -> String {
        let known = self.known.iter().find(|it| &it.name == name);
        known.map_or_else(|| name.to_string(), |it| it.title.clone())
    }

    /// What a lab runs on if the learner says nothing else.
    pub(crate) fn wished(&self, wish: &DeviceWish) -> DeviceName {
        let is_card = |it: &DeviceName| *it != DeviceName::Cpu;
        match wish {
            DeviceWish::Any => self.chosen.clone(),
            DeviceWish::Cpu => DeviceName::Cpu,
            DeviceWish::Model(card) => DeviceName::Model(card.clone()),
            DeviceWish::Cuda if is_card(&self.chosen) => self.chosen.clone(),
            DeviceWish::Cuda => {
                if let Some(card) = &self.card {
                    return card.clone();
                }
                // A real card only for who has chosen one: a modelled one disturbs nobody.
                let is_model = |it: &&DeviceName| matches!(it, DeviceName::Model(_));
                let card = self.known.iter().map(|it| &it.name).find(is_model);
                card.cloned().unwrap_or(DeviceName::Model("t4".to_owned()))
            }
        }
    }

    /// The device after this one, going round.
    pub(crate) fn after(&self, name: &DeviceName) -> DeviceName {
        self.going(name, 1)
    }

    /// The device before this one, going round.
    pub(crate) fn before(&self, name: &DeviceName) -> DeviceName {
        self.going(name, self.known.len().saturating_sub(1))
    }

    fn going(&self, name: &DeviceName, steps: usize) -> DeviceName {
        let at = self.known.iter().position(|it| &it.name == name);
        let next = at.map_or(0, |it| it + steps) % self.known.len().max(1);
        self.known
            .get(next)
            .map_or(DeviceName::Cpu, |it| it.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_go_round() {
        let devices = Devices::default();
        let t4 = devices.after(&DeviceName::Cpu);
        assert_eq!(t4.to_string(), "model:t4");
        assert_eq!(devices.after(&t4), DeviceName::Cpu);
        assert_eq!(devices.before(&t4), DeviceName::Cpu);
        assert_eq!(devices.before(&DeviceName::Cpu), t4);
        assert_eq!(devices.after(&DeviceName::Cuda(7)), DeviceName::Cpu);
    }

    #[test]
    fn a_lab_that_wants_a_card_gets_one_on_a_laptop() {
        let devices = Devices::default();
        assert_eq!(devices.wished(&DeviceWish::Any), DeviceName::Cpu);
        assert_eq!(devices.wished(&DeviceWish::Cuda).to_string(), "model:t4");
    }

    #[test]
    fn a_lab_that_wants_a_card_gets_a_real_one_only_from_who_chose_it() {
        let real = DeviceInfo {
            name: DeviceName::Cuda(0),
            ..DeviceInfo::cpu(1)
        };
        let mut devices = Devices::default();
        devices.learn(vec![real]);
        assert_eq!(devices.after(&DeviceName::Cpu), DeviceName::Cuda(0));
        assert_eq!(devices.wished(&DeviceWish::Cuda).to_string(), "model:t4");
        devices.chosen = DeviceName::Cuda(0);
        assert_eq!(devices.wished(&DeviceWish::Cuda).to_string(), "cuda");
    }
}
