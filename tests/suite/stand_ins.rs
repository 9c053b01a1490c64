//! Packages and calls that programs of other people need in order to run, and that do little or nothing here.

use crate::support::lab_runner::{LabRunner, run_once};
use crate::support::request::python;
use warpup_lab::run::Run;

fn ran(source: &str) -> Run {
    LabRunner::start().run_to_done(python(source))
}

fn notes(run: &Run) -> String {
    run.report.as_ref().unwrap().notes.join("\n")
}

#[test]
fn matplotlib_takes_every_call_and_draws_nothing() {
    let run = ran(r#"import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.animation as animation
from matplotlib import cm, ticker
from matplotlib.colors import ListedColormap
from mpl_toolkits.mplot3d import Axes3D
import seaborn as sns
import numpy as np

plt.rcParams["figure.figsize"] = (8, 4)
plt.rcParams.update({"font.size": 9})
plt.style.use("ggplot")
sns.set_theme(style="whitegrid")
fig, ax = plt.subplots()
line, = ax.plot([1, 2], [3, 4], "r-", label="loss")
line.set_data([1], [2])
ax.set(xlabel="step", ylabel="loss")
ax.legend(loc="best").get_frame().set_alpha(0.5)
low, high = ax.get_ylim()
print(low, high)
fig, (left, right) = plt.subplots(1, 2, figsize=(6, 3), sharey=True)
left.imshow(np.zeros((2, 2)), cmap="gray")
fig, axes = plt.subplots(2, 3)
print(axes.shape, len(axes), len(axes.flat), len(axes.ravel()), len(axes[0]), axes[:, 1].shape, axes[1, 1:].shape)
axes[1, 2].axis("off")
for at, it in enumerate(axes.flat):
    it.set_title(f"{at}")
for row in axes:
    for it in row:
        it.set_xticks([])
print(plt.subplots(3, squeeze=False)[1].shape, plt.figure().subplots(2).shape)
counts, edges, patches = plt.hist(np.zeros(5), bins=2)
for colour, number in zip(cm.rainbow(np.linspace(0, 1, 4)), range(9)):
    print(number, end=" ")
for bar in plt.bar([1, 2, 3], [4, 5, 6]):
    plt.text(bar.get_x() + bar.get_width() / 2, 1.05 * bar.get_height(), f"{bar.get_height():.2f}")
    print("bar", end=" ")
with plt.style.context("dark_background"):
    plt.figure(figsize=(4, 4)).add_subplot(111, projection="3d").plot_surface(0, 0, 0)
plt.colorbar(plt.imshow(np.zeros((2, 2))), ax=plt.gca())
animation.FuncAnimation(fig, lambda frame: frame, frames=3).save("it.gif")
plt.savefig("loss.png")
print(plt.show(), plt.close("all"), plt.fignum_exists(1))
"#);
    assert_eq!(
        run.output,
        "0.0 1.0\n(2, 3) 2 6 6 3 (2,) (2,)\n(3, 1) (2,)\n0 1 2 3 bar bar bar None None False\n"
    );
    let note = "matplotlib is a stand-in here: it takes every call and draws nothing. lab.plot(x, series) draws a chart on \
        the lab screen, and needs no import";
    assert_eq!(notes(&run).matches(note).count(), 1, "{}", notes(&run));
}

#[test]
fn summary_writers_take_every_record() {
    let run = ran(r#"from torch.utils.tensorboard import SummaryWriter
import tensorboardX
import torch

with SummaryWriter("runs/one", flush_secs=5) as writer:
    writer.add_scalar("loss", 0.5, 1)
    writer.add_histogram("weights", torch.ones(3), global_step=2)
    writer.add_graph(torch.nn.Linear(1, 1), torch.ones(1))
    print(writer.log_dir, writer.get_logdir())
tensorboardX.SummaryWriter(logdir="two").flush()
try:
    writer.nothing_like_it
except AttributeError as error:
    print(error)
"#);
    assert_eq!(
        run.output,
        "runs/one runs/one\n'SummaryWriter' object has no attribute 'nothing_like_it'\n"
    );
    assert!(notes(&run).starts_with("SummaryWriter is a stand-in here"));
}

#[test]
fn progress_bars_count_and_draw_nothing() {
    let run = ran(r#"import tqdm.notebook as tq
from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto
from tqdm.contrib import tenumerate

with tqdm(total=10, desc="epoch") as bar:
    bar.update(4)
    bar.set_postfix({"loss": 1.5}, refresh=False)
    bar.set_postfix_str("x")
    print(bar.n, bar.total, bool(bar), bar)
bar = trange(3, leave=False)
for it in bar:
    bar.set_description(f"step {it}")
print(len(bar), bar.n, list(tq.tqdm("ab")), list(auto([1])), list(tenumerate("c")))
tqdm.write("written")
"#);
    assert_eq!(
        run.output,
        "4 10 True epoch: 4/10\n3 3 ['a', 'b'] [1] [(0, 'c')]\nwritten\n"
    );
}

#[test]
fn clearing_the_screen_succeeds_and_other_commands_are_refused() {
    let run = run_once(python(
        "import os\nprint(os.system('clear'), os.system('cls||clear'), os.system(''))\nos.system('ls')\n",
    ));
    assert_eq!(run.output, "0 0 0\n");
    assert!(format!("{run:?}").contains("os.system is not part of warpup"));
}

#[test]
fn settings_without_effect_are_noted() {
    let run = ran(
        "import torch\ntorch.set_num_threads(77)\ntorch._logging.set_logs(graph_breaks=True)\nprint(torch.get_num_threads())\n",
    );
    assert_eq!(run.output, "77\n");
    let said = notes(&run);
    assert!(
        said.contains("torch.set_num_threads changes no times"),
        "{said}"
    );
    assert!(said.contains("set_logs writes no logs"), "{said}");
}

/// The text is PyTorch's, for the same times.
#[test]
fn measurements_are_compared_in_a_table() {
    let run = ran(
        r#"from torch.utils.benchmark import Compare, Measurement, TaskSpec


def measured(seconds, stmt, description, threads=1, spread=0.01):
    times = [seconds * (1 + spread * it) for it in (-1, 0, 0, 1, 2)]
    return Measurement(1, times, TaskSpec(stmt, "pass", label="sums", sub_label=stmt, description=description, num_threads=threads))


them = [
    measured(1.5e-5, "sum", "8 by 8"), measured(2.5e-4, "sum", "64 by 64", spread=0.3), measured(2.5e-5, "loop", "8 by 8"),
    measured(1.5e-5, "sum", "8 by 8", 4),
]
table = Compare(them)
table.print()
table.trim_significant_figures()
table.highlight_warnings()
table.colorize()
print(str(table).replace("\033", "^"))
"#,
    );
    assert_eq!(
        run.output,
        include_str!("../fixtures/compared-measurements.txt")
    );
}
