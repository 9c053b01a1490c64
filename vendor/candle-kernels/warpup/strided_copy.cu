// Copies between memory with any strides; only the size of an element matters.
#include "kernels.cuh"

#define STRIDED_COPY(T, bytes)                                                                             \
  extern "C" __global__ void strided_copy_##bytes(uint64_t count, T *to, warpup::Walk to_walk,             \
                                                  const T *from, warpup::Walk from_walk) {                 \
    warpup::copy_strided(count, to, to_walk, from, from_walk);                                             \
  }
STRIDED_COPY(uint8_t, 1)
STRIDED_COPY(uint16_t, 2)
STRIDED_COPY(uint32_t, 4)
STRIDED_COPY(uint64_t, 8)
