#include "attention.h"

#include "../blas/team.h"
#include "tile.h"

namespace {

/* Query rows of a tile, those of all heads that share keys together: keys are read once for all of them. */
constexpr int TILE_ROWS = 96;

/* Below so many multiplications no helper is called. */
constexpr double FEW = 256 * 1024;

/* Positions that are worth a task of their own where there are too few tiles for all threads. */
constexpr int LEAST_PART = 4 * BLOCK;

/* Tasks for each thread that are enough to end at about the same time. */
constexpr int TASKS = 4;

using Run = void (*)(const Attention &, const Tile &, Room &, Sums &);

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void run_avx512(const Attention &a, const Tile &tile, Room &room, Sums &sums) {
    Kernel<Sixteen, 8>(a, tile, room, sums).run();
}

__attribute__((target("avx2,fma"))) void run_avx2(const Attention &a, const Tile &tile, Room &room, Sums &sums) {
    Kernel<Eight, 6>(a, tile, room, sums).run();
}
#endif

void run_anywhere(const Attention &a, const Tile &tile, Room &room, Sums &sums) {
    Kernel<Four, 4>(a, tile, room, sums).run();
}

Run choose() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) {
        return run_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return run_avx2;
    }
#endif
    return run_anywhere;
}

/* The whole, cut into tasks. */
class Plan {
  public:
    Plan(const Attention &attention, int threads) : a(attention), run(choose()) {
        int group = a.heads / a.key_heads;
        count = std::clamp(TILE_ROWS / group, 1, a.length);
        tiles = (a.length + count - 1) / count;
        int longest = *std::max_element(a.ends, a.ends + a.batch);
        int all = a.batch * a.key_heads * tiles;
        parts = std::clamp((TASKS * threads + all - 1) / all, 1, std::max(1, longest / LEAST_PART));
        bool few = static_cast<double>(all) * count * group * longest * (a.dim + a.value_dim) < FEW;
        bool helped = threads > 1 && !few && all * parts > 1;
        if (parts > 1) {
            unfinished.resize(static_cast<size_t>(all) * parts);
        }
        if (helped) {
            omlx_team_run(task, this, all * parts, threads);
        } else {
            for (int index = 0; index < all * parts; index++) {
                compute(index);
            }
        }
        for (int tile = 0; parts > 1 && tile < all; tile++) {
            merge(tile);
        }
    }

  private:
    static void task(const void *plan, int index) {
        const_cast<Plan *>(static_cast<const Plan *>(plan))->compute(index);
    }

    void compute(int index) {
        static thread_local Room room;
        static thread_local Sums own;
        Tile tile = tile_of(index / parts);
        if (parts == 1) {
            run(a, tile, room, own);
            finish(tile, own);
            return;
        }
        int blocks = (tile.to - tile.from + BLOCK - 1) / BLOCK;
        int part = index % parts;
        int from = tile.from;
        tile.from = from + static_cast<int>(static_cast<long>(blocks) * part / parts) * BLOCK;
        tile.to = std::min(tile.to, from + static_cast<int>(static_cast<long>(blocks) * (part + 1) / parts) * BLOCK);
        run(a, tile, room, unfinished[index]);
    }

    /* The last tiles see the most and come first, so that the threads end at about the same time. */
    Tile tile_of(int index) const {
        int lane = index % (a.batch * a.key_heads);
        Tile tile{};
        tile.sequence = lane / a.key_heads;
        tile.key_head = lane % a.key_heads;
        tile.first = (tiles - 1 - index / (a.batch * a.key_heads)) * count;
        tile.count = std::min(count, a.length - tile.first);
        int shortest = a.ends[tile.sequence] - a.length + tile.first + 1;
        tile.from = a.window == 0 ? 0 : std::max(0, shortest - a.window);
        tile.to = shortest + tile.count - 1;
        return tile;
    }

    void merge(int index) {
        Sums *parted = unfinished.data() + static_cast<size_t>(index) * parts;
        Sums &whole = parted[0];
        for (int part = 1; part < parts; part++) {
            Sums &other = parted[part];
            for (size_t row = 0; row < whole.most.size(); row++) {
                float most = std::max(whole.most[row], other.most[row]);
                float mine = exp2_of_one(whole.most[row] - most);
                float its = exp2_of_one(other.most[row] - most);
                whole.most[row] = most;
                whole.total[row] = whole.total[row] * mine + other.total[row] * its;
                for (int i = 0; i < whole.stride; i++) {
                    float &to = whole.weighted[row * whole.stride + i];
                    to = to * mine + other.weighted[row * whole.stride + i] * its;
                }
            }
        }
        finish(tile_of(index), whole);
    }

    void finish(const Tile &tile, const Sums &sums) const {
        int group = a.heads / a.key_heads;
        for (int row = 0; row < group * tile.count; row++) {
            long query = static_cast<long>(tile.sequence) * a.length + tile.first + row % tile.count;
            int head = tile.key_head * group + row / tile.count;
            float *to = a.out + (query * a.heads + head) * a.value_dim;
            const float *from = sums.weighted.data() + static_cast<size_t>(row) * sums.stride;
            float factor = 1 / sums.total[row];
            for (int i = 0; i < a.value_dim; i++) {
                to[i] = from[i] * factor;
            }
        }
    }

    const Attention &a;
    Run run;
    int count, tiles, parts;
    std::vector<Sums> unfinished;
};

} // namespace

void attend(const Attention &attention, int threads) {
    Plan plan(attention, threads);
}
