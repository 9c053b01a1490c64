const CHECKS: [&str; 4] = ["nvidia-smi", "the build", "this process", "there and back"];
const MACHINES: [(&str, [bool; 4]); 6] = [
    ("no driver", [false, true, false, false]),
    ("container without --gpus", [false, true, false, false]),
    ("PyTorch +cpu", [true, false, false, false]),
    ("CUDA_VISIBLE_DEVICES is empty", [true, true, false, false]),
    ("memory full", [true, true, true, false]),
    ("all is well", [true, true, true, true]),
];

fn first_broken(answers: [bool; 4]) -> Option<&'static str> {
    let found = answers.iter().position(|holds| !holds)?;
    CHECKS.get(found).copied()
}

fn main() {
    let mut broken = 0;
    for (machine, answers) in MACHINES {
        let found = first_broken(answers);
        println!("{machine} -> {}", found.unwrap_or("none"));
        broken += usize::from(found.is_some());
    }
    println!("broken {broken} of {}", MACHINES.len());
}
