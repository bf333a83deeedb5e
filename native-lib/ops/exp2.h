/* Powers of two, many at a time. */
#pragma once

#include "../blas/vectors.h"

/* exp(x) = 2^(x·log2 e) */
constexpr float LOG2_E = 1.44269504088896340736f;

/*
 * 2^f on [-½, ½] by powers of f: the polynomial that meets it at the six Chebyshev nodes, off by at most 1.1 parts in
 * ten million.
 */
constexpr float POWER_OF_TWO[] = {1.0000000754548972f,   0.6931471880262287f,   0.24022107485308208f,
                                  0.05550357114219461f,  0.009676031918326564f, 0.0013390863364533504f};

/*
 * 2^x for x up to 127. The whole part becomes a power of two by its bits alone, a polynomial gives the rest: added to a
 * float and subtracted again, ROUNDING rounds to whole numbers, and meanwhile their exponent's bits stand lowest. 0 where
 * the result has no normal float; not a number where x is none.
 */
template <typename Vector> ALWAYS_INLINE Vector exp2_of(Vector x) {
    constexpr float ROUNDING = 0x1.8p23f + 127;
    typedef decltype(x < x) Bits;
    Vector bounded = x < -127.0f ? Vector{} - 127.0f : x;
    Vector shifted = bounded + ROUNDING;
    Vector rest = bounded - (shifted - ROUNDING);
    Vector power = Vector{} + POWER_OF_TWO[5];
#pragma GCC unroll 5
    for (int i = 4; i >= 0; i--) {
        power = power * rest + POWER_OF_TWO[i];
    }
    Bits exponent = reinterpret_cast<Bits>(shifted) << 23;
    return power * reinterpret_cast<Vector>(exponent);
}
