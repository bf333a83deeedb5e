/* What a layer does to each row by itself, on the CPU in float32. All is dense. */
#pragma once

/* to = x / √(mean(x²) + ε) · weight (arXiv:1910.07467) */
struct RmsNorm {
    const float *x;
    const float *weight;
    float epsilon;
    float *to;
    int rows, size;
};

void rms_norm(const RmsNorm &norm, int threads);

/* to = gate / (1 + exp(-gate)) · up (arXiv:2002.05202) */
struct SiluProduct {
    const float *gate, *up;
    float *to;
    long size;
};

void silu_product(const SiluProduct &product, int threads);

/*
 * Rotary position embedding (arXiv:2104.09864) of the first 2·pairs of each head's dim numbers: those half a rotation
 * apart, or neighbours where interleaved, turn together.
 */
struct Rotation {
    const float *x;
    /* [rows, pairs] */
    const float *cosines, *sines;
    float *to;
    int rows, heads, dim, pairs;
    bool interleaved;
};

void rotate(const Rotation &rotation, int threads);
