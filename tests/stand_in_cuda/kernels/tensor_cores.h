// What tensor cores do for the threads of a warp together: PTX's mma.m16n8k16 and ldmatrix.
#pragma once
#include "threads.h"

#include <cstdint>
#include <cstring>

namespace stand_in {

// c += a · b. Two numbers of type T are in each word, as in the tables of PTX.
template <typename T>
void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b, std::uint32_t b_below) {
  struct Words {
    std::uint32_t a[4], b[2];
  } mine{{a[0], a[1], a[2], a[3]}, {b, b_below}};
  const unsigned lane = current->linear % 32;
  const char *all = gather(&mine, sizeof(mine));
  const auto number = [](std::uint32_t word, unsigned k) { return float(T::from_bits(word >> k % 2 * 16)); };
  const auto of = [&](unsigned from) { return reinterpret_cast<const Words *>(all + from * lane_bytes); };
  for (unsigned k = 0; k < 16; ++k) {
    const Words *left = of(lane / 4 * 4 + k % 8 / 2);
    for (unsigned i = 0; i < 4; ++i) {
      const Words *right = of((lane % 4 * 2 + i % 2) * 4 + k % 8 / 2);
      c[i] += number(left->a[i / 2 + k / 8 * 2], k) * number(right->b[k / 8], k);
    }
  }
}

// Four matrices of 8 rows; lane i knows where row i % 8 of matrix i / 8 is.
inline void load_matrices(std::uint32_t (&to)[4], const void *row, bool is_transposed) {
  const unsigned lane = current->linear % 32;
  const char *all = gather(&row, sizeof(row));
  for (unsigned matrix = 0; matrix < 4; ++matrix) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned inner = lane % 4 * 2 + i, outer = lane / 4;
      const char *at;
      std::memcpy(&at, all + (matrix * 8 + (is_transposed ? inner : outer)) * lane_bytes, sizeof(at));
      std::uint16_t bits;
      std::memcpy(&bits, at + (is_transposed ? outer : inner) * sizeof(bits), sizeof(bits));
      word |= std::uint32_t(bits) << 16 * i;
    }
    to[matrix] = word;
  }
}

} // namespace stand_in
