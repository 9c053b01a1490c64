// A card's memory: what is used, what the pool keeps, and where it ends.
//
// The accounts are kept in the order of the calls, as on a card for one stream; the host memory behind a block
// goes only when the stream has got to where it was freed.
#pragma once
#include "status.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace stand_in {

class Pool {
public:
  explicit Pool(std::size_t capacity) : capacity(capacity) {}

  // From the pool (cuMemAllocAsync), or beside it (cuMemAlloc).
  Status allocate(std::size_t bytes, bool pooled, std::uint64_t *address);
  // Closes the account of a block. Its memory is still there, until `discard`.
  Status close(std::uint64_t address);
  static void discard(std::uint64_t address);

  // Gives back what is above the threshold, as the driver does at a synchronization.
  void settle();
  void trim(std::size_t keep);
  void context_takes(std::size_t bytes);

  std::size_t total() const { return capacity; }
  std::size_t free_bytes();
  // By the numbers of CUmemPool_attribute.
  Status get(int attribute, void *value);
  Status set(int attribute, const void *value);

private:
  struct Block {
    std::size_t bytes;
    bool pooled;
  };
  bool reserve(std::size_t used_after);
  void keep_at_least(std::size_t bytes);

  std::mutex mutex;
  const std::size_t capacity;
  std::map<std::uint64_t, Block> blocks;
  std::size_t used = 0, used_high = 0, reserved = 0, reserved_high = 0, beside = 0, context = 0;
  std::uint64_t threshold = 0;
};

} // namespace stand_in
