/*
 * Products of a few rows with a large matrix of weights, as in decoding. A general BLAS first packs the weights into
 * buffers, which takes longer than the product itself; here they are read once, as fast as the memory gives them.
 *
 * Threads take blocks of the weights' rows from a common counter, so that one which the system does not let run holds
 * nobody up. A helper that finds nothing to do spins for a short time and then sleeps.
 */
#include "skinny_gemm.h"

#if defined(__x86_64__)

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace {

constexpr int MOST_ROWS = 32;

/* Fewer weights than these are multiplied before a helper takes them up, so that none is called. */
constexpr long FEW_WEIGHTS = 64 * 1024;

/* Weights that a thread takes at a time. */
constexpr long BLOCK_WEIGHTS = 64 * 1024;

/* Rows of the weights that stay in the first cache while all rows of a pass over them. */
constexpr int GROUP = 8;

constexpr auto SPIN = std::chrono::microseconds(50);
constexpr int SPINS_BETWEEN_LOOKS = 64;

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

#define ALWAYS_INLINE __attribute__((always_inline)) inline

typedef float Four __attribute__((vector_size(16)));
typedef float Eight __attribute__((vector_size(32)));
typedef float Sixteen __attribute__((vector_size(64)));

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

/* ROWS of a times WEIGHTS rows of b. The sums stay in registers, of which there are enough for the sizes below. */
template <typename Vector, int ROWS, int WEIGHTS>
ALWAYS_INLINE void tile(const Product &p, int row, int weight) {
    typedef Vector Unaligned __attribute__((aligned(4), may_alias));
    constexpr int width = sizeof(Vector) / sizeof(float);
    const float *a = p.a + row * p.lda;
    const float *b = p.b + weight * p.ldb;
    Vector sums[ROWS][WEIGHTS] = {};
    int i = 0;
    for (; i + width <= p.k; i += width) {
        Vector weights[WEIGHTS];
#pragma GCC unroll 4
        for (int s = 0; s < WEIGHTS; s++) {
            weights[s] = *reinterpret_cast<const Unaligned *>(b + s * p.ldb + i);
            __builtin_prefetch(b + (s + WEIGHTS) * p.ldb + i);
        }
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) {
            Vector x = *reinterpret_cast<const Unaligned *>(a + r * p.lda + i);
#pragma GCC unroll 4
            for (int s = 0; s < WEIGHTS; s++) {
                sums[r][s] += x * weights[s];
            }
        }
    }
#pragma GCC unroll 4
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

/* All rows of a times rows from..to of the weights. */
template <typename Vector, int WEIGHTS>
ALWAYS_INLINE void multiply(const Product &p, int from, int to) {
    for (int start = from; start < to; start += GROUP) {
        int end = std::min(to, start + GROUP);
        int row = 0;
        for (; row + 4 <= p.m; row += 4) {
            stripe<Vector, 4, WEIGHTS>(p, row, start, end);
        }
        for (; row + 2 <= p.m; row += 2) {
            stripe<Vector, 2, WEIGHTS>(p, row, start, end);
        }
        if (row < p.m) {
            stripe<Vector, 1, WEIGHTS>(p, row, start, end);
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

/* One product at a time. Lives as long as the process, for a helper may wait in it until the end. */
class Team {
  public:
    void run(Kernel chosen, const Product &next_product, int threads) {
        std::lock_guard<std::mutex> one(turn);
        for (; helpers < threads - 1; helpers++) {
            std::thread([this] { help(); }).detach();
        }
        kernel = chosen;
        product = next_product;
        rows = static_cast<int>(std::max<long>(1, BLOCK_WEIGHTS / product.k / GROUP) * GROUP);
        uint32_t count = (product.n + rows - 1) / rows;
        blocks.store(count, std::memory_order_relaxed);
        done.store(0, std::memory_order_relaxed);
        uint32_t now = round.load(std::memory_order_relaxed) + 1;
        next.store(static_cast<uint64_t>(now) << 32, std::memory_order_release);
        round.store(now);
        if (sleeping.load() > 0) {
            std::lock_guard<std::mutex> lock(mutex);
            wake.notify_all();
        }
        take(now);
        while (done.load(std::memory_order_acquire) < count) {
            __builtin_ia32_pause();
        }
    }

  private:
    /* Works on blocks of that round while there are any; who comes late takes none of the next one. */
    void take(uint32_t mine) {
        for (;;) {
            uint64_t at = next.load(std::memory_order_acquire);
            do {
                if (at >> 32 != mine || static_cast<uint32_t>(at) >= blocks.load(std::memory_order_relaxed)) {
                    return;
                }
            } while (!next.compare_exchange_weak(at, at + 1, std::memory_order_acq_rel));
            int from = static_cast<int>(static_cast<uint32_t>(at)) * rows;
            kernel(product, from, std::min(product.n, from + rows));
            done.fetch_add(1, std::memory_order_acq_rel);
        }
    }

    void help() {
        for (uint32_t seen = 0;; take(seen)) {
            seen = await(seen);
        }
    }

    /* The round after the one seen. */
    uint32_t await(uint32_t seen) {
        auto until = std::chrono::steady_clock::now() + SPIN;
        for (int spins = 1; round.load(std::memory_order_acquire) == seen; spins++) {
            __builtin_ia32_pause();
            if (spins % SPINS_BETWEEN_LOOKS == 0 && std::chrono::steady_clock::now() > until) {
                std::unique_lock<std::mutex> lock(mutex);
                sleeping++;
                wake.wait(lock, [&] { return round.load() != seen; });
                sleeping--;
            }
        }
        return round.load(std::memory_order_acquire);
    }

    std::mutex turn;
    int helpers = 0;

    /* Of the round, written before it is announced. */
    Kernel kernel = nullptr;
    Product product{};
    int rows = 0;
    std::atomic<uint32_t> blocks{0};

    std::atomic<uint32_t> round{0};
    /* The round, and its block that is taken next. */
    std::atomic<uint64_t> next{0};
    std::atomic<uint32_t> done{0};

    std::mutex mutex;
    std::condition_variable wake;
    std::atomic<int> sleeping{0};
};

} // namespace

bool skinny_gemm(
    int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc,
    int threads) {
    static const Kernel kernel = choose();
    static Team &team = *new Team;
    if (kernel == nullptr || m > MOST_ROWS) {
        return false;
    }
    Product product{m, n, k, alpha, a, lda, b, ldb, beta, c, ldc};
    if (static_cast<long>(n) * k < FEW_WEIGHTS) {
        kernel(product, 0, n);
    } else {
        team.run(kernel, product, threads);
    }
    return true;
}

#else

bool skinny_gemm(int, int, int, float, const float *, int, const float *, int, float, float *, int, int) {
    return false;
}

#endif
