// A card: its memory, its one context with the error that has broken it, and the streams that run there.
#pragma once
#include "pool.h"
#include "queue.h"
#include "status.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace stand_in {

class Card {
public:
  Card(int ordinal, int slot);

  int ordinal() const { return number; }
  // Its number on the machine, whatever CUDA_VISIBLE_DEVICES leaves.
  int slot() const { return place; }
  Pool &pool() { return memory; }

  // The error of a kernel, which no later call gets past: a card has to be given up with its process.
  Status broken() const { return sticky; }
  void breaks(Status status);

  // The primary context: it is there while someone holds it.
  Status retain();
  void release();

  // The stream of a handle: 0 and 1 are the default stream, 2 is the calling thread's own.
  Queue &stream(void *handle);
  Queue *new_stream();
  void end_stream(Queue *stream);
  Status synchronize();

private:
  Queue &own_stream();

  const int number;
  const int place;
  Pool memory;
  std::atomic<Status> sticky{success};
  std::mutex mutex;
  int holders = 0;
  std::vector<Queue *> streams;
  Queue *default_stream = nullptr;
};

// The cards that CUDA_VISIBLE_DEVICES leaves to this process.
const std::vector<Card *> &cards();
Card *card_at(int ordinal);

// The card whose context the calling thread has made current.
Card *current_card();
void set_current_card(Card *card);

// What every call that wants a context begins with: not initialised, no context, or broken.
Status ready();
bool initialized();

} // namespace stand_in
