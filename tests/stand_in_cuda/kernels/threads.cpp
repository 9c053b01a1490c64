// Plays the threads of a block one after another on a thread of the host.
//
// Most kernels never wait for each other, so one fiber plays thread after thread in a plain loop. Only when a
// thread waits, at a barrier or a shuffle, does it keep its fiber, and another one goes on with the rest.
#include "threads.h"
#include "launch.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace stand_in {

__thread Thread *current = nullptr;

namespace {

constexpr int assertion = 710;     // CUDA_ERROR_ASSERT
constexpr int launch_failed = 719; // CUDA_ERROR_LAUNCH_FAILED
constexpr unsigned warp_size = 32;
// No power of two, or the tops of a thousand stacks would share a few lines of the host's cache.
#ifdef STAND_IN_SANITIZED
constexpr std::size_t stack_bytes = 256 * 1024 + 7 * 64;
#else
constexpr std::size_t stack_bytes = 32 * 1024 + 7 * 64;
#endif

enum class State { idle, runs, waits_for_warp, waits_for_block };

struct Fiber {
  Thread thread{};
  State state = State::idle;
  bool started = false;
  unsigned shuffles = 0; // how many it has taken part in: even and odd ones use different slots
  jmp_buf here;
  std::unique_ptr<char[]> stack{new char[stack_bytes]};
};

// What a warp passes around. Two sets, since a lane may already write for the next shuffle while another has
// yet to read this one's.
struct Lanes {
  alignas(16) char value[2][warp_size][lane_bytes];
  unsigned waiting = 0, alive = 0;
};

// The block in play, one for each thread of the host.
struct Block {
  const Kernel *kernel = nullptr;
  void **arguments = nullptr;
  Thread first{};
  unsigned size = 0, next = 0, alive = 0, waiting = 0;
  int fault = 0;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber *> idle;    // those of them that play nobody
  std::vector<Fiber *> players; // who plays, or played last, the thread of that number
  std::vector<Lanes> warps;
  std::vector<char> shared;
  Fiber *running = nullptr;
  jmp_buf scheduler;
};

thread_local Block own_block;
// That of the calling thread; a plain pointer, since it is looked up at every switch.
__thread Block *playing __attribute__((tls_model("initial-exec"))) = nullptr;

#ifdef STAND_IN_SANITIZED
// AddressSanitizer's own takes the stack of another fiber for an error, and needs long to say so.
[[noreturn]] void jump(jmp_buf &there) {
  using Jump = void (*)(__jmp_buf_tag *, int);
  static const Jump of_libc = reinterpret_cast<Jump>(dlsym(RTLD_NEXT, "_longjmp"));
  of_libc(there, 1);
  __builtin_unreachable();
}
#else
[[noreturn]] void jump(jmp_buf &there) { _longjmp(there, 1); }
#endif

// `_setjmp` and `_longjmp` leave the signal mask alone, so a switch costs no system call as swapcontext does.
void leave() {
  Block &block = *playing;
  if (!_setjmp(block.running->here)) jump(block.scheduler);
}

void place(Fiber &fiber, unsigned linear) {
  Block &block = *playing;
  block.players[linear] = &fiber;
  fiber.thread = block.first;
  fiber.thread.linear = linear;
  const Index size = block.first.block_size;
  fiber.thread.thread_index = {linear % size.x, linear / size.x % size.y, linear / (size.x * size.y)};
  fiber.shuffles = 0;
}

void play() {
  Block &block = *playing;
  for (;;) {
    Fiber &fiber = *block.running;
    while (block.next < block.size) {
      place(fiber, block.next++);
      block.kernel->call(block.arguments);
      --block.alive;
      --block.warps[fiber.thread.linear / warp_size].alive;
    }
    fiber.state = State::idle;
    block.idle.push_back(&fiber);
    leave();
  }
}

void resume(Fiber &fiber) {
  Block &block = *playing;
  block.running = &fiber;
  fiber.state = State::runs;
  current = &fiber.thread;
  if (_setjmp(block.scheduler)) return;
  if (fiber.started) jump(fiber.here);
  fiber.started = true;
  static thread_local ucontext_t fresh;
  getcontext(&fresh);
  fresh.uc_stack.ss_sp = fiber.stack.get();
  fresh.uc_stack.ss_size = stack_bytes;
  fresh.uc_link = nullptr;
  makecontext(&fresh, play, 0);
  setcontext(&fresh);
}

Fiber &idle_fiber() {
  Block &block = *playing;
  if (block.idle.empty()) {
    block.fibers.push_back(std::make_unique<Fiber>());
    return *block.fibers.back();
  }
  Fiber &fiber = *block.idle.back();
  block.idle.pop_back();
  return fiber;
}

// Lets those of some threads go on who wait for that.
void release(State state, unsigned from, unsigned to) {
  Block &block = *playing;
  for (unsigned i = from; i < to && !block.fault; ++i) {
    Fiber &fiber = *block.players[i];
    if (fiber.state == state && fiber.thread.linear == i) resume(fiber);
  }
}

bool release_warps() {
  Block &block = *playing;
  bool any = false;
  for (unsigned i = 0; i < block.warps.size() && !block.fault; ++i) {
    Lanes &warp = block.warps[i];
    if (warp.waiting == 0 || warp.waiting < warp.alive) continue;
    warp.waiting = 0;
    any = true;
    release(State::waits_for_warp, i * warp_size, std::min(block.size, (i + 1) * warp_size));
  }
  return any;
}

void run_block() {
  Block &block = *playing;
  block.next = block.waiting = 0;
  block.alive = block.size;
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    block.warps[i].waiting = 0;
    block.warps[i].alive = std::min(block.size - i * warp_size, warp_size);
  }
  while (block.next < block.size && !block.fault) resume(idle_fiber());
  while (block.alive > 0 && !block.fault) {
    if (release_warps()) continue;
    if (block.waiting > 0 && block.waiting == block.alive) {
      block.waiting = 0;
      release(State::waits_for_block, 0, block.size);
      continue;
    }
    // Some wait for the block and others of it for their warp: a card would hang here.
    block.fault = launch_failed;
  }
}

} // namespace

void block_barrier() {
  Block &block = *playing;
  ++block.waiting;
  block.running->state = State::waits_for_block;
  leave();
}

const char *gather(const void *mine, std::size_t bytes) {
  Block &block = *playing;
  Fiber &fiber = *block.running;
  Lanes &warp = block.warps[fiber.thread.linear / warp_size];
  auto &slots = warp.value[fiber.shuffles++ % 2];
  std::memcpy(slots[fiber.thread.linear % warp_size], mine, bytes);
  ++warp.waiting;
  fiber.state = State::waits_for_warp;
  leave();
  return slots[0];
}

void exchange(const void *mine, void *theirs, std::size_t bytes, unsigned from) {
  std::memcpy(theirs, gather(mine, bytes) + from % warp_size * lane_bytes, bytes);
}

void *dynamic_shared() { return playing->shared.data(); }

void assertion_failed(const char *what, const char *file, int line, const char *function) {
  Block &block = *playing;
  const Thread &thread = *current;
  std::fprintf(stderr, "%s:%d: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, thread.block_index.x, thread.block_index.y, thread.block_index.z,
               thread.thread_index.x, thread.thread_index.y, thread.thread_index.z, what);
  block.fault = assertion;
  jump(block.scheduler);
}

int run(const Kernel &kernel, const Grid &grid, void **arguments) {
  Block &block = own_block;
  playing = &block;
  block.kernel = &kernel;
  block.arguments = arguments;
  block.fault = 0;
  block.size = grid.threads[0] * grid.threads[1] * grid.threads[2];
  block.players.resize(block.size);
  block.warps.resize((block.size + warp_size - 1) / warp_size);
  block.shared.assign(grid.shared_bytes, 0);
  block.first = Thread{};
  block.first.block_size = {grid.threads[0], grid.threads[1], grid.threads[2]};
  block.first.grid_size = {grid.blocks[0], grid.blocks[1], grid.blocks[2]};
  Index &at = block.first.block_index;
  for (at.z = 0; at.z < grid.blocks[2]; ++at.z)
    for (at.y = 0; at.y < grid.blocks[1]; ++at.y)
      for (at.x = 0; at.x < grid.blocks[0]; ++at.x) {
        run_block();
        // What the other fibers were in the middle of is given up with them.
        if (block.fault) {
          block.fibers.clear();
          block.idle.clear();
          return block.fault;
        }
      }
  return 0;
}

} // namespace stand_in
