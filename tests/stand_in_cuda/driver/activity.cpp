#include "activity.h"

#include "wishes.h"

#include <atomic>

namespace stand_in {
namespace {
std::atomic<const Observer *> observer{nullptr};
}

void push_observed(Queue &queue, Activity activity, std::function<Status()> work) {
  const Observer *sees = observer.load();
  if (!sees) return queue.push(std::move(work));
  activity.call = sees->call(activity.made_by);
  queue.push([=]() mutable {
    activity.start = sees->now();
    const Status status = work();
    activity.end = sees->now();
    sees->done(activity);
    return status;
  });
}

} // namespace stand_in

extern "C" {
void stand_in_observe(const stand_in::Observer *sees) { stand_in::observer.store(sees); }
const char *stand_in_cupti_wish() { return stand_in::wishes().cupti.c_str(); }
}
