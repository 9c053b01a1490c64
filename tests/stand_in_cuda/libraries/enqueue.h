// How the libraries beside the driver put work on a stream; the driver's stand-in has it.
#pragma once
#include <functional>

namespace stand_in {
int enqueue(void *stream, std::function<int()> work);
}
