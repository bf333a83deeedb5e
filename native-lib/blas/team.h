/*
 * The threads that share the CPU kernels' work, one piece of work at a time. They take its blocks from a common counter,
 * so that one which the system does not let run holds nobody up. A helper that finds nothing to do spins for a short time
 * and then sleeps.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Calls block(work, i) for each i below blocks, on the caller's thread and up to threads - 1 others, and waits for all. */
__attribute__((visibility("default"))) void omlx_team_run(void (*block)(const void *work, int index), const void *work, int blocks, int threads);

#ifdef __cplusplus
}
#endif
