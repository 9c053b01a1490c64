// cuModule*, cuLaunchKernel, cuStream*, cuEvent*: what runs, where, and when.
#include "activity.h"
#include "card.h"
#include "wishes.h"

#include "../kernels/launch.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace stand_in;

namespace {

struct Module {
  void *library;
  const Kernel *kernels;
  std::size_t count;
};

struct Event {
  std::mutex mutex;
  bool timed;
  std::shared_ptr<Mark> mark; // nothing until it is recorded
};

// Our own place: the kernels lie beside it.
std::string folder() {
  Dl_info info;
  dladdr(reinterpret_cast<void *>(&folder), &info);
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/'));
}

// The stand-in for nvcc writes the name of the source where PTX would be.
// The source of a real fat binary, whose machine code nobody can run here: the file of these bytes, beside the host's build
// of the kernels, is called after it.
std::string source_of(const char *fatbin) {
  std::uint16_t header = 0;
  std::uint64_t rest = 0;
  std::memcpy(&header, fatbin + 6, sizeof header);
  std::memcpy(&rest, fatbin + 8, sizeof rest);
  for (const auto &entry : std::filesystem::directory_iterator(folder() + "/kernels")) {
    if (entry.path().extension() != ".fatbin" || entry.file_size() != header + rest) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (std::memcmp(bytes.data(), fatbin, bytes.size()) == 0) return entry.path().stem();
  }
  return "";
}

std::string module_name(const char *image) {
  if (std::memcmp(image, "\x50\xed\x55\xba", 4) == 0) return source_of(image);
  const char *line = std::strstr(image, ".module ");
  if (std::strncmp(image, "// stand-in CUDA", 16) != 0 || !line) return "";
  line += 8;
  return std::string(line, std::strcspn(line, "\n"));
}

std::shared_ptr<Mark> mark_of(Event *event) {
  std::lock_guard<std::mutex> lock(event->mutex);
  return event->mark;
}

// A launch returns before its kernel runs, so it takes the arguments along.
struct Launch {
  const Kernel *kernel;
  Grid grid;
  std::vector<std::vector<char>> values;

  Launch(const Kernel *kernel, const Grid &grid, void **arguments) : kernel(kernel), grid(grid) {
    for (std::size_t i = 0; i < kernel->arguments; ++i) {
      const char *value = static_cast<char *>(arguments[i]);
      values.emplace_back(value, value + kernel->sizes[i]);
    }
  }

  Status run() {
    if (wishes().hang)
      for (;;) pause();
    if (wishes().kernel != success) return wishes().kernel;
    std::vector<void *> arguments;
    for (auto &value : values) arguments.push_back(value.data());
    return stand_in::run(*kernel, grid, arguments.data());
  }
};

} // namespace

namespace stand_in {

// For the libraries beside the driver, such as cuBLAS.
Status enqueue(void *stream, std::function<Status()> work) {
  if (const Status status = ready()) return status;
  push_observed(current_card()->stream(stream), {a_kernel, of_a_library}, std::move(work));
  return success;
}

} // namespace stand_in

extern "C" {

Status cuModuleLoadData(Module **module, const void *image) {
  if (const Status status = ready()) return status;
  if (wishes().module != success) return wishes().module;
  const std::string name = module_name(static_cast<const char *>(image));
  if (name.empty()) return invalid_image;
  const std::string path = folder() + "/kernels/" + name + ".so";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "stand-in CUDA: no kernels of %s: %s\n", name.c_str(), dlerror());
    return invalid_image;
  }
  const auto list = reinterpret_cast<const Kernel *(*)(std::size_t *)>(dlsym(library, "stand_in_kernels"));
  *module = new Module{library, nullptr, 0};
  (*module)->kernels = list(&(*module)->count);
  return success;
}

Status cuModuleUnload(Module *module) {
  if (const Status status = ready()) return status;
  // The library stays: a queue may be in the middle of it.
  delete module;
  return success;
}

Status cuModuleGetFunction(const Kernel **function, Module *module, const char *name) {
  if (const Status status = ready()) return status;
  for (std::size_t i = 0; i < module->count; ++i)
    if (std::strcmp(module->kernels[i].name, name) == 0) {
      *function = &module->kernels[i];
      return success;
    }
  return not_found;
}

Status cuFuncGetAttribute(int *value, int what, const Kernel *) {
  *value = what == 0 ? 1024 : 0; // threads in a block; the rest is about registers and shared memory
  return ready();
}

Status cuFuncSetAttribute(const Kernel *, int, int) { return ready(); }

Status cuLaunchKernel(const Kernel *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,
                      void **extra) {
  if (const Status status = ready()) return status;
  const std::size_t threads = std::size_t(block_x) * block_y * block_z;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_y > 65535 || grid_z > 65535 || threads == 0 ||
      threads > 1024 || shared_bytes > 227 << 10 || extra)
    return invalid_value;
  auto launch = std::make_shared<Launch>(
      kernel, Grid{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, arguments);
  push_observed(current_card()->stream(stream), {a_kernel, launch_kernel}, [launch] { return launch->run(); });
  return success;
}

Status cuLaunchHostFunc(void *stream, void (*function)(void *), void *argument) {
  if (const Status status = ready()) return status;
  current_card()->stream(stream).push([=] { return function(argument), success; });
  return success;
}

Status cuStreamCreate(Queue **stream, unsigned) {
  if (const Status status = ready()) return status;
  *stream = current_card()->new_stream();
  return success;
}

Status cuStreamCreateWithPriority(Queue **stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }

Status cuStreamDestroy_v2(Queue *stream) {
  if (!initialized()) return not_initialized;
  stream->card().end_stream(stream);
  return success;
}

Status cuStreamSynchronize(void *stream) {
  if (const Status status = ready()) return status;
  current_card()->stream(stream).wait();
  current_card()->pool().settle();
  return current_card()->broken();
}

Status cuStreamQuery(void *stream) {
  if (const Status status = ready()) return status;
  return current_card()->stream(stream).idle() ? success : not_ready;
}

Status cuStreamWaitEvent(void *stream, Event *event, unsigned) {
  if (const Status status = ready()) return status;
  if (auto mark = mark_of(event)) current_card()->stream(stream).push([mark] { return mark->wait(), success; }, true);
  return success;
}

Status cuStreamIsCapturing(void *, int *answer) {
  *answer = 0;
  return ready();
}

Status cuEventCreate(Event **event, unsigned flags) {
  if (const Status status = ready()) return status;
  *event = new Event;
  (*event)->timed = !(flags & 2);
  return success;
}

Status cuEventDestroy_v2(Event *event) {
  delete event;
  return ready();
}

Status cuEventRecord(Event *event, void *stream) {
  if (const Status status = ready()) return status;
  auto mark = current_card()->stream(stream).mark();
  std::lock_guard<std::mutex> lock(event->mutex);
  event->mark = mark;
  return success;
}

Status cuEventQuery(Event *event) {
  if (const Status status = ready()) return status;
  const auto mark = mark_of(event);
  return !mark || mark->is_reached() ? success : not_ready;
}

Status cuEventSynchronize(Event *event) {
  if (const Status status = ready()) return status;
  if (const auto mark = mark_of(event)) mark->wait();
  current_card()->pool().settle();
  return current_card()->broken();
}

Status cuEventElapsedTime(float *milliseconds, Event *from, Event *to) {
  if (const Status status = ready()) return status;
  const auto start = mark_of(from), end = mark_of(to);
  if (!from->timed || !to->timed || !start || !end) return invalid_handle;
  if (!start->is_reached() || !end->is_reached()) return not_ready;
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
  return success;
}

Status cuEventElapsedTime_v2(float *milliseconds, Event *from, Event *to) {
  return cuEventElapsedTime(milliseconds, from, to);
}

} // extern "C"
