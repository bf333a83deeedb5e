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

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

using Block = void (*)(const void *, int);

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
            pause();
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
            block(work, static_cast<int>(static_cast<uint32_t>(at)));
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

void omlx_team_run(void (*block)(const void *, int), const void *work, int blocks, int threads) {
    static Team &team = *new Team;
    team.run(block, work, static_cast<uint32_t>(blocks), threads);
}
