//! `warpup run FILE.py` as a shell sees it: output, arguments, the files beside it, Ctrl-C, files that are no programs.

use crate::support::temp_home::TempHome;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

#[test]
fn a_learners_own_program_runs_and_its_errors_name_its_file() {
    let home = TempHome::new();
    let source =
        "import sys\nprint('hello\\t', end='')\nprint('a warning', file=sys.stderr)\nnothing\n";
    let path = home.write("mine.py", source);
    let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "hello\t");
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @r#"
    a warning
    Traceback (most recent call last):
      File "mine.py", line 4, in <module>
        nothing
    NameError: name 'nothing' is not defined
    "#);
}

#[test]
fn output_is_seen_while_the_program_runs() {
    let home = TempHome::new();
    let path = home.write("mine.py", "print('epoch 1')\nwhile True: pass\n");
    let mut command = home.warpup(&["run", path.to_str().unwrap()]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    // The program has no end: the line comes before it or never.
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "epoch 1\n");
}

#[test]
fn ctrl_c_stops_the_program_and_its_times_are_printed() {
    let home = TempHome::new();
    let path = home.write("mine.py", "print('epoch 1')\nwhile True: pass\n");
    let mut command = home.warpup(&["run", path.to_str().unwrap()]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).unwrap();
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{errors}");
    assert!(errors.contains("Stopped by Ctrl-C."), "{errors}");
}

#[test]
fn what_follows_two_dashes_is_for_the_program() {
    let home = TempHome::new();
    let source = "import argparse, sys\n\
        parser = argparse.ArgumentParser()\n\
        parser.add_argument('--epochs', type=int)\n\
        print(sys.argv, parser.parse_args().epochs)\n";
    let path = home.write("mine.py", source);
    let path = path.to_str().unwrap();
    let output = home.run(&["run", path, "--quiet", "--", "--epochs", "3"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(shown, "['mine.py', '--epochs', '3'] 3\n");
    let output = home.run(&["plan", path, "--", "--epochs=5"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("['mine.py', '--epochs=5'] 5"), "{shown}");
    let output = home.run(&["run", "where-a-tensor-lives/model-and-batch", "--", "3"]);
    assert_eq!(output.status.code(), Some(2));
    // What is no lab is not called one.
    let output = home.run(&["run", home.path().to_str().unwrap(), "--", "3"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("neither a lab nor a Python file"),
        "{errors}"
    );
}

#[test]
fn files_beside_the_program_can_be_imported() {
    let home = TempHome::new();
    home.write(
        "helper.py",
        "import math\nimport torch\nplace = __name__, __file__.rpartition('/')[2]\ndef twice(x): return torch.add(x, x) * math.floor(1.5)\n",
    );
    // A standard module is never replaced.
    home.write(
        "json.py",
        "raise SystemExit('the file beside the program')\n",
    );
    home.write("models/__init__.py", "from .net import Net\n");
    home.write(
        "models/net.py",
        "import torch.nn as nn\nfrom .blocks.linear import Layer\nclass Net(nn.Module):\n    layer = Layer(3, 2)\n    \
         def forward(self, x): return self.layer(x)\n",
    );
    home.write("models/blocks/__init__.py", "");
    home.write(
        "models/blocks/linear.py",
        "from torch import nn\nclass Layer(nn.Linear): pass\n",
    );
    home.write("bare/part.py", "one = 1\n");
    home.write("broken.py", "\ndef fails():\n    return 1 / 0\n");
    let source = "import importlib, json, sys, torch\n\
        import models.net as n\n\
        from helper import place, twice\n\
        from models import Net\n\
        from bare.part import one\n\
        import broken\n\
        print(place, twice(torch.ones(2)), one, json.dumps(1))\n\
        print(Net is n.Net, sys.modules['models.net'] is n, importlib.import_module('helper').place)\n\
        print(Net()(torch.ones(1, 3)).shape)\n\
        broken.fails()\n";
    let path = home.write("mine.py", source);
    let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap(), @r"
    ('helper', 'helper.py') tensor([2., 2.]) 1 1
    True True ('helper', 'helper.py')
    torch.Size([1, 2])
    ");
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @r#"
    Traceback (most recent call last):
      File "mine.py", line 10, in <module>
        broken.fails()
      File "broken.py", line 3, in fails
        return 1 / 0
    ZeroDivisionError: division by zero
    "#);
    home.write("broken.py", "x = 1\nif x\n    x = 2\n");
    let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @r#"
    Traceback (most recent call last):
      File "mine.py", line 6, in <module>
        import broken
      File "broken.py", line 2
        if x
            ^
    SyntaxError: expected ':'
    "#);
}

#[test]
fn a_program_knows_its_place_and_reads_the_files_that_it_names() {
    let home = TempHome::new();
    let words = home.write("data/words.txt", "one\ntwo\n");
    let source = "import os, sys\n\
        from pathlib import Path\n\
        here = Path(__file__).resolve().parent\n\
        print(__file__, sys.path[0] == str(here), Path('x').resolve() == Path(os.getcwd(), 'x'))\n\
        words = here / 'data' / 'words.txt'\n\
        print(words.read_text().split(), os.listdir(here / 'data'), len(open(__file__).read()))\n\
        with open(words, 'a') as f: f.write('three')\n\
        (here / 'out').mkdir()\n\
        print(open(words).read().split(), f'saved {here / \"out\"}')\n";
    let path = home.write("mine.py", source);
    let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    let shown = home.normalised(&shown);
    insta::assert_snapshot!(shown, @r"
    DIR/mine.py True True
    ['one', 'two'] ['words.txt'] 419
    ['one', 'two', 'three'] saved DIR/out
    ");
    // What a program writes stays in the memory of its run.
    assert_eq!(fs::read_to_string(words).unwrap(), "one\ntwo\n");
    assert!(!home.path().join("out").exists());
}

#[test]
fn a_program_chooses_its_exit_status() {
    let home = TempHome::new();
    let ended = |source: &str| {
        let path = home.write("mine.py", source);
        let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), said)
    };
    assert_eq!(ended("import sys\nsys.exit(3)"), (3, String::new()));
    assert_eq!(ended("exit(-1)"), (255, String::new()));
    assert_eq!(
        ended("raise SystemExit('no data')"),
        (1, "no data\n".to_owned())
    );
    let (status, said) = ended(
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n', required=True)\np.parse_args()",
    );
    assert_eq!(status, 2);
    assert!(said.ends_with("required: --n\n"), "{said}");
}

#[test]
fn what_is_no_program_is_refused_with_a_reason() {
    let home = TempHome::new();
    let folder = home.path().join("folder.py");
    fs::create_dir(&folder).unwrap();
    let binary = home.path().join("binary.py");
    fs::write(&binary, b"\xff\xfe\x00").unwrap();
    let other = home.write("notes.txt", "print(1)\n");
    let fifo = home.path().join("fifo.py");
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let program = home.write("mine.py", "print(1)\n");
    let words = [
        "run",
        program.to_str().unwrap(),
        "--trace",
        fifo.to_str().unwrap(),
    ];
    let output = home.run(&words);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("it is a device or a pipe"), "{errors}");
    let missing = home.path().join("missing.py");
    let refusals = [folder, binary, other, fifo, missing].map(|path| {
        let output = home.run(&["run", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        home.normalised(&String::from_utf8(output.stderr).unwrap())
    });
    insta::assert_snapshot!(refusals.concat(), @r"
    error: cannot read DIR/folder.py
    cause: it is a folder
    hint: name the text of a Python program: a file that ends in .py
    error: cannot read DIR/binary.py
    cause: it is not text in UTF-8
    hint: name the text of a Python program: a file that ends in .py
    error: `DIR/notes.txt` is neither a lab nor a Python file
    hint: the name of a Python file ends in .py
    error: cannot read DIR/fifo.py
    cause: it is a named pipe
    hint: name the text of a Python program: a file that ends in .py
    error: cannot read DIR/missing.py
    cause: there is no such file
    hint: `ls DIR` lists what is there
    ");
}

#[test]
fn a_loss_of_two_shapes_warns_as_pytorch_does() {
    let home = TempHome::new();
    let source = "import torch\nimport torch.nn.functional as F\na, b = torch.zeros(3, 1), torch.ones(3)\n\
        for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss):\n    loss(a, b)\n    loss(a, a)\n";
    let path = home.write("mine.py", source);
    let output = home.run(&["run", path.to_str().unwrap(), "--quiet"]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    insta::assert_snapshot!(said.lines().next().unwrap_or_default(), @"mine.py:5: UserWarning: Using a target size (torch.Size([3])) that is different to the input size (torch.Size([3, 1])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.");
}
