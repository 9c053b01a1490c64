//! What labs can run on, and what the learner has chosen.

use std::collections::BTreeMap;
use warpup_lab::device_choice::{DEFAULT_CARD, DeviceChoice};
use warpup_lab::device_table::{self, DeviceFacts, DeviceRow};
use warpup_progress::Progress;
use warpup_protocol::{Clock, DeviceInfo, DeviceName, Outcome, RealCard, Reason};

/// What labs can run on, and what the learner has chosen.
#[derive(Debug)]
pub(crate) struct Devices {
    known: Vec<DeviceInfo>,
    /// What the learner has chosen.
    pub(crate) choice: DeviceChoice,
    facts: DeviceFacts,
    /// Why the last run on a device could not be, if so.
    trouble: BTreeMap<DeviceName, Reason>,
}

impl Default for Devices {
    /// The devices that need no detection; others are learned once the app is on screen.
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
                    name: DeviceName::Model(DEFAULT_CARD.to_owned()),
                    title: "Tesla T4 (modelled)".to_owned(),
                    clock: Clock::Modelled,
                    memory_bytes: None,
                },
            ],
            choice: DeviceChoice::default(),
            facts: DeviceFacts::default(),
            trouble: BTreeMap::new(),
        }
    }
}

impl Devices {
    /// The devices with the choices of earlier sessions.
    pub(super) fn chosen_before(progress: &Progress) -> Self {
        Self {
            choice: DeviceChoice::saved(progress),
            ..Self::default()
        }
    }

    /// Takes over a list of devices. One worker lists real cards and the other one everything else, so a list without
    /// devices of a kind leaves the known ones of that kind.
    pub(crate) fn learn(&mut self, said: Vec<DeviceInfo>) {
        let is_real = |it: &DeviceInfo| matches!(it.name, DeviceName::Cuda(_));
        let before = std::mem::take(&mut self.known);
        let (cards_before, others_before) = before.into_iter().partition(is_real);
        let (cards, others): (Vec<_>, Vec<_>) = said.into_iter().partition(is_real);
        let newer = |said: Vec<_>, before| if said.is_empty() { before } else { said };
        let (mut cards, others) = (newer(cards, cards_before), newer(others, others_before));
        let auto = DeviceName::Cuda(RealCard::LeastLoaded);
        if cards.len() > 1 && cards.iter().all(|it| it.name != auto) {
            cards.push(DeviceInfo {
                name: auto,
                title: "auto, the least loaded card".to_owned(),
                clock: Clock::Measured,
                memory_bytes: None,
            });
        }
        // Real cards come after the CPU: one key from it, and from the modelled cards.
        let (first, rest) = others
            .into_iter()
            .partition(|it| it.name == DeviceName::Cpu);
        self.known = [first, cards, rest].concat();
        if !self.can_be(&self.choice.any) {
            self.choice.any = DeviceName::Cpu;
        }
        if self.choice.card.as_ref().is_some_and(|it| !self.can_be(it)) {
            self.choice.card = None;
        }
    }

    /// Takes over what is known of devices besides their names.
    pub(crate) fn learn_facts(&mut self, facts: DeviceFacts) {
        self.facts = facts;
    }

    /// A run on a device has ended like this.
    pub(crate) fn note_end(&mut self, device: &DeviceName, outcome: &Outcome) {
        if let Some(reason) = outcome.reason() {
            self.trouble.insert(device.clone(), reason.clone());
            return;
        }
        self.trouble.remove(device);
        if matches!(device, DeviceName::Cuda(_)) {
            self.facts.no_driver = None;
        }
    }

    /// The devices to choose from, with what is known of them.
    pub(crate) fn rows(&self) -> Vec<DeviceRow> {
        device_table::rows(&self.known, &self.facts, |it| self.trouble.get(it))
    }

    /// Whether a device may exist: the number of real cards is unknown before the first run on one.
    fn can_be(&self, name: &DeviceName) -> bool {
        let is_real = |it: &DeviceName| matches!(it, DeviceName::Cuda(_));
        let mut known = self.known.iter().map(|it| &it.name);
        known.any(|it| it == name || is_real(it) && is_real(name))
    }

    /// The name of a device on screen.
    pub(crate) fn title(&self, name: &DeviceName) -> String {
        let known = self.known.iter().find(|it| &it.name == name);
        known.map_or_else(|| name.to_string(), |it| it.title.clone())
    }

    /// The previous device in the list, the last one before the first.
    pub(crate) fn before(&self, name: &DeviceName) -> DeviceName {
        let at = self.known.iter().position(|it| &it.name == name);
        let before = at.and_then(|it| self.known.get(it.checked_sub(1)?));
        let before = before.or_else(|| self.known.last());
        before.map_or(DeviceName::Cpu, |it| it.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::DeviceWish;

    #[test]
    fn devices_go_round() {
        let devices = Devices::default();
        let t4 = devices.before(&DeviceName::Cpu);
        assert_eq!(t4.to_string(), "model:t4");
        assert_eq!(devices.before(&t4), DeviceName::Cpu);
        assert_eq!(devices.before(&DeviceName::cuda(7)), t4);
    }

    #[test]
    fn of_several_cards_the_least_loaded_one_can_be_chosen() {
        let card = |number| DeviceInfo {
            name: DeviceName::cuda(number),
            ..DeviceInfo::cpu(1)
        };
        let names = |devices: &Devices| {
            let names = devices.known.iter().map(|it| it.name.to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let mut devices = Devices::default();
        devices.learn(vec![card(0)]);
        assert_eq!(names(&devices), "cpu cuda model:t4");
        devices.learn(vec![card(0), card(1)]);
        assert_eq!(names(&devices), "cpu cuda cuda:1 auto model:t4");
        devices.choice.any = "auto".parse().unwrap();
        devices.learn(vec![card(0), card(1)]);
        assert_eq!(devices.choice.any.to_string(), "auto");
    }

    #[test]
    fn a_lab_that_wants_a_card_gets_a_real_one_only_from_who_chose_it() {
        let real = DeviceInfo {
            name: DeviceName::cuda(0),
            ..DeviceInfo::cpu(1)
        };
        let mut devices = Devices::default();
        devices.learn(vec![real]);
        let t4 = devices.before(&DeviceName::Cpu);
        assert_eq!(devices.before(&t4), DeviceName::cuda(0));
        assert_eq!(
            devices.choice.device(&DeviceWish::Cuda).to_string(),
            "model:t4"
        );
        devices.choice.any = DeviceName::cuda(0);
        assert_eq!(devices.choice.device(&DeviceWish::Cuda).to_string(), "cuda");
    }
}
