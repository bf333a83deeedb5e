/*
 * Puts OpenBLAS in front of the reference BLAS that the MLX wheel bundles. Loaded with RTLD_GLOBAL before libmlx, these
 * three names win its symbol lookup; they forward to the prefixed names of the scipy-openblas32 wheel, all but products
 * of a few rows.
 */
#include "skinny_gemm.h"

#define EXPORT __attribute__((visibility("default")))

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

extern void scipy_cblas_sgemm(
    int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
    int ldb, float beta, float *c, int ldc);
extern void scipy_cblas_dgemm(
    int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda, const double *b,
    int ldb, double beta, double *c, int ldc);
extern void scipy_cblas_cgemm(
    int order, int trans_a, int trans_b, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,
    int ldb, const void *beta, void *c, int ldc);
extern char *scipy_openblas_get_config(void);
extern int scipy_openblas_get_num_threads(void);
extern void scipy_openblas_set_num_threads(int threads);

EXPORT void cblas_sgemm(
    int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
    int ldb, float beta, float *c, int ldc) {
    if (order == ROW_MAJOR && trans_a == NO_TRANS && trans_b == TRANS &&
        skinny_gemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, scipy_openblas_get_num_threads())) {
        return;
    }
    scipy_cblas_sgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORT void cblas_dgemm(
    int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda, const double *b,
    int ldb, double beta, double *c, int ldc) {
    scipy_cblas_dgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORT void cblas_cgemm(
    int order, int trans_a, int trans_b, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,
    int ldb, const void *beta, void *c, int ldc) {
    scipy_cblas_cgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* For the Java side, so that it needs no knowledge of the prefix. */
EXPORT const char *omlx_blas_config(void) {
    return scipy_openblas_get_config();
}

EXPORT int omlx_blas_threads(void) {
    return scipy_openblas_get_num_threads();
}

EXPORT void omlx_blas_set_threads(int threads) {
    scipy_openblas_set_num_threads(threads);
}
