// What a library of kernels and the driver know of each other.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace stand_in {

// A kernel: its name, a function that takes its arguments as cuLaunchKernel does, and their sizes, since a
// launch returns before the kernel runs and has to keep a copy of them.
struct Kernel {
  const char *name;
  void (*call)(void **arguments);
  const std::size_t *sizes;
  std::size_t arguments;
};

struct Grid {
  unsigned blocks[3];
  unsigned threads[3];
  std::size_t shared_bytes;
};

// Runs all threads of a grid; the answer is a CUresult: that of a failed assertion, for instance.
int run(const Kernel &kernel, const Grid &grid, void **arguments);

namespace detail {

template <typename... Arguments, std::size_t... I>
void apply(void (*kernel)(Arguments...), void **arguments, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_const_t<Arguments> *>(arguments[I])...);
}

template <typename F> struct Signature;
template <typename... Arguments> struct Signature<void (*)(Arguments...)> {
  static constexpr std::size_t count = sizeof...(Arguments);
  static constexpr std::size_t sizes[count + 1] = {sizeof(Arguments)..., 0};
  template <void (*kernel)(Arguments...)> static void call(void **arguments) {
    apply(kernel, arguments, std::index_sequence_for<Arguments...>());
  }
};

} // namespace detail
} // namespace stand_in

#define STAND_IN_KERNEL(name)                                                                              \
  {#name, &stand_in::detail::Signature<decltype(&name)>::call<&name>,                                      \
   stand_in::detail::Signature<decltype(&name)>::sizes,                                                    \
   stand_in::detail::Signature<decltype(&name)>::count},
