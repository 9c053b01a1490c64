//! The Python interpreter of a run: RustPython with our native modules and the library of `lib/`.

use super::{bytecode, cuda, host, lab, layers, matrices, numpy, precision, spatial, torch};
use rustpython_vm::frozen::FrozenLib;
use rustpython_vm::{Interpreter, PyResult, Settings, VirtualMachine, py_freeze};

/// The part of the library that is written in Python, compiled to bytecode at build time.
const LIB: &FrozenLib<[u8]> = py_freeze!(dir = "lib", crate_name = "rustpython_vm");

/// The files of `lib`: naming them here makes cargo compile this file again, with the macro above, when one changes.
const _: &[&[u8]] = &[
    include_bytes!("lib/numpy/__init__.py"),
    include_bytes!("lib/numpy/_array.py"),
    include_bytes!("lib/numpy/_convert.py"),
    include_bytes!("lib/numpy/_creation.py"),
    include_bytes!("lib/numpy/_decompositions.py"),
    include_bytes!("lib/numpy/_draws.py"),
    include_bytes!("lib/numpy/_dtypes.py"),
    include_bytes!("lib/numpy/_files.py"),
    include_bytes!("lib/numpy/_joins.py"),
    include_bytes!("lib/numpy/_keys.py"),
    include_bytes!("lib/numpy/_known.py"),
    include_bytes!("lib/numpy/_limits.py"),
    include_bytes!("lib/numpy/_math.py"),
    include_bytes!("lib/numpy/_more.py"),
    include_bytes!("lib/numpy/_names.py"),
    include_bytes!("lib/numpy/_places.py"),
    include_bytes!("lib/numpy/_printing.py"),
    include_bytes!("lib/numpy/_reductions.py"),
    include_bytes!("lib/numpy/_scalars.py"),
    include_bytes!("lib/numpy/_series.py"),
    include_bytes!("lib/numpy/_shapes.py"),
    include_bytes!("lib/numpy/_sorting.py"),
    include_bytes!("lib/numpy/linalg.py"),
    include_bytes!("lib/numpy/random.py"),
    include_bytes!("lib/numpy/testing.py"),
    include_bytes!("lib/torchvision/__init__.py"),
    include_bytes!("lib/torchvision/_picture.py"),
    include_bytes!("lib/torchvision/datasets.py"),
    include_bytes!("lib/torchvision/io.py"),
    include_bytes!("lib/torchvision/models.py"),
    include_bytes!("lib/torchvision/ops.py"),
    include_bytes!("lib/torchvision/transforms/__init__.py"),
    include_bytes!("lib/torchvision/transforms/functional.py"),
    include_bytes!("lib/torchvision/utils.py"),
    include_bytes!("lib/warpup/_C.py"),
    include_bytes!("lib/warpup/__init__.py"),
    include_bytes!("lib/warpup/_aliases.py"),
    include_bytes!("lib/warpup/_choosing.py"),
    include_bytes!("lib/warpup/_complex.py"),
    include_bytes!("lib/warpup/_complex_text.py"),
    include_bytes!("lib/warpup/_copies.py"),
    include_bytes!("lib/warpup/_dataclasses.py"),
    include_bytes!("lib/warpup/_decomposed.py"),
    include_bytes!("lib/warpup/_decompositions.py"),
    include_bytes!("lib/warpup/_dynamo.py"),
    include_bytes!("lib/warpup/_einsum.py"),
    include_bytes!("lib/warpup/_expect.py"),
    include_bytes!("lib/warpup/_files.py"),
    include_bytes!("lib/warpup/_functions.py"),
    include_bytes!("lib/warpup/_futures.py"),
    include_bytes!("lib/warpup/_generator.py"),
    include_bytes!("lib/warpup/_help.py"),
    include_bytes!("lib/warpup/_homes.py"),
    include_bytes!("lib/warpup/_importlib.py"),
    include_bytes!("lib/warpup/_in_place.py"),
    include_bytes!("lib/warpup/_layouts.py"),
    include_bytes!("lib/warpup/_legacy.py"),
    include_bytes!("lib/warpup/_limits.py"),
    include_bytes!("lib/warpup/_measures.py"),
    include_bytes!("lib/warpup/_metadata.py"),
    include_bytes!("lib/warpup/_names.py"),
    include_bytes!("lib/warpup/_neighbours.py"),
    include_bytes!("lib/warpup/_numpy.py"),
    include_bytes!("lib/warpup/_open.py"),
    include_bytes!("lib/warpup/_os.py"),
    include_bytes!("lib/warpup/_platform.py"),
    include_bytes!("lib/warpup/_plot.py"),
    include_bytes!("lib/warpup/_pointwise.py"),
    include_bytes!("lib/warpup/_profile.py"),
    include_bytes!("lib/warpup/_queue.py"),
    include_bytes!("lib/warpup/_reduce_op.py"),
    include_bytes!("lib/warpup/_sampling.py"),
    include_bytes!("lib/warpup/_settings.py"),
    include_bytes!("lib/warpup/_shapes.py"),
    include_bytes!("lib/warpup/_shutil.py"),
    include_bytes!("lib/warpup/_standard.py"),
    include_bytes!("lib/warpup/_start.py"),
    include_bytes!("lib/warpup/_statistics.py"),
    include_bytes!("lib/warpup/_storage.py"),
    include_bytes!("lib/warpup/_sys.py"),
    include_bytes!("lib/warpup/_tempfile.py"),
    include_bytes!("lib/warpup/_threading.py"),
    include_bytes!("lib/warpup/_time.py"),
    include_bytes!("lib/warpup/_torch_names.py"),
    include_bytes!("lib/warpup/_tqdm.py"),
    include_bytes!("lib/warpup/_typing_extensions.py"),
    include_bytes!("lib/warpup/accelerator.py"),
    include_bytes!("lib/warpup/amp.py"),
    include_bytes!("lib/warpup/autograd/__init__.py"),
    include_bytes!("lib/warpup/autograd/_anomaly.py"),
    include_bytes!("lib/warpup/autograd/_gradcheck.py"),
    include_bytes!("lib/warpup/autograd/function.py"),
    include_bytes!("lib/warpup/autograd/functional.py"),
    include_bytes!("lib/warpup/autograd/grad_mode.py"),
    include_bytes!("lib/warpup/autograd/graph.py"),
    include_bytes!("lib/warpup/autograd/profiler.py"),
    include_bytes!("lib/warpup/backends.py"),
    include_bytes!("lib/warpup/cuda/__init__.py"),
    include_bytes!("lib/warpup/cuda/amp.py"),
    include_bytes!("lib/warpup/cuda/legacy.py"),
    include_bytes!("lib/warpup/cuda/nvtx.py"),
    include_bytes!("lib/warpup/cuda/random.py"),
    include_bytes!("lib/warpup/cuda/streams.py"),
    include_bytes!("lib/warpup/distributed.py"),
    include_bytes!("lib/warpup/distributions/__init__.py"),
    include_bytes!("lib/warpup/distributions/_gamma.py"),
    include_bytes!("lib/warpup/distributions/constraints.py"),
    include_bytes!("lib/warpup/distributions/continuous.py"),
    include_bytes!("lib/warpup/distributions/discrete.py"),
    include_bytes!("lib/warpup/distributions/distribution.py"),
    include_bytes!("lib/warpup/distributions/joint.py"),
    include_bytes!("lib/warpup/distributions/kl.py"),
    include_bytes!("lib/warpup/distributions/transforms.py"),
    include_bytes!("lib/warpup/fft.py"),
    include_bytes!("lib/warpup/func/__init__.py"),
    include_bytes!("lib/warpup/func/_batches.py"),
    include_bytes!("lib/warpup/func/_calls.py"),
    include_bytes!("lib/warpup/func/_grads.py"),
    include_bytes!("lib/warpup/func/_trees.py"),
    include_bytes!("lib/warpup/hub.py"),
    include_bytes!("lib/warpup/jit.py"),
    include_bytes!("lib/warpup/lab.py"),
    include_bytes!("lib/warpup/linalg.py"),
    include_bytes!("lib/warpup/mps.py"),
    include_bytes!("lib/warpup/multiprocessing.py"),
    include_bytes!("lib/warpup/nn/__init__.py"),
    include_bytes!("lib/warpup/nn/_backends.py"),
    include_bytes!("lib/warpup/nn/_convolve.py"),
    include_bytes!("lib/warpup/nn/_ctc.py"),
    include_bytes!("lib/warpup/nn/_curves.py"),
    include_bytes!("lib/warpup/nn/_distances.py"),
    include_bytes!("lib/warpup/nn/_grids.py"),
    include_bytes!("lib/warpup/nn/_hooks.py"),
    include_bytes!("lib/warpup/nn/_more.py"),
    include_bytes!("lib/warpup/nn/_normalize.py"),
    include_bytes!("lib/warpup/nn/_pooling.py"),
    include_bytes!("lib/warpup/nn/_states.py"),
    include_bytes!("lib/warpup/nn/activations.py"),
    include_bytes!("lib/warpup/nn/attention.py"),
    include_bytes!("lib/warpup/nn/containers.py"),
    include_bytes!("lib/warpup/nn/convolution.py"),
    include_bytes!("lib/warpup/nn/curves.py"),
    include_bytes!("lib/warpup/nn/distances.py"),
    include_bytes!("lib/warpup/nn/functional.py"),
    include_bytes!("lib/warpup/nn/init.py"),
    include_bytes!("lib/warpup/nn/layers.py"),
    include_bytes!("lib/warpup/nn/lazy.py"),
    include_bytes!("lib/warpup/nn/losses.py"),
    include_bytes!("lib/warpup/nn/module.py"),
    include_bytes!("lib/warpup/nn/normalization.py"),
    include_bytes!("lib/warpup/nn/parallel.py"),
    include_bytes!("lib/warpup/nn/parameters.py"),
    include_bytes!("lib/warpup/nn/pooling.py"),
    include_bytes!("lib/warpup/nn/rarer.py"),
    include_bytes!("lib/warpup/nn/rnn.py"),
    include_bytes!("lib/warpup/nn/transformer.py"),
    include_bytes!("lib/warpup/nn/utils/__init__.py"),
    include_bytes!("lib/warpup/nn/utils/_norms.py"),
    include_bytes!("lib/warpup/nn/utils/fusion.py"),
    include_bytes!("lib/warpup/nn/utils/parametrizations.py"),
    include_bytes!("lib/warpup/nn/utils/parametrize.py"),
    include_bytes!("lib/warpup/nn/utils/prune.py"),
    include_bytes!("lib/warpup/nn/utils/rnn.py"),
    include_bytes!("lib/warpup/optim/__init__.py"),
    include_bytes!("lib/warpup/optim/_cycles.py"),
    include_bytes!("lib/warpup/optim/_more.py"),
    include_bytes!("lib/warpup/optim/_newer.py"),
    include_bytes!("lib/warpup/optim/_rarer.py"),
    include_bytes!("lib/warpup/optim/_schedules.py"),
    include_bytes!("lib/warpup/optim/_together.py"),
    include_bytes!("lib/warpup/optim/lr_scheduler.py"),
    include_bytes!("lib/warpup/optim/swa_utils.py"),
    include_bytes!("lib/warpup/profiler.py"),
    include_bytes!("lib/warpup/random.py"),
    include_bytes!("lib/warpup/serialization.py"),
    include_bytes!("lib/warpup/sparse.py"),
    include_bytes!("lib/warpup/special.py"),
    include_bytes!("lib/warpup/testing.py"),
    include_bytes!("lib/warpup/utils/__init__.py"),
    include_bytes!("lib/warpup/utils/_pytree.py"),
    include_bytes!("lib/warpup/utils/_swap.py"),
    include_bytes!("lib/warpup/utils/benchmark.py"),
    include_bytes!("lib/warpup/utils/checkpoint.py"),
    include_bytes!("lib/warpup/utils/data/__init__.py"),
    include_bytes!("lib/warpup/utils/data/collate.py"),
    include_bytes!("lib/warpup/utils/data/dataloader.py"),
    include_bytes!("lib/warpup/utils/data/dataset.py"),
    include_bytes!("lib/warpup/utils/data/distributed.py"),
    include_bytes!("lib/warpup/utils/data/sampler.py"),
    include_bytes!("lib/warpup/utils/hooks.py"),
    include_bytes!("lib/warpup/utils/model_zoo.py"),
];

/// A new interpreter; nothing has been imported yet.
pub(super) fn interpreter() -> Interpreter {
    let builder = Interpreter::builder(Settings::default());
    // RustPython 0.5 does not intern these names of its own types, and panics when a program looks them up.
    for name in ["async_generator_wrapped_value", "HeapMethodDef"] {
        builder.ctx.intern_str(name);
    }
    let own = [
        torch::module_def(&builder.ctx),
        layers::module_def(&builder.ctx),
        spatial::module_def(&builder.ctx),
        precision::module_def(&builder.ctx),
        cuda::module_def(&builder.ctx),
        host::module_def(&builder.ctx),
        lab::module_def(&builder.ctx),
        matrices::module_def(&builder.ctx),
        numpy::module_def(&builder.ctx),
    ];
    let standard = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    builder
        .add_native_modules(&standard)
        .add_native_modules(&own)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .add_frozen_modules(LIB)
        .init_hook(bytecode::seal)
        .build()
}

/// The module of this name, imported if it was not yet.
pub(super) fn import(name: &'static str, vm: &VirtualMachine) -> PyResult {
    vm.import(name, 0)?;
    let modules = vm.sys_module.get_attr("modules", vm)?;
    modules.get_item(name, vm)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn assert_listed(folder: &Path, root: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                assert_listed(&path, root);
            } else {
                let file = path.strip_prefix(root).unwrap().display();
                let line = format!("include_bytes!(\"{file}\")");
                assert!(include_str!("interpreter.rs").contains(&line), "add {line}");
            }
        }
    }

    #[test]
    fn every_file_of_the_library_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/worker/python");
        assert_listed(&root.join("lib"), &root);
    }
}
