#include "team.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace {

constexpr auto SPIN = std::chrono::microseconds(50);
constexpr int SPINS_BETWEEN_LOOKS = 64;
constexpr int SPINS_BEFORE_YIELD = 1024;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

using Block = void (*)(const void *, int);

/*
 * How far a round is, in one word: a helper that comes late can then never see one round's count beside another round's
 * index, and take a block that is none.
 */
constexpr int BLOCK_BITS = 20;
constexpr uint64_t MOST_BLOCKS = (1 << BLOCK_BITS) - 1;

constexpr uint64_t begin(uint32_t round, uint32_t count) {
    return static_cast<uint64_t>(round) << 2 * BLOCK_BITS | static_cast<uint64_t>(count) << BLOCK_BITS;
}

constexpr uint32_t round_of(uint64_t progress) {
    return static_cast<uint32_t>(progress >> 2 * BLOCK_BITS);
}

constexpr uint32_t count_of(uint64_t progress) {
    return static_cast<uint32_t>(progress >> BLOCK_BITS & MOST_BLOCKS);
}

constexpr uint32_t next_of(uint64_t progress) {
    return static_cast<uint32_t>(progress & MOST_BLOCKS);
}

/* As many rounds as the word has room for. */
constexpr uint32_t after(uint32_t round) {
    return round_of(begin(round + 1, 0));
}

/* Lives as long as the process, for a helper may wait in it until the end. */
class Team {
  public:
    void run(Block next_block, const void *next_work, uint32_t count, int threads) {
        std::lock_guard<std::mutex> one(turn);
        for (; helpers < threads - 1; helpers++) {
            std::thread([this] { help(); }).detach();
        }
        block = next_block;
        work = next_work;
        done.store(0, std::memory_order_relaxed);
        uint32_t now = after(round.load(std::memory_order_relaxed));
        progress.store(begin(now, count), std::memory_order_release);
        round.store(now);
        if (sleeping.load() > 0) {
            std::lock_guard<std::mutex> lock(mutex);
            wake.notify_all();
        }
        take(now);
        // a helper that holds a block may be waiting for this thread's processor
        for (int spins = 1; done.load(std::memory_order_acquire) < count; spins++) {
            pause();
            if (spins % SPINS_BEFORE_YIELD == 0) {
                std::this_thread::yield();
            }
        }
    }

  private:
    /* Works on blocks of that round while there are any; who comes late takes none of the next one. */
    void take(uint32_t mine) {
        for (;;) {
            uint64_t at = progress.load(std::memory_order_acquire);
            do {
                if (round_of(at) != mine || next_of(at) >= count_of(at)) {
                    return;
                }
            } while (!progress.compare_exchange_weak(at, at + 1, std::memory_order_acq_rel));
            block(work, static_cast<int>(next_of(at)));
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
            pause();
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
    Block block = nullptr;
    const void *work = nullptr;

    std::atomic<uint32_t> round{0};
    std::atomic<uint64_t> progress{0};
    std::atomic<uint32_t> done{0};

    std::mutex mutex;
    std::condition_variable wake;
    std::atomic<int> sleeping{0};
};

} // namespace

void omlx_team_run(void (*block)(const void *, int), const void *work, int blocks, int threads) {
    static Team &team = *new Team;
    if (blocks > static_cast<int>(MOST_BLOCKS)) {
        for (int index = 0; index < blocks; index++) {
            block(work, index);
        }
    } else if (blocks > 0) {
        team.run(block, work, static_cast<uint32_t>(blocks), threads);
    }
}
