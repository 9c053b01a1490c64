//! What holds for any question and any answer.

use super::*;
use proptest::prelude::*;
use warpup_course::WithoutKey;

/// Any question that a file can hold, by what differs.
fn any_question() -> impl Strategy<Value = Question> {
    let tolerance = prop_oneof![
        Just(String::new()),
        (0.0..1e6f64).prop_map(|it| format!("tolerance = {{ abs = {it:?} }}\n")),
        (0.0..2.0f64).prop_map(|it| format!("tolerance = {{ rel = {it:?} }}\n")),
    ];
    let unit = prop::option::of(prop::sample::select(vec![
        "MiB", "us", "%", "images/s", "e",
    ]))
    .prop_map(|unit| unit.map_or(String::new(), |it| format!("unit = \"{it}\"\n")));
    let number_question =
        (-1e15..1e15f64, tolerance, unit.clone()).prop_map(|(answer, tolerance, unit)| {
            let keys = format!("answer = {answer:?}\n{tolerance}{unit}");
            question("numeric", "numeric", &keys)
        });
    let number_predicted = (unit, 1.0..10.0f64)
        .prop_map(|(unit, factor)| predict(&format!("{unit}within_factor = {factor:?}")));
    let text_question = ("[a-zA-Z][a-zA-Z ]{0,9}", any::<bool>()).prop_map(|(accept, case)| {
        let keys = format!("accept = [\"{accept}\"]\ncase = {case}");
        question("text", "text", &keys)
    });
    prop_oneof![
        Just(single("q")),
        any::<bool>().prop_map(multi),
        number_question,
        number_predicted,
        text_question,
        Just(order()),
        Just(pairs()),
        Just(bins()),
    ]
}

fn any_answer() -> impl Strategy<Value = Answer> {
    let names = vec!["a", "b", "x", "y", "z", "low", "?", "c1", "c2", "c3"];
    let name = || prop::sample::select(names.clone()).prop_map(id);
    prop_oneof![
        name().prop_map(Answer::Single),
        prop::collection::btree_set(name(), 0..4).prop_map(Answer::Multi),
        any::<String>().prop_map(Answer::Number),
        "[-+0-9.,_eE ]{0,12}[a-zA-Z/%]{0,4}".prop_map(Answer::Number),
        any::<String>().prop_map(Answer::Text),
        prop::collection::vec(name(), 0..5).prop_map(Answer::Order),
        prop::collection::btree_map(name(), name(), 0..5).prop_map(Answer::Match),
    ]
}

proptest! {
    #[test]
    fn the_key_of_any_question_earns_every_point(question in any_question(), truth in -1e9..1e9f64) {
        let answer = key(&question, Some(truth)).unwrap();
        let verdict = grade(&question, &answer, Some(truth)).unwrap();
        prop_assert!(verdict.is_right(), "{:?}", answer);
    }

    #[test]
    fn without_its_key_a_question_takes_what_can_be_judged_with_it(
        question in any_question(), answer in any_answer(),
    ) {
        let Some(without) = WithoutKey::of(&question.kind) else {
            return Ok(());
        };
        let whole = without.in_whole(&answer);
        let whole = whole.map(|it| grade(&question, &it, None));
        let keyless = Question { kind: without.kind, ..question };
        let here = grade(&keyless, &answer, None);
        prop_assert_eq!(here == Err(NoVerdict::NoKey), matches!(whole, Some(Ok(_))), "{:?}", here);
        prop_assert!(here.is_err() && key(&keyless, None).is_none());
    }

    #[test]
    fn any_answer_to_any_question_is_judged_or_refused(
        question in any_question(), answer in any_answer(), truth in prop::option::of(any::<f64>()),
    ) {
        if let Ok(verdict) = grade(&question, &answer, truth) {
            prop_assert!(verdict.earned <= verdict.max);
        }
    }

    #[test]
    fn what_is_shown_to_choose_from_is_always_the_same_set(question in any_question(), seed in any::<u64>()) {
        let shown = order_of(&question, seed);
        let mut sorted = shown.clone();
        sorted.sort();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), shown.len());
        prop_assert_eq!(order_of(&question, seed), shown);
    }
}
