fn shown(setting: &str, cards: usize) -> Vec<usize> {
    setting
        .split(',')
        .map_while(|entry| entry.parse().ok())
        .take_while(|&card| card < cards)
        .collect()
}

fn main() {
    for setting in ["0,1,2,3", "1", "3,2", "", "-1", "0,2,-1,1"] {
        println!("'{setting}' shows {:?}", shown(setting, 4));
    }
}
