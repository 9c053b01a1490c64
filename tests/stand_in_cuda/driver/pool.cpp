#include "pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace stand_in {
namespace {

constexpr std::size_t granule = std::size_t(2) << 20;
// New memory is full of what no program wrote, so that reading it before writing shows; but not the large
// blocks, whose pages would all have to be there.
constexpr std::size_t spoiled_up_to = std::size_t(1) << 20;

std::size_t in_granules(std::size_t bytes) { return (bytes + granule - 1) / granule * granule; }

} // namespace

bool Pool::reserve(std::size_t used_after) {
  const std::size_t room = capacity - context - beside;
  if (in_granules(used_after) > room) return false;
  // What is kept without use goes before a request fails.
  reserved = std::min(std::max(reserved, in_granules(used_after)), room);
  reserved_high = std::max(reserved_high, reserved);
  return true;
}

Status Pool::allocate(std::size_t bytes, bool pooled, std::uint64_t *address) {
  std::lock_guard<std::mutex> lock(mutex);
  const std::size_t size = (bytes + 511) / 512 * 512;
  if (size < bytes || size > capacity) return out_of_memory;
  if (pooled) {
    if (!reserve(used + size)) return out_of_memory;
  } else {
    keep_at_least(0);
    if (context + reserved + beside + size > capacity) return out_of_memory;
  }
#ifdef STAND_IN_SANITIZED
  // What lies behind the last byte asked for belongs to nobody. An empty block has one, to have an address.
  const std::size_t there = std::max<std::size_t>(bytes, 1);
  void *block = nullptr;
  if (posix_memalign(&block, 512, there)) return out_of_memory;
#else
  const std::size_t there = size;
  void *block = std::aligned_alloc(512, size);
  if (!block) return out_of_memory;
#endif
  if (size <= spoiled_up_to) std::memset(block, 0xb5, there);
  *address = reinterpret_cast<std::uint64_t>(block);
  blocks[*address] = {size, pooled};
  if (pooled) {
    used += size;
    used_high = std::max(used_high, used);
  } else {
    beside += size;
  }
  return success;
}

Status Pool::close(std::uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto block = blocks.find(address);
  if (block == blocks.end()) return invalid_value;
  (block->second.pooled ? used : beside) -= block->second.bytes;
  blocks.erase(block);
  return success;
}

void Pool::discard(std::uint64_t address) { std::free(reinterpret_cast<void *>(address)); }

void Pool::keep_at_least(std::size_t bytes) {
  reserved = std::min(reserved, std::max(in_granules(used), bytes));
}

void Pool::settle() {
  std::lock_guard<std::mutex> lock(mutex);
  if (reserved > threshold) keep_at_least(threshold);
}

void Pool::trim(std::size_t keep) {
  std::lock_guard<std::mutex> lock(mutex);
  keep_at_least(keep);
}

void Pool::context_takes(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  context = bytes;
}

std::size_t Pool::free_bytes() {
  std::lock_guard<std::mutex> lock(mutex);
  return capacity - context - beside - reserved;
}

Status Pool::get(int attribute, void *value) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto answer = [&](std::uint64_t number) {
    std::memcpy(value, &number, sizeof(number));
    return success;
  };
  switch (attribute) {
  case 4: return answer(threshold);
  case 5: return answer(reserved);
  case 6: return answer(reserved_high);
  case 7: return answer(used);
  case 8: return answer(used_high);
  default: return invalid_value;
  }
}

Status Pool::set(int attribute, const void *value) {
  std::lock_guard<std::mutex> lock(mutex);
  std::uint64_t number;
  std::memcpy(&number, value, sizeof(number));
  // The high marks can only be set back.
  if ((attribute == 6 || attribute == 8) && number != 0) return invalid_value;
  switch (attribute) {
  case 4: threshold = number; return success;
  case 6: reserved_high = reserved; return success;
  case 8: used_high = used; return success;
  default: return invalid_value;
  }
}

} // namespace stand_in
