//! The devices of this worker by name: lists them and opens one for a run.

use super::host_bytes::HostBytes;
use super::interface::Device;
use super::least_loaded::Load;
use super::modelled::{self, TwoHosts};
use super::unavailable::OpenError;
use super::{cards, cpu};
#[cfg(feature = "cuda")]
use warpup_protocol::RealCard;
use warpup_protocol::{Aim, DeviceInfo, DeviceName, Limits};

/// Opens a device for a run with these limits.
pub(crate) fn open(
    name: &DeviceName,
    aim: Aim,
    limits: &Limits,
) -> Result<Box<dyn Device>, OpenError> {
    match (name, aim) {
        (DeviceName::Cpu, Aim::Run) => Ok(Box::new(cpu::Cpu::for_a_run(HostBytes::of(limits)))),
        #[cfg(feature = "cuda")]
        (DeviceName::Cuda(card), Aim::Run) => Ok(Box::new(super::cuda::Cuda::open(
            number(*card),
            limits.card_bytes,
            HostBytes::of(limits),
        )?)),
        #[cfg(not(feature = "cuda"))]
        (DeviceName::Cuda(_), Aim::Run) => Err(OpenError::NoCuda),
        (DeviceName::Cpu | DeviceName::Cuda(_), Aim::Plan) => Err(OpenError::NoPlan),
        (DeviceName::Model(id), _) => {
            let model = TwoHosts::new(card(id)?, cards::shipped());
            Ok(Box::new(model.aimed(aim, limits)))
        }
    }
}

/// The modelled card with this id.
pub fn card(id: &str) -> Result<&'static cards::Card, OpenError> {
    let card = cards::shipped().cards.get(id);
    card.ok_or_else(|| OpenError::NoSuchCard {
        card: id.to_owned(),
        known: ids(),
    })
}

fn ids() -> String {
    let cards = cards::shipped().in_order();
    let ids: Vec<&str> = cards.into_iter().map(|(id, _)| id.as_str()).collect();
    ids.join(", ")
}

/// The UUID of a real card, by which all processes of the machine know it. Creates no context.
pub(crate) fn uuid(name: &DeviceName) -> Option<String> {
    match name {
        #[cfg(feature = "cuda")]
        DeviceName::Cuda(card) => super::cuda::uuid(number(*card)),
        #[cfg(not(feature = "cuda"))]
        DeviceName::Cuda(_) => None,
        DeviceName::Cpu | DeviceName::Model(_) => None,
    }
}

/// The device that a run gets: of real cards the least loaded one where the run asks for that, with a sentence that says which.
/// `in_line` counts the timed runs that have a card or wait for it, by its UUID.
#[cfg_attr(
    not(feature = "cuda"),
    expect(clippy::unnecessary_wraps, reason = "without CUDA nothing is chosen")
)]
pub(crate) fn resolve(
    name: &DeviceName,
    in_line: impl Fn(&str) -> usize,
) -> Result<(DeviceName, Option<String>), OpenError> {
    #[cfg(feature = "cuda")]
    if *name == DeviceName::Cuda(RealCard::LeastLoaded) {
        let (number, said) = super::cuda::choose(in_line)?;
        return Ok((
            DeviceName::cuda(number),
            Some(said).filter(|it| !it.is_empty()),
        ));
    }
    #[cfg(not(feature = "cuda"))]
    drop(in_line);
    Ok((name.clone(), None))
}

/// How loaded a real card is, as its driver says; nothing for other devices, and where the driver does not answer.
pub(crate) fn load(name: &DeviceName) -> Option<Load> {
    match name {
        #[cfg(feature = "cuda")]
        DeviceName::Cuda(card) => super::cuda::load_of(number(*card)),
        #[cfg(not(feature = "cuda"))]
        DeviceName::Cuda(_) => None,
        DeviceName::Cpu | DeviceName::Model(_) => None,
    }
}

/// The number of a card that was resolved.
#[cfg(feature = "cuda")]
fn number(card: RealCard) -> u32 {
    match card {
        RealCard::Number(number) => number,
        RealCard::LeastLoaded => 0,
    }
}

/// The devices of this worker: the real cards of a CUDA worker, otherwise everything that needs none.
pub fn list() -> Vec<DeviceInfo> {
    #[cfg(feature = "cuda")]
    return super::cuda::list();
    #[cfg(not(feature = "cuda"))]
    without_cards()
}

fn without_cards() -> Vec<DeviceInfo> {
    let mut devices = vec![cpu::info()];
    let cards = cards::shipped().in_order();
    devices.extend(cards.into_iter().map(|(id, card)| modelled::info(id, card)));
    devices
}

/// The description of a device that [`open`] can open.
pub(crate) fn info(name: &DeviceName) -> Option<DeviceInfo> {
    let all = match name {
        DeviceName::Cuda(_) => list(),
        DeviceName::Cpu | DeviceName::Model(_) => without_cards(),
    };
    all.into_iter().find(|it| &it.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_modelled_card_opens_and_describes_itself() {
        for info in without_cards().into_iter().skip(1) {
            let opened = open(&info.name, Aim::Run, &Limits::default());
            let card = opened.unwrap().card().unwrap();
            assert_eq!(card.name, info.title);
            assert!(card.capability.0 >= 7, "{card:?}");
            assert!(card.free < card.memory, "{card:?}");
        }
    }

    #[test]
    fn the_first_device_is_the_cpu_and_the_second_the_t4() {
        let names: Vec<String> = without_cards()
            .iter()
            .map(|it| it.name.to_string())
            .collect();
        assert_eq!(names[..2], ["cpu", "model:t4"]);
        let cards = cards::shipped().in_order().into_iter();
        let cards: Vec<String> = cards.map(|(id, _)| format!("model:{id}")).collect();
        assert_eq!(names[1..], cards);
    }

    #[test]
    fn a_card_that_is_not_known_is_refused_with_those_that_are() {
        let v100 = DeviceName::Model("v100".to_owned());
        let Err(refused) = open(&v100, Aim::Run, &Limits::default()) else {
            panic!("it was opened");
        };
        let refused = refused.to_string().replace(&ids(), "IDS");
        insta::assert_snapshot!(refused, @"there is no modelled card `v100`; there are: IDS");
    }
}
