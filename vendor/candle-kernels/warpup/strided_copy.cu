// Copies between memory with any strides, and of one side of a diagonal; only the size of an element matters.
#include "kernels.cuh"

#define STRIDED_COPY(T, bytes)                                                                             \
  extern "C" __global__ void strided_copy_##bytes(uint64_t count, T *to, warpup::Walk to_walk,             \
                                                  const T *from, warpup::Walk from_walk) {                 \
    warpup::copy_strided(count, to, to_walk, from, from_walk);                                             \
  }                                                                                                        \
  extern "C" __global__ void triangle_##bytes(uint64_t count, T *to, const T *from, uint32_t rows,         \
                                              uint32_t columns, int64_t diagonal, uint32_t upper) {        \
    for (uint64_t i = warpup::first_element(); i < count; i += warpup::all_threads()) {                    \
      const int64_t column = i % columns, first = int64_t(i / columns % rows) + diagonal;                  \
      to[i] = (upper ? column >= first : column <= first) ? from[i] : T(0);                                \
    }                                                                                                      \
  }
STRIDED_COPY(uint8_t, 1)
STRIDED_COPY(uint16_t, 2)
STRIDED_COPY(uint32_t, 4)
STRIDED_COPY(uint64_t, 8)
