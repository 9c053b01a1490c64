// CUPTI's activity records of CUDA 13.0: what the driver's stand-in did and when, in buffers of the client's.
//
// STAND_IN_CUDA=cupti=HOW:
//
//   CALL:CODE     that call answers with that number, such as cuptiActivityEnable:35
//   version:N     it is version N
//   silent        every call succeeds, and no record comes
//   overflow      there is room for a few records only between two flushes; the others are dropped
//   late          an activity's record comes before the number of its call
#include "../driver/activity.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using namespace stand_in;

namespace {

using Answer = unsigned;
using GiveBuffer = void (*)(std::uint8_t **, std::size_t *, std::size_t *);
using TakeBuffer = void (*)(void *, unsigned, std::uint8_t *, std::size_t, std::size_t);
using Clock = std::uint64_t (*)();

constexpr Answer invalid_operation = 7, max_limit_reached = 12, queue_empty = 18;
constexpr int external_correlation = 39, runtime_calls = 5, driver_calls = 4;
constexpr std::size_t room_when_it_overflows = 1024;

std::string wish() { return stand_in_cupti_wish(); }

// The answer that STAND_IN_CUDA asks for.
Answer wished(const char *call) {
  const std::string text = wish(), name = std::string(call) + ":";
  return text.rfind(name, 0) == 0 ? std::strtoul(text.c_str() + name.size(), nullptr, 10) : 0;
}

std::uint64_t own_clock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// All of CUPTI's state, one for the process.
struct State {
  std::recursive_mutex mutex;
  std::set<int> kinds;
  std::set<unsigned> calls;
  GiveBuffer give = nullptr;
  TakeBuffer take = nullptr;
  std::atomic<Clock> clock{own_clock};
  std::uint8_t *buffer = nullptr;
  std::size_t size = 0, used = 0, since_flush = 0, dropped = 0;
  std::vector<std::vector<std::uint8_t>> held_back;
  std::uint32_t next_call = 1;
};

// It lives as long as the threads of streams do.
State &state() {
  static State *all = new State;
  return *all;
}

thread_local std::vector<std::uint64_t> numbers;

std::size_t length(std::uint32_t kind) {
  switch (kind) {
  case a_copy: return 80;
  case a_fill: return 64;
  case a_kernel: return 216;
  default: return 24;
  }
}

void deliver() {
  State &all = state();
  if (!all.buffer) return;
  all.take(nullptr, 0, all.buffer, all.size, all.used);
  all.buffer = nullptr;
  all.used = 0;
}

void write(const std::vector<std::uint8_t> &record) {
  State &all = state();
  if (wish() == "silent") return;
  if (wish() == "overflow" && all.since_flush + record.size() > room_when_it_overflows) {
    ++all.dropped;
    return;
  }
  if (all.buffer && all.used + record.size() > all.size) deliver();
  if (!all.buffer) {
    std::size_t most = 0;
    all.give(&all.buffer, &all.size, &most);
    if (!all.buffer || all.size < record.size()) {
      ++all.dropped;
      all.buffer = nullptr;
      return;
    }
  }
  std::memcpy(all.buffer + all.used, record.data(), record.size());
  all.used += record.size();
  all.since_flush += record.size();
}

struct Record {
  std::vector<std::uint8_t> bytes;
  explicit Record(std::uint32_t kind) : bytes(length(kind), 0) { put(0, kind); }
  template <typename T> void put(std::size_t at, T value) { std::memcpy(bytes.data() + at, &value, sizeof value); }
};

std::uint32_t call_made(Call made_by) {
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  const std::uint32_t call = all.next_call++;
  const bool is_recorded = made_by == of_a_library ? all.kinds.count(runtime_calls)
                                                   : all.kinds.count(driver_calls) || all.calls.count(made_by);
  if (is_recorded && !numbers.empty() && all.kinds.count(external_correlation)) {
    Record record(external_correlation);
    record.put(4, std::uint32_t(3));
    record.put(8, numbers.back());
    record.put(16, call);
    if (wish() == "late") all.held_back.push_back(record.bytes);
    else write(record.bytes);
  }
  return call;
}

void activity_done(const Activity &it) {
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (!all.kinds.count(it.kind)) return;
  Record record(it.kind);
  record.put(16, it.start);
  record.put(24, it.end);
  record.put(it.kind == a_kernel ? 92 : 44, it.call);
  if (it.kind == a_copy) {
    record.put(4, std::uint8_t(it.made_by == copy_to_device ? 1 : it.made_by == copy_to_host ? 2 : 8));
    record.put(8, it.bytes);
  }
  write(record.bytes);
}

std::uint64_t now() { return state().clock.load()(); }

const Observer observer{call_made, now, activity_done};

} // namespace

extern "C" {

Answer cuptiGetVersion(std::uint32_t *version) {
  const std::string text = wish();
  *version = text.rfind("version:", 0) == 0 ? std::strtoul(text.c_str() + 8, nullptr, 10) : 130001;
  return wished("cuptiGetVersion");
}

Answer cuptiGetResultString(Answer answer, const char **text) {
  *text = answer == 35   ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
          : answer == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                         : "CUPTI_ERROR_UNKNOWN";
  return 0;
}

Answer cuptiGetTimestamp(std::uint64_t *timestamp) {
  if (const Answer answer = wished("cuptiGetTimestamp")) return answer;
  return *timestamp = now(), 0;
}

Answer cuptiActivityRegisterTimestampCallback(Clock clock) {
  if (const Answer answer = wished("cuptiActivityRegisterTimestampCallback")) return answer;
  state().clock.store(clock);
  return 0;
}

Answer cuptiActivityRegisterCallbacks(GiveBuffer give, TakeBuffer take) {
  if (const Answer answer = wished("cuptiActivityRegisterCallbacks")) return answer;
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  all.give = give;
  all.take = take;
  return 0;
}

Answer cuptiActivityEnable(int kind) {
  if (const Answer answer = wished("cuptiActivityEnable")) return answer;
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  all.kinds.insert(kind);
  stand_in_observe(&observer);
  return 0;
}

Answer cuptiActivityDisable(int kind) {
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  all.kinds.erase(kind);
  if (all.kinds.empty()) stand_in_observe(nullptr);
  return wished("cuptiActivityDisable");
}

Answer cuptiActivityEnableDriverApi(unsigned call, std::uint8_t enable) {
  if (const Answer answer = wished("cuptiActivityEnableDriverApi")) return answer;
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (enable) all.calls.insert(call);
  else all.calls.erase(call);
  return 0;
}

Answer cuptiActivityFlushAll(unsigned) {
  if (const Answer answer = wished("cuptiActivityFlushAll")) return answer;
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (!all.give) return invalid_operation;
  for (const auto &record : all.held_back) write(record);
  all.held_back.clear();
  deliver();
  all.since_flush = 0;
  return 0;
}

Answer cuptiActivityGetNextRecord(std::uint8_t *buffer, std::size_t valid, std::uint8_t **record) {
  if (const Answer answer = wished("cuptiActivityGetNextRecord")) return answer;
  std::uint8_t *next = buffer;
  if (*record) {
    std::uint32_t kind;
    std::memcpy(&kind, *record, sizeof kind);
    next = *record + length(kind);
  }
  if (next >= buffer + valid) return max_limit_reached;
  *record = next;
  return 0;
}

Answer cuptiActivityGetNumDroppedRecords(void *, std::uint32_t, std::size_t *dropped) {
  State &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  *dropped = all.dropped;
  all.dropped = 0;
  return wished("cuptiActivityGetNumDroppedRecords");
}

Answer cuptiActivityPushExternalCorrelationId(unsigned, std::uint64_t number) {
  if (const Answer answer = wished("cuptiActivityPushExternalCorrelationId")) return answer;
  return numbers.push_back(number), 0;
}

Answer cuptiActivityPopExternalCorrelationId(unsigned, std::uint64_t *last) {
  if (const Answer answer = wished("cuptiActivityPopExternalCorrelationId")) return answer;
  if (numbers.empty()) return queue_empty;
  if (last) *last = numbers.back();
  return numbers.pop_back(), 0;
}

} // extern "C"
