// Products of small matrices on tensor cores, and copies to shared memory that go on while the threads compute.
#pragma once
#include "kernels.cuh"
#include <type_traits>

namespace warpup {

// Two numbers of 16 bits as tensor cores take them, the first one in the low half.
template <typename T> __device__ __forceinline__ uint32_t pair(float first, float second);
template <> __device__ __forceinline__ uint32_t pair<__half>(float first, float second) {
  const __half2 both = __floats2half2_rn(first, second);
  return reinterpret_cast<const uint32_t &>(both);
}
template <> __device__ __forceinline__ uint32_t pair<__nv_bfloat16>(float first, float second) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
  return reinterpret_cast<const uint32_t &>(both);
}

#ifdef __CUDACC__

__device__ __forceinline__ uint32_t shared_address(const void *at) { return uint32_t(__cvta_generic_to_shared(at)); }

// c += a · b, with 16 × 16 numbers in `a` and 16 × 8 in `b`, which the threads of a warp hold together (PTX: mma.m16n8k16).
template <typename T>
__device__ __forceinline__ void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b, uint32_t b_below) {
  [[maybe_unused]] constexpr bool is_half = std::is_same_v<T, __half>;
#if __CUDA_ARCH__ >= 800
#define MULTIPLY_ADD(type)                                                                                 \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, " \
      "{%0,%1,%2,%3};"                                                                                     \
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                                     \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"(b_below))
  if constexpr (is_half)
    MULTIPLY_ADD("f16");
  else
    MULTIPLY_ADD("bf16");
#undef MULTIPLY_ADD
#else
  if constexpr (is_half) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b));
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[2]), "r"(a[3]), "r"(b_below));
  } else {
    // These cards have no such units for bfloat16: the host takes float for it.
    __trap();
  }
#endif
}

// Four matrices of 8 × 8 numbers of 16 bits, of which each thread of a warp names one row (PTX: ldmatrix.x4).
__device__ __forceinline__ void load_matrices(uint32_t (&to)[4], const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ __forceinline__ void load_transposed(uint32_t (&to)[4], const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}

// 16 bytes to shared memory; zeros if they are not there.
__device__ __forceinline__ void copy_async(void *to, const void *from, bool is_there) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(shared_address(to)), "l"(from), "r"(is_there ? 16 : 0)
               : "memory");
#else
  *static_cast<uint4 *>(to) = is_there ? *static_cast<const uint4 *>(from) : uint4{};
#endif
}
// Waits for the copies of this thread.
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#else // The stand-in's, for the host.

template <typename T>
void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b, uint32_t b_below) {
  stand_in::multiply_add<T>(c, a, b, b_below);
}
inline void load_matrices(uint32_t (&to)[4], const void *row) { stand_in::load_matrices(to, row, false); }
inline void load_transposed(uint32_t (&to)[4], const void *row) { stand_in::load_matrices(to, row, true); }
inline void copy_async(void *to, const void *from, bool is_there) {
  is_there ? std::memcpy(to, from, 16) : std::memset(to, 0, 16);
}
inline void wait_for_copies() {}

#endif

} // namespace warpup
