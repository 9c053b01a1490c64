//! Which device a lab runs on: what the lesson asks for, and what the learner has chosen.
//!
//! Does not know which devices this machine has: the caller refuses one that is missing.

use warpup_course::DeviceWish;
use warpup_progress::{Event, Labs, Progress};
use warpup_protocol::DeviceName;

/// The modelled card for a lab that needs a card where the learner has chosen none.
pub const DEFAULT_CARD: &str = "t4";

/// The devices that a learner has chosen; by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceChoice {
    /// For labs that run on any device.
    pub any: DeviceName,
    /// For labs that need a card, while `any` is the CPU.
    pub card: Option<DeviceName>,
}

/// Whether a run can count for a lab with this wish: what needs a card is not passed on the CPU, where nothing is
/// ever on the wrong device.
pub fn counts(wish: &DeviceWish, device: &DeviceName) -> bool {
    match wish {
        DeviceWish::Any | DeviceWish::Cpu => true,
        DeviceWish::Cuda | DeviceWish::Model(_) => *device != DeviceName::Cpu,
    }
}

impl DeviceChoice {
    /// The choice that was saved last.
    pub fn saved(progress: &Progress) -> Self {
        let saved = |labs| progress.device(labs)?.parse().ok();
        Self {
            any: saved(Labs::Any).unwrap_or_default(),
            card: saved(Labs::Cards),
        }
    }

    /// The device for a lab with this wish.
    pub fn device(&self, wish: &DeviceWish) -> DeviceName {
        match wish {
            DeviceWish::Any => self.any.clone(),
            DeviceWish::Cpu => DeviceName::Cpu,
            DeviceWish::Model(card) => DeviceName::Model(card.clone()),
            DeviceWish::Cuda if self.any != DeviceName::Cpu => self.any.clone(),
            DeviceWish::Cuda => self
                .card
                .clone()
                .unwrap_or_else(|| DeviceName::Model(DEFAULT_CARD.to_owned())),
        }
    }

    /// The events that save what differs from the saved choice.
    pub fn unsaved(&self, progress: &Progress) -> Vec<Event> {
        let saved = Self::saved(progress);
        let any = (self.any != saved.any).then_some((Labs::Any, &self.any));
        let card = self.card.as_ref().filter(|_| self.card != saved.card);
        let changed = any.into_iter().chain(card.map(|it| (Labs::Cards, it)));
        changed
            .map(|(labs, device)| Event::Chose {
                labs,
                device: device.to_string(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::CourseId;

    fn name(device: &str) -> DeviceName {
        device.parse().unwrap()
    }

    fn on(any: &str, card: Option<&str>, wish: &DeviceWish) -> String {
        let choice = DeviceChoice {
            any: name(any),
            card: card.map(name),
        };
        choice.device(wish).to_string()
    }

    #[test]
    fn a_lab_that_asks_for_a_device_gets_it_whatever_was_chosen() {
        let wish = DeviceWish::Model("h100".to_owned());
        assert_eq!(on("cuda", Some("model:l4"), &DeviceWish::Cpu), "cpu");
        assert_eq!(on("cuda", Some("model:l4"), &wish), "model:h100");
    }

    #[test]
    fn a_lab_that_needs_a_card_gets_the_chosen_one_else_a_modelled_one() {
        let wish = &DeviceWish::Cuda;
        assert_eq!(on("cpu", None, wish), "model:t4");
        assert_eq!(on("cpu", Some("cuda"), wish), "cuda");
        assert_eq!(on("model:l4", None, wish), "model:l4");
        assert_eq!(on("model:l4", Some("cuda"), wish), "model:l4");
    }

    #[test]
    fn only_a_changed_choice_is_saved() {
        let progress = Progress::new(&CourseId::new("warpup"));
        assert_eq!(DeviceChoice::default().unsaved(&progress), []);
        let choice = DeviceChoice {
            any: DeviceName::Cpu,
            card: Some(name("model:l4")),
        };
        let device = "model:l4".to_owned();
        let labs = Labs::Cards;
        assert_eq!(choice.unsaved(&progress), [Event::Chose { labs, device }]);
    }
}
