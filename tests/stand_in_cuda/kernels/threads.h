// The threads of a block as a kernel sees them: its indices, barriers, shuffles, a failed assertion.
#pragma once
#include <cstddef>

namespace stand_in {

struct Index {
  unsigned x, y, z;
};

// What a running kernel can know about itself.
struct Thread {
  Index thread_index, block_index, block_size, grid_size;
  unsigned linear; // its number in the block; 32 in a row are a warp
};

// The thread that this thread of the host is playing just now.
extern __thread Thread *current __attribute__((tls_model("initial-exec")));

void block_barrier();
// Waits for the warp; `mine`, of at most `lane_bytes`, goes to every lane's reach. The answer has those of all lanes, one every
// `lane_bytes`, until this thread waits again.
constexpr std::size_t lane_bytes = 32;
const char *gather(const void *mine, std::size_t bytes);
// The same, and the answer is that of lane `from`.
void exchange(const void *mine, void *theirs, std::size_t bytes, unsigned from);
void *dynamic_shared();
[[noreturn]] void assertion_failed(const char *what, const char *file, int line, const char *function);

} // namespace stand_in
