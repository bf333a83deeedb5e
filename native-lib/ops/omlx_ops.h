/* Operations of our own for MLX's CPU back end, all in float32, in the manner of mlx-c. */
#pragma once

#include "mlx/c/array.h"
#include "mlx/c/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Causal grouped-query attention.
 *
 * queries [batch, heads, length, dim], keys [batch, key heads, positions, dim], values [batch, key heads, positions,
 * value dim]; ends[i]: how many positions the last query of sequence i sees, from length to positions; window: how many
 * a query sees at most, 0 for all. Gives [batch * length, heads * value dim].
 */
int omlx_attention(
    mlx_array *res, const mlx_array queries, const mlx_array keys, const mlx_array values, const int *ends,
    size_t ends_num, int window, float scale, const mlx_stream s);

/* x / √(mean(x²) + eps) · weight over the last dimension. */
int omlx_rms_norm(mlx_array *res, const mlx_array x, const mlx_array weight, float eps, const mlx_stream s);

/* gate / (1 + exp(-gate)) · up, of the same shape. */
int omlx_silu_product(mlx_array *res, const mlx_array gate, const mlx_array up, const mlx_stream s);

/*
 * Rotary position embedding.
 *
 * x [rows, heads, 1, dim]; cosines and sines [rows, pairs], two pairs at most dim; interleaved: neighbours turn together,
 * not those pairs apart.
 */
int omlx_rope(
    mlx_array *res, const mlx_array x, const mlx_array cosines, const mlx_array sines, bool interleaved,
    const mlx_stream s);

#ifdef __cplusplus
}
#endif
