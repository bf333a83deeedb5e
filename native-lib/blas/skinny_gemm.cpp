/*
 * Products of a few rows with a large matrix of weights, as in decoding. A general BLAS first packs the weights into
 * buffers, which takes longer than the product itself; here they are read once, as fast as the memory gives them.
 */
#include "skinny_gemm.h"

#if defined(__x86_64__)

#include "team.h"
#include "vectors.h"

#include <algorithm>

namespace {

constexpr int MOST_ROWS = 32;

/* Fewer weights than these are multiplied before a helper takes them up, so that none is called. */
constexpr long FEW_WEIGHTS = 64 * 1024;

/* Weights that a thread takes at a time. */
constexpr long BLOCK_WEIGHTS = 64 * 1024;

/* Rows of a whose sums with those of the weights stay in registers. */
constexpr int STRIPE_ROWS = 6;

/* Rows of the weights that stay in the first cache while all rows of a pass over them. */
constexpr int GROUP = 8;

struct Product {
    int m, n, k;
    float alpha;
    const float *a;
    long lda;
    const float *b;
    long ldb;
    float beta;
    float *c;
    long ldc;
};

/* ROWS of a times WEIGHTS rows of b. The sums stay in registers, of which there are enough for the sizes below. */
template <typename Vector, int ROWS, int WEIGHTS>
ALWAYS_INLINE void tile(const Product &p, int row, int weight) {
    constexpr int width = WIDTH<Vector>;
    const float *a = p.a + row * p.lda;
    const float *b = p.b + weight * p.ldb;
    Vector sums[ROWS][WEIGHTS] = {};
    int i = 0;
    for (; i + width <= p.k; i += width) {
        Vector weights[WEIGHTS];
#pragma GCC unroll 4
        for (int s = 0; s < WEIGHTS; s++) {
            weights[s] = load<Vector>(b + s * p.ldb + i);
            __builtin_prefetch(b + (s + WEIGHTS) * p.ldb + i);
        }
#pragma GCC unroll 6
        for (int r = 0; r < ROWS; r++) {
            Vector x = load<Vector>(a + r * p.lda + i);
#pragma GCC unroll 4
            for (int s = 0; s < WEIGHTS; s++) {
                sums[r][s] += x * weights[s];
            }
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < ROWS; r++) {
#pragma GCC unroll 4
        for (int s = 0; s < WEIGHTS; s++) {
            float total = sum(sums[r][s]);
            for (int j = i; j < p.k; j++) {
                total += a[r * p.lda + j] * b[s * p.ldb + j];
            }
            float *to = p.c + (row + r) * p.ldc + weight + s;
            *to = p.alpha * total + (p.beta == 0 ? 0 : p.beta * *to);
        }
    }
}

template <typename Vector, int ROWS, int WEIGHTS>
ALWAYS_INLINE void stripe(const Product &p, int row, int from, int to) {
    int weight = from;
    for (; weight + WEIGHTS <= to; weight += WEIGHTS) {
        tile<Vector, ROWS, WEIGHTS>(p, row, weight);
    }
    for (; weight < to; weight++) {
        tile<Vector, ROWS, 1>(p, row, weight);
    }
}

template <typename Vector, int WEIGHTS>
ALWAYS_INLINE void stripe(const Product &p, int rows, int row, int from, int to) {
    switch (rows) {
    case 1: return stripe<Vector, 1, WEIGHTS>(p, row, from, to);
    case 2: return stripe<Vector, 2, WEIGHTS>(p, row, from, to);
    case 3: return stripe<Vector, 3, WEIGHTS>(p, row, from, to);
    case 4: return stripe<Vector, 4, WEIGHTS>(p, row, from, to);
    case 5: return stripe<Vector, 5, WEIGHTS>(p, row, from, to);
    default: return stripe<Vector, STRIPE_ROWS, WEIGHTS>(p, row, from, to);
    }
}

/* All rows of a, in stripes of about the same height, times rows from..to of the weights. */
template <typename Vector, int WEIGHTS>
ALWAYS_INLINE void multiply(const Product &p, int from, int to) {
    for (int start = from; start < to; start += GROUP) {
        int end = std::min(to, start + GROUP);
        int row = 0;
        for (int stripes = (p.m + STRIPE_ROWS - 1) / STRIPE_ROWS; stripes > 0; stripes--) {
            int rows = (p.m - row + stripes - 1) / stripes;
            stripe<Vector, WEIGHTS>(p, rows, row, start, end);
            row += rows;
        }
    }
}

__attribute__((target("avx512f"))) void multiply_avx512(const Product &p, int from, int to) {
    multiply<Sixteen, 4>(p, from, to);
}

__attribute__((target("avx2,fma"))) void multiply_avx2(const Product &p, int from, int to) {
    multiply<Eight, 2>(p, from, to);
}

using Kernel = void (*)(const Product &, int, int);

/* The kernel for this processor, or null. */
Kernel choose() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) {
        return multiply_avx512;
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? multiply_avx2 : nullptr;
}

struct Shared {
    Kernel kernel;
    Product product;
    int rows;
};

void multiply_block(const void *work, int block) {
    const Shared &shared = *static_cast<const Shared *>(work);
    int from = block * shared.rows;
    shared.kernel(shared.product, from, std::min(shared.product.n, from + shared.rows));
}

} // namespace

bool skinny_gemm(
    int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc,
    int threads) {
    static const Kernel kernel = choose();
    if (kernel == nullptr || m > MOST_ROWS) {
        return false;
    }
    Product product{m, n, k, alpha, a, lda, b, ldb, beta, c, ldc};
    if (static_cast<long>(n) * k < FEW_WEIGHTS) {
        kernel(product, 0, n);
    } else {
        int rows = static_cast<int>(std::max<long>(1, BLOCK_WEIGHTS / k / GROUP) * GROUP);
        Shared shared{kernel, product, rows};
        omlx_team_run(multiply_block, &shared, (n + rows - 1) / rows, threads);
    }
    return true;
}

#else

bool skinny_gemm(int, int, int, float, const float *, int, const float *, int, float, float *, int, int) {
    return false;
}

#endif
