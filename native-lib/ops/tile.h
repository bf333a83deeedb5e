/* What attention does with a tile: some query rows against some of the positions, a block of these at a time. */
#pragma once

#include "../blas/skinny_gemm.h"
#include "../blas/vectors.h"
#include "attention.h"
#include "exp2.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

/* Positions taken at a time: their keys, values and scores stay in the first and second cache. */
constexpr int BLOCK = 128;

/* Fewer rows than these are multiplied with the keys as they stand; more are worth a transposed copy of the block. */
constexpr int PACKED_ROWS = 8;

/* Less than every score, yet not infinite: the difference of two is a number. */
constexpr float NONE_SEEN = -1e30f;

constexpr float HIDDEN = -std::numeric_limits<float>::infinity();

inline float exp2_of_one(float x) {
    return exp2_of(Four{x})[0];
}

template <typename Vector> ALWAYS_INLINE float greatest(Vector values) {
    float most = values[0];
    for (int i = 1; i < WIDTH<Vector>; i++) {
        most = std::max(most, values[i]);
    }
    return most;
}

/* c = a·b, or c += a·b: ROWS rows of a, k columns; two vectors of columns. The sums stay in registers. */
template <typename Vector, int ROWS>
ALWAYS_INLINE void product(
    const float *a, long lda, const float *b, long ldb, float *c, long ldc, int k, bool accumulate) {
    constexpr int width = WIDTH<Vector>;
    Vector sums[ROWS][2] = {};
    for (int i = 0; i < k; i++) {
        Vector first = load<Vector>(b + i * ldb);
        Vector second = load<Vector>(b + i * ldb + width);
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; r++) {
            float x = a[r * lda + i];
            sums[r][0] += x * first;
            sums[r][1] += x * second;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        float *to = c + r * ldc;
        store(to, accumulate ? load<Vector>(to) + sums[r][0] : sums[r][0]);
        store(to + width, accumulate ? load<Vector>(to + width) + sums[r][1] : sums[r][1]);
    }
}

/* All rows; columns are a multiple of two vectors. */
template <typename Vector, int ROWS>
ALWAYS_INLINE void product(
    int rows, int columns, const float *a, long lda, const float *b, long ldb, float *c, long ldc, int k,
    bool accumulate) {
    for (int column = 0; column < columns; column += 2 * WIDTH<Vector>) {
        int row = 0;
        for (; row + ROWS <= rows; row += ROWS) {
            product<Vector, ROWS>(a + row * lda, lda, b + column, ldb, c + row * ldc + column, ldc, k, accumulate);
        }
        for (; row + 2 <= rows; row += 2) {
            product<Vector, 2>(a + row * lda, lda, b + column, ldb, c + row * ldc + column, ldc, k, accumulate);
        }
        if (row < rows) {
            product<Vector, 1>(a + row * lda, lda, b + column, ldb, c + row * ldc + column, ldc, k, accumulate);
        }
    }
}

inline int round_up(int count, int multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

/* What one task computes: some queries of the heads of a group against some of the positions. */
struct Tile {
    int sequence, key_head;
    int first, count;
    /* Positions of the block it starts with and after the last one. */
    int from, to;
};

/* Of a tile, unfinished: a row's greatest score, sum of powers, and powers times values. */
struct Sums {
    std::vector<float> most, total, weighted;
    int stride = 0;
};

/* What a thread works in, kept from one tile to the next. */
struct Room {
    std::vector<float> queries, keys, scores, values;
};

template <typename Vector, int ROWS> class Kernel {
  public:
    ALWAYS_INLINE Kernel(const Attention &attention, const Tile &tile, Room &room, Sums &sums)
        : a(attention), tile(tile), room(room), sums(sums), group(a.heads / a.key_heads), rows(group * tile.count),
          columns(round_up(a.value_dim, STEP)), end(a.ends[tile.sequence]) {}

    ALWAYS_INLINE void run() {
        sums.stride = columns;
        sums.most.assign(rows, NONE_SEEN);
        sums.total.assign(rows, 0);
        sums.weighted.assign(static_cast<size_t>(rows) * columns, 0);
        room.scores.resize(static_cast<size_t>(rows) * BLOCK);
        gather_queries();
        for (int from = tile.from; from < tile.to; from += BLOCK) {
            int count = std::min(BLOCK, tile.to - from);
            score(from, count);
            hide(from, count);
            weigh(count);
            add_values(from, count);
        }
    }

  private:
    static constexpr int STEP = 2 * WIDTH<Vector>;

    /* The rows of a head stand together. */
    ALWAYS_INLINE void gather_queries() {
        room.queries.resize(static_cast<size_t>(rows) * a.dim);
        float factor = a.scale * LOG2_E;
        for (int row = 0; row < rows; row++) {
            const float *query =
                a.queries.at(tile.sequence, tile.key_head * group + row / tile.count, tile.first + row % tile.count);
            for (int i = 0; i < a.dim; i++) {
                room.queries[row * a.dim + i] = query[i] * factor;
            }
        }
    }

    ALWAYS_INLINE void score(int from, int count) {
        const float *keys = a.keys.at(tile.sequence, tile.key_head, from);
        if (rows < PACKED_ROWS && skinny_gemm(
                                      rows, count, a.dim, 1, room.queries.data(), a.dim, keys, a.keys.row, 0,
                                      room.scores.data(), BLOCK, 1)) {
            return;
        }
        room.keys.resize(static_cast<size_t>(a.dim) * BLOCK);
        int padded = round_up(count, STEP);
        for (int i = 0; i < a.dim; i++) {
            float *to = room.keys.data() + i * BLOCK;
            for (int position = 0; position < count; position++) {
                to[position] = keys[position * a.keys.row + i];
            }
            std::fill(to + count, to + padded, 0.0f);
        }
        product<Vector, ROWS>(
            rows, padded, room.queries.data(), a.dim, room.keys.data(), BLOCK, room.scores.data(), BLOCK, a.dim, false);
    }

    /* Positions that a row does not see, and columns that are none. */
    ALWAYS_INLINE void hide(int from, int count) {
        int padded = round_up(count, STEP);
        int shortest = end - a.length + tile.first + 1;
        bool all = from + count <= shortest && (a.window == 0 || shortest + tile.count - 1 - a.window <= from);
        for (int row = 0; row < rows; row++) {
            float *scores = room.scores.data() + row * BLOCK;
            int first = 0;
            int last = count;
            if (!all) {
                int sees = shortest + row % tile.count;
                last = std::clamp(sees - from, 0, count);
                first = a.window == 0 ? 0 : std::clamp(sees - a.window - from, 0, last);
            }
            std::fill(scores, scores + first, HIDDEN);
            std::fill(scores + last, scores + padded, HIDDEN);
        }
    }

    /* Scores become powers, relative to the row's greatest score so far. */
    ALWAYS_INLINE void weigh(int count) {
        for (int row = 0; row < rows; row++) {
            float *scores = room.scores.data() + row * BLOCK;
            Vector many = Vector{} + sums.most[row];
            for (int i = 0; i < count; i += WIDTH<Vector>) {
                Vector these = load<Vector>(scores + i);
                many = these > many ? these : many;
            }
            float most = greatest(many);
            Vector added = {};
            for (int i = 0; i < count; i += WIDTH<Vector>) {
                Vector powers = exp2_of(load<Vector>(scores + i) - most);
                store(scores + i, powers);
                added += powers;
            }
            if (most > sums.most[row]) {
                rescale(row, exp2_of_one(sums.most[row] - most));
                sums.most[row] = most;
            }
            sums.total[row] += sum(added);
        }
    }

    ALWAYS_INLINE void rescale(int row, float factor) {
        sums.total[row] *= factor;
        float *weighted = sums.weighted.data() + row * columns;
        for (int i = 0; i < columns; i += WIDTH<Vector>) {
            store(weighted + i, load<Vector>(weighted + i) * factor);
        }
    }

    ALWAYS_INLINE void add_values(int from, int count) {
        const float *values = a.values.at(tile.sequence, tile.key_head, from);
        long stride = a.values.row;
        if (columns != a.value_dim) {
            room.values.assign(static_cast<size_t>(BLOCK) * columns, 0);
            for (int position = 0; position < count; position++) {
                std::memcpy(
                    room.values.data() + position * columns, values + position * stride, a.value_dim * sizeof(float));
            }
            values = room.values.data();
            stride = columns;
        }
        product<Vector, ROWS>(
            rows, columns, room.scores.data(), BLOCK, values, stride, sums.weighted.data(), columns, count, true);
    }

    const Attention &a;
    const Tile &tile;
    Room &room;
    Sums &sums;
    int group, rows, columns, end;
};
