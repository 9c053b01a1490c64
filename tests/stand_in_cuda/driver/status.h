// The driver's answers, by the numbers of its public interface, and what it calls them.
#pragma once

namespace stand_in {

using Status = int;

constexpr Status success = 0, invalid_value = 1, out_of_memory = 2, not_initialized = 3, no_device = 100,
                 invalid_device = 101, invalid_image = 200, invalid_context = 201, invalid_handle = 400,
                 not_found = 500, not_ready = 600;

// Nothing for a number that is not one of the driver's.
const char *name_of(Status status);
const char *text_of(Status status);
// The number of a name such as `no_device`: the driver's, without its `CUDA_ERROR_`, in any case; -1 if none.
Status status_named(const char *name);

} // namespace stand_in
