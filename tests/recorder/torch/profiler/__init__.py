from torch.profiler.profiler import ProfilerActivity, profile, schedule  # noqa: F401
