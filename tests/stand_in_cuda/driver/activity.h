// What the stand-in for CUPTI is told about: calls that give a card something to do, and when the card did it.
#pragma once
#include "queue.h"
#include "status.h"

#include <cstdint>
#include <functional>

namespace stand_in {

// CUPTI's numbers of the kinds of records and of the calls.
enum Kind { a_copy = 1, a_fill = 2, a_kernel = 10 };
enum Call { memset_d8 = 216, copy_to_device = 277, copy_to_host = 279, copy_within = 281, launch_kernel = 307, of_a_library = 0 };

struct Activity {
  Kind kind;
  Call made_by;
  std::uint64_t bytes = 0;
  std::uint32_t call = 0;
  std::uint64_t start = 0, end = 0;
};

struct Observer {
  // A call is made: its number.
  std::uint32_t (*call)(Call made_by);
  std::uint64_t (*now)();
  void (*done)(const Activity &);
};

// Work of a stream that an observer sees, if there is one.
void push_observed(Queue &queue, Activity activity, std::function<Status()> work);

} // namespace stand_in

// Sets the observer; a null pointer for none.
extern "C" void stand_in_observe(const stand_in::Observer *observer);
// What STAND_IN_CUDA says of CUPTI.
extern "C" const char *stand_in_cupti_wish();
