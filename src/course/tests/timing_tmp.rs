use super::*;
#[test]
fn timing() {
    let text = std::fs::read_to_string("/work/shared/tools/corpus/big10k.md").unwrap();
    println!("{} bytes {} lines", text.len(), text.lines().count());
    let s = course_of(&text, &format!("{QUIZ}{QUESTION}"));
    for _ in 0..8 {
        let t = std::time::Instant::now();
        let c = parse(&s);
        println!(
            "{:?} blocks {} diags {}",
            t.elapsed(),
            c.0.lessons
                .iter()
                .flat_map(|l| &l.pages)
                .map(|p| p.blocks.len())
                .sum::<usize>(),
            c.1.len()
        );
        let t = std::time::Instant::now();
        let n = pulldown_cmark::Parser::new_ext(&text, pulldown_cmark::Options::all())
            .into_offset_iter()
            .count();
        println!("  pulldown alone {:?} {n}", t.elapsed());
    }
}
