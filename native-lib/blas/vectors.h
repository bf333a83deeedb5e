/* Vectors of floats by GCC's and Clang's extension, and what the kernels need of them. */
#pragma once

#define ALWAYS_INLINE __attribute__((always_inline)) inline

typedef float Four __attribute__((vector_size(16)));
typedef float Eight __attribute__((vector_size(32)));
typedef float Sixteen __attribute__((vector_size(64)));

template <typename Vector> constexpr int WIDTH = sizeof(Vector) / sizeof(float);

template <typename Vector> ALWAYS_INLINE Vector load(const float *from) {
    typedef Vector Unaligned __attribute__((aligned(4), may_alias));
    return *reinterpret_cast<const Unaligned *>(from);
}

template <typename Vector> ALWAYS_INLINE void store(float *to, Vector values) {
    typedef Vector Unaligned __attribute__((aligned(4), may_alias));
    *reinterpret_cast<Unaligned *>(to) = values;
}

ALWAYS_INLINE float sum(Four v) {
    Four pairs = v + __builtin_shufflevector(v, v, 2, 3, 0, 1);
    return pairs[0] + pairs[1];
}

ALWAYS_INLINE float sum(Eight v) {
    return sum(__builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7));
}

ALWAYS_INLINE float sum(Sixteen v) {
    return sum(
        __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
        __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
}
