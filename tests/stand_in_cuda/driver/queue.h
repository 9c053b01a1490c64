// A stream: work in the order in which it was given, done by a thread of its own, so that a launch returns
// before its kernel has run and waiting really waits.
#pragma once
#include "status.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace stand_in {

class Card;

// A point of a stream's work, and when the stream got there.
struct Mark {
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
  std::chrono::steady_clock::time_point at;

  void reach();
  void wait();
  bool is_reached();
};

class Queue {
public:
  explicit Queue(Card &card);

  Card &card() const { return owner; }
  // `always` is done on a broken card too: what only keeps the books.
  void push(std::function<Status()> work, bool always = false);
  std::shared_ptr<Mark> mark();
  // Until all that was given so far is done.
  void wait();
  bool idle();
  // Ends the thread, once its work is done.
  void end();

private:
  struct Work {
    std::function<Status()> call;
    bool always;
  };
  void serve();

  Card &owner;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Work> waiting;
  bool busy = false, ending = false;
};

} // namespace stand_in
