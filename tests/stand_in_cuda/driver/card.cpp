#include "card.h"

#include "wishes.h"

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace stand_in {
namespace {

// What a context takes of the memory before anything is asked for.
constexpr std::size_t context_bytes = std::size_t(64) << 20;

std::atomic<bool> was_initialized{false};
thread_local Card *current_context = nullptr;

} // namespace

Card::Card(int ordinal, int slot) : number(ordinal), place(slot), memory(wishes().memory) {}

void Card::breaks(Status status) {
  Status none = success;
  sticky.compare_exchange_strong(none, status);
}

Status Card::retain() {
  std::lock_guard<std::mutex> lock(mutex);
  if (holders == 0) {
    if (wishes().context != success) return wishes().context;
    if (memory.total() < context_bytes) return out_of_memory;
    memory.context_takes(context_bytes);
  }
  ++holders;
  return success;
}

void Card::release() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--holders > 0) return;
  memory.context_takes(0);
  sticky = success;
}

Queue &Card::own_stream() {
  static thread_local std::vector<Queue *> own;
  if (own.size() <= std::size_t(number)) own.resize(number + 1);
  Queue *&mine = own[number];
  if (!mine) mine = new_stream();
  return *mine;
}

Queue &Card::stream(void *handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 2) return own_stream();
  if (number > 2) return *static_cast<Queue *>(handle);
  if (!default_stream) default_stream = new_stream();
  return *default_stream;
}

Queue *Card::new_stream() {
  std::lock_guard<std::mutex> lock(mutex);
  streams.push_back(new Queue(*this));
  return streams.back();
}

void Card::end_stream(Queue *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto at = streams.begin(); at != streams.end(); ++at)
    if (*at == stream) {
      streams.erase(at);
      stream->end();
      return;
    }
}

Status Card::synchronize() {
  std::vector<Queue *> all;
  {
    std::lock_guard<std::mutex> lock(mutex);
    all = streams;
  }
  for (Queue *stream : all) stream->wait();
  memory.settle();
  return broken();
}

const std::vector<Card *> &cards() {
  static const std::vector<Card *> all = [] {
    std::vector<Card *> seen;
    const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
    std::istringstream entries(visible ? visible : "");
    std::string entry;
    for (int i = 0; i < wishes().cards; ++i) {
      int slot = i;
      // As the driver does it: the list ends at the first entry that is no card.
      if (visible) {
        if (!std::getline(entries, entry, ',')) break;
        char *end = nullptr;
        const long number = std::strtol(entry.c_str(), &end, 10);
        if (entry.empty() || *end != 0 || number < 0 || number >= wishes().cards) break;
        slot = int(number);
      }
      seen.push_back(new Card(i, slot));
    }
    return seen;
  }();
  return all;
}

Card *card_at(int ordinal) {
  const auto &all = cards();
  return ordinal >= 0 && std::size_t(ordinal) < all.size() ? all[ordinal] : nullptr;
}

Card *current_card() { return current_context; }
void set_current_card(Card *card) { current_context = card; }

bool initialized() { return was_initialized; }

Status ready() {
  if (!was_initialized) return not_initialized;
  if (!current_context) return invalid_context;
  return current_context->broken();
}

} // namespace stand_in

extern "C" int cuInit(unsigned) {
  using namespace stand_in;
  if (wishes().init != success) return wishes().init;
  if (cards().empty()) return no_device;
  was_initialized = true;
  return success;
}
