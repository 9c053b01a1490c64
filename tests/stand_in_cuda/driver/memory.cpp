// cuMem*, cuMemPool*: memory of the card and of the host, and copies between them.
#include "activity.h"
#include "card.h"

#include <cstdlib>
#include <cstring>
#include <map>

using namespace stand_in;

namespace {

using Address = std::uint64_t;

void *at(Address address) { return reinterpret_cast<void *>(address); }

// The page-locked memory of the host: a card copies from and to it without the host's help, later.
struct Pinned {
  std::mutex mutex;
  std::map<Address, std::size_t> ranges;

  void add(const void *start, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    ranges[reinterpret_cast<Address>(start)] = bytes;
  }
  bool remove(const void *start) {
    std::lock_guard<std::mutex> lock(mutex);
    return ranges.erase(reinterpret_cast<Address>(start)) == 1;
  }
  bool holds(const void *start, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto from = reinterpret_cast<Address>(start);
    auto range = ranges.upper_bound(from);
    if (range == ranges.begin()) return false;
    --range;
    return from + bytes <= range->first + range->second;
  }
};

Pinned &pinned() {
  static Pinned *all = new Pinned;
  return *all;
}

Status copy(Call call, void *stream, void *to, const void *from, std::size_t bytes) {
  push_observed(current_card()->stream(stream), {a_copy, call, bytes},
                [=] { return std::memcpy(to, from, bytes), success; });
  return success;
}

Status fill(void *stream, Address address, unsigned char value, std::size_t bytes) {
  push_observed(current_card()->stream(stream), {a_fill, memset_d8, bytes},
                [=] { return std::memset(at(address), value, bytes), success; });
  return success;
}

// The calls without `Async` come back when the work is done.
Status finished(Status status) {
  if (status != success) return status;
  current_card()->stream(nullptr).wait();
  return current_card()->broken();
}

} // namespace

extern "C" {

Status cuMemAllocAsync(Address *address, std::size_t bytes, void *) {
  if (const Status status = ready()) return status;
  *address = 0;
  return bytes == 0 ? success : current_card()->pool().allocate(bytes, true, address);
}

Status cuMemFreeAsync(Address address, void *stream) {
  if (const Status status = ready()) return status;
  if (address == 0) return success;
  if (const Status status = current_card()->pool().close(address)) return status;
  current_card()->stream(stream).push([=] { return Pool::discard(address), success; }, true);
  return success;
}

Status cuMemAlloc_v2(Address *address, std::size_t bytes) {
  if (const Status status = ready()) return status;
  return bytes == 0 ? invalid_value : current_card()->pool().allocate(bytes, false, address);
}

Status cuMemFree_v2(Address address) {
  if (const Status status = ready()) return status;
  if (address == 0) return success;
  // A card waits for all its work first.
  if (const Status status = current_card()->synchronize()) return status;
  if (const Status status = current_card()->pool().close(address)) return status;
  return Pool::discard(address), success;
}

Status cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  if (const Status status = ready()) return status;
  *free = current_card()->pool().free_bytes();
  *total = current_card()->pool().total();
  return success;
}

Status cuMemHostAlloc(void **start, std::size_t bytes, unsigned) {
  if (const Status status = ready()) return status;
  *start = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*start) return out_of_memory;
  pinned().add(*start, bytes);
  return success;
}

Status cuMemAllocHost_v2(void **start, std::size_t bytes) { return cuMemHostAlloc(start, bytes, 0); }

Status cuMemFreeHost(void *start) {
  if (!pinned().remove(start)) return invalid_value;
  // Copies under way still use it.
  const Status status = current_card() ? current_card()->synchronize() : invalid_context;
  std::free(start);
  return status;
}

Status cuMemHostRegister_v2(void *start, std::size_t bytes, unsigned) {
  if (const Status status = ready()) return status;
  pinned().add(start, bytes);
  return success;
}

Status cuMemHostUnregister(void *start) { return pinned().remove(start) ? ready() : invalid_value; }

Status cuMemcpyHtoDAsync_v2(Address to, const void *from, std::size_t bytes, void *stream) {
  if (const Status status = ready()) return status;
  if (bytes == 0) return success;
  if (pinned().holds(from, bytes)) return copy(copy_to_device, stream, at(to), from, bytes);
  // From ordinary memory the host copies it first to a place of the driver's, and may then change it.
  std::shared_ptr<char[]> staged(new char[bytes]);
  std::memcpy(staged.get(), from, bytes);
  push_observed(current_card()->stream(stream), {a_copy, copy_to_device, bytes},
                [=] { return std::memcpy(at(to), staged.get(), bytes), success; });
  return success;
}

Status cuMemcpyDtoHAsync_v2(void *to, Address from, std::size_t bytes, void *stream) {
  if (const Status status = ready()) return status;
  if (bytes == 0) return success;
  copy(copy_to_host, stream, to, at(from), bytes);
  if (pinned().holds(to, bytes)) return success;
  // To ordinary memory it comes back when the data is there.
  current_card()->stream(stream).wait();
  return current_card()->broken();
}

Status cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void *stream) {
  if (const Status status = ready()) return status;
  return copy(copy_within, stream, at(to), at(from), bytes);
}

Status cuMemcpyPeerAsync(Address to, Card *, Address from, Card *, std::size_t bytes, void *stream) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

Status cuMemcpyHtoD_v2(Address to, const void *from, std::size_t bytes) {
  return finished(cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr));
}

Status cuMemcpyDtoH_v2(void *to, Address from, std::size_t bytes) {
  return finished(cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr));
}

Status cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
  return finished(cuMemcpyDtoDAsync_v2(to, from, bytes, nullptr));
}

Status cuMemsetD8Async(Address address, unsigned char value, std::size_t bytes, void *stream) {
  if (const Status status = ready()) return status;
  return fill(stream, address, value, bytes);
}

Status cuMemsetD8_v2(Address address, unsigned char value, std::size_t bytes) {
  return finished(cuMemsetD8Async(address, value, bytes, nullptr));
}

Status cuDeviceGetDefaultMemPool(Pool **pool, int device) {
  Card *card = card_at(device);
  if (!card) return invalid_device;
  *pool = &card->pool();
  return success;
}

Status cuDeviceGetMemPool(Pool **pool, int device) { return cuDeviceGetDefaultMemPool(pool, device); }
Status cuMemPoolGetAttribute(Pool *pool, int what, void *value) { return pool->get(what, value); }
Status cuMemPoolSetAttribute(Pool *pool, int what, void *value) { return pool->set(what, value); }
Status cuMemPoolTrimTo(Pool *pool, std::size_t keep) { return pool->trim(keep), success; }

} // extern "C"
