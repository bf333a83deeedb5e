#include "rows.h"

#include "../blas/team.h"
#include "../blas/vectors.h"
#include "exp2.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

/* Numbers that a thread takes at a time; for fewer no helper is called. */
constexpr long BLOCK = 16 * 1024;

/* Greater exponents have no float. */
constexpr float GREATEST_EXPONENT = 127;

/* The same code for each of the processor's instruction sets, chosen when the library is loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

template <typename Work> struct Shared {
    const Work &work;
    void (*part)(const Work &, long from, long to);
    long count, each;
};

template <typename Work> void run_block(const void *context, int block) {
    const auto &shared = *static_cast<const Shared<Work> *>(context);
    long from = block * shared.each;
    shared.part(shared.work, from, std::min(shared.count, from + shared.each));
}

/* So many pieces of so many numbers. */
template <typename Work>
void share(const Work &work, void (*part)(const Work &, long, long), long count, long size, int threads) {
    Shared<Work> shared{work, part, count, std::max(1L, BLOCK / size)};
    int blocks = static_cast<int>((count + shared.each - 1) / shared.each);
    if (blocks < 2 || threads < 2) {
        part(work, 0, count);
    } else {
        omlx_team_run(run_block<Work>, &shared, blocks, threads);
    }
}

FOR_EACH_PROCESSOR void norm_rows(const RmsNorm &norm, long from, long to) {
    for (long row = from; row < to; row++) {
        const float *x = norm.x + row * norm.size;
        float *y = norm.to + row * norm.size;
        Sixteen squares = {};
        int i = 0;
        for (; i + 16 <= norm.size; i += 16) {
            Sixteen some = load<Sixteen>(x + i);
            squares += some * some;
        }
        float total = sum(squares);
        for (; i < norm.size; i++) {
            total += x[i] * x[i];
        }
        float factor = 1 / std::sqrt(total / norm.size + norm.epsilon);
        for (int j = 0; j < norm.size; j++) {
            y[j] = x[j] * factor * norm.weight[j];
        }
    }
}

template <typename Vector> ALWAYS_INLINE Vector silu(Vector x) {
    Vector exponent = x * -LOG2_E;
    return x / (exp2_of(exponent > GREATEST_EXPONENT ? Vector{} + GREATEST_EXPONENT : exponent) + 1.0f);
}

FOR_EACH_PROCESSOR void multiply_silu(const SiluProduct &p, long from, long to) {
    long i = from;
    for (; i + 16 <= to; i += 16) {
        store(p.to + i, silu(load<Sixteen>(p.gate + i)) * load<Sixteen>(p.up + i));
    }
    for (; i < to; i++) {
        p.to[i] = silu(Four{p.gate[i]})[0] * p.up[i];
    }
}

ALWAYS_INLINE void turn_halves(
    const float *__restrict x, const float *__restrict cosines, const float *__restrict sines, float *__restrict y,
    int pairs) {
    for (int i = 0; i < pairs; i++) {
        y[i] = x[i] * cosines[i] - x[i + pairs] * sines[i];
        y[i + pairs] = x[i + pairs] * cosines[i] + x[i] * sines[i];
    }
}

ALWAYS_INLINE void turn_neighbours(
    const float *__restrict x, const float *__restrict cosines, const float *__restrict sines, float *__restrict y,
    int pairs) {
    for (int i = 0; i < pairs; i++) {
        y[2 * i] = x[2 * i] * cosines[i] - x[2 * i + 1] * sines[i];
        y[2 * i + 1] = x[2 * i + 1] * cosines[i] + x[2 * i] * sines[i];
    }
}

FOR_EACH_PROCESSOR void rotate_rows(const Rotation &r, long from, long to) {
    for (long row = from; row < to; row++) {
        for (int head = 0; head < r.heads; head++) {
            const float *x = r.x + (row * r.heads + head) * r.dim;
            float *y = r.to + (row * r.heads + head) * r.dim;
            const float *cosines = r.cosines + row * r.pairs;
            const float *sines = r.sines + row * r.pairs;
            if (r.interleaved) {
                turn_neighbours(x, cosines, sines, y, r.pairs);
            } else {
                turn_halves(x, cosines, sines, y, r.pairs);
            }
            std::memcpy(y + 2 * r.pairs, x + 2 * r.pairs, (r.dim - 2 * r.pairs) * sizeof(float));
        }
    }
}

} // namespace

void rms_norm(const RmsNorm &norm, int threads) {
    share(norm, norm_rows, norm.rows, norm.size, threads);
}

void silu_product(const SiluProduct &product, int threads) {
    share(product, multiply_silu, product.size, 1, threads);
}

void rotate(const Rotation &rotation, int threads) {
    share(rotation, rotate_rows, rotation.rows, static_cast<long>(rotation.heads) * rotation.dim, threads);
}
