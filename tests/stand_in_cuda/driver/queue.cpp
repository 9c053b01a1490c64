#include "queue.h"

#include "card.h"

#include <thread>

namespace stand_in {

void Mark::reach() {
  std::lock_guard<std::mutex> lock(mutex);
  at = std::chrono::steady_clock::now();
  reached = true;
  changed.notify_all();
}

void Mark::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return reached; });
}

bool Mark::is_reached() {
  std::lock_guard<std::mutex> lock(mutex);
  return reached;
}

// Nobody joins it: a process may end while a kernel hangs, as it may on a card.
Queue::Queue(Card &card) : owner(card) { std::thread(&Queue::serve, this).detach(); }

void Queue::push(std::function<Status()> work, bool always) {
  std::lock_guard<std::mutex> lock(mutex);
  waiting.push_back({std::move(work), always});
  changed.notify_all();
}

std::shared_ptr<Mark> Queue::mark() {
  auto mark = std::make_shared<Mark>();
  push([mark] { return mark->reach(), success; }, true);
  return mark;
}

void Queue::wait() { mark()->wait(); }

bool Queue::idle() {
  std::lock_guard<std::mutex> lock(mutex);
  return waiting.empty() && !busy;
}

void Queue::end() {
  std::lock_guard<std::mutex> lock(mutex);
  ending = true;
  changed.notify_all();
}

void Queue::serve() {
  for (;;) {
    Work work;
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [this] { return !waiting.empty() || ending; });
      if (waiting.empty()) break;
      work = std::move(waiting.front());
      waiting.pop_front();
      busy = true;
    }
    if (work.always || owner.broken() == success) {
      const Status status = work.call();
      if (status != success) owner.breaks(status);
    }
    work = {};
    std::lock_guard<std::mutex> lock(mutex);
    busy = false;
  }
  delete this;
}

} // namespace stand_in
