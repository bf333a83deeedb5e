#pragma once
#include <stdbool.h>

/*
 * c = alpha * a * transpose(b) + beta * c, row-major, a of m rows, b of n, both of k columns, on so many threads.
 * Returns false, with nothing done, where a general BLAS is the better choice.
 */
#ifdef __cplusplus
extern "C"
#endif
__attribute__((visibility("default"))) bool skinny_gemm(
    int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc,
    int threads);
