/*
 * Causal grouped-query attention on the CPU: softmax(q·kᵀ·scale)·v in float32, a tile of queries against a block of
 * positions at a time with a running maximum and sum (arXiv:2205.14135), so that scores never leave a core's cache.
 */
#pragma once

/* Rows of floats; strides count floats, the last dimension is dense. */
struct Rows {
    const float *data;
    long batch, head, row;

    const float *at(long b, long h, long r) const {
        return data + b * batch + h * head + r * row;
    }
};

struct Attention {
    int batch, heads, key_heads, length, dim, value_dim;
    /* How many positions the last query of each sequence sees, each earlier one seeing one less; at least length. */
    const int *ends;
    /* How many positions a query sees at most, its own included; 0 means all. */
    int window;
    float scale;
    Rows queries, keys, values;
    /* [batch, length, heads, value_dim] */
    float *out;
};

void attend(const Attention &attention, int threads);
