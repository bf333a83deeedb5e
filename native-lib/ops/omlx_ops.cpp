#include "omlx_ops.h"

#include "attention.h"
#include "rows.h"

#include "mlx/allocator.h"
#include "mlx/backend/cpu/encoder.h"
#include "mlx/c/error.h"
#include "mlx/c/private/array.h"
#include "mlx/c/private/stream.h"
#include "mlx/ops.h"
#include "mlx/primitives.h"

#include <functional>

#define EXPORT extern "C" __attribute__((visibility("default")))

extern "C" int omlx_blas_threads(void);

namespace {

using mlx::core::array;
using mlx::core::Shape;

/* Fills out from the inputs, with so many threads. */
using Kernel = std::function<void(const std::vector<array> &inputs, array &out, int threads)>;

void require(bool held, const char *operation, const char *what) {
    if (!held) {
        throw std::invalid_argument(std::string("[") + operation + "] " + what);
    }
}

/* In MLX's graph; its kernel runs on the stream's thread. */
class Operation : public mlx::core::UnaryPrimitive {
  public:
    Operation(mlx::core::Stream stream, const char *title, Kernel kernel)
        : UnaryPrimitive(stream), title(title), kernel(std::move(kernel)) {}

    void eval_cpu(const std::vector<array> &inputs, array &out) override {
        out.set_data(mlx::core::allocator::malloc(out.nbytes()));
        auto &encoder = mlx::core::cpu::get_command_encoder(stream());
        std::vector<array> held;
        for (const array &input : inputs) {
            require(input.strides(-1) == 1 || input.shape(-1) == 1, title, "the last dimension has to be dense");
            encoder.set_input_array(input);
            held.push_back(array::unsafe_weak_copy(input));
        }
        encoder.set_output_array(out);
        encoder.dispatch([kernel = kernel, held = std::move(held), out = array::unsafe_weak_copy(out)]() mutable {
            kernel(held, out, omlx_blas_threads());
        });
    }

    void eval_gpu(const std::vector<array> &, array &) override {
        throw std::runtime_error(std::string("[") + title + "] has no GPU kernel");
    }

    const char *name() const override {
        return title;
    }

  private:
    const char *title;
    Kernel kernel;
};

int build(
    mlx_array *res, const char *title, Shape shape, std::vector<array> inputs, const mlx_stream stream, Kernel kernel) {
    for (const array &input : inputs) {
        require(input.dtype() == mlx::core::float32, title, "everything has to be float32");
        require(input.size() > 0, title, "nothing must be empty");
    }
    auto operation = std::make_shared<Operation>(mlx_stream_get_(stream), title, std::move(kernel));
    mlx_array_set_(*res, array(std::move(shape), mlx::core::float32, std::move(operation), std::move(inputs)));
    return 0;
}

int failed(const std::exception &e) {
    mlx_error("%s", e.what());
    return 1;
}

Rows rows(const array &x) {
    return {x.data<float>(), x.strides(0), x.strides(1), x.strides(2)};
}

array dense(const mlx_array x, const mlx_stream stream) {
    return mlx::core::contiguous(mlx_array_get_(x), false, mlx_stream_get_(stream));
}

void check_attention(
    const char *title, const array &q, const array &k, const array &v, const std::vector<int> &ends, int window) {
    for (const array *each : {&q, &k, &v}) {
        require(each->ndim() == 4, title, "queries, keys and values have to have four dimensions");
    }
    require(k.shape(0) == q.shape(0) && v.shape(0) == q.shape(0), title, "the batch sizes differ");
    require(k.shape(1) == v.shape(1), title, "the heads do not fit");
    require(k.shape(1) > 0 && q.shape(1) % k.shape(1) == 0, title, "the heads do not fit");
    require(k.shape(2) == v.shape(2) && k.shape(3) == q.shape(3), title, "keys do not fit the queries or the values");
    require(ends.size() == static_cast<size_t>(q.shape(0)), title, "there has to be one end a sequence");
    require(window >= 0, title, "the window must not be negative");
    for (int end : ends) {
        require(
            end >= q.shape(2) && end <= k.shape(2), title,
            "an end is less than the queries or more than the positions");
    }
}

} // namespace

EXPORT int omlx_attention(
    mlx_array *res, const mlx_array queries, const mlx_array keys, const mlx_array values, const int *ends,
    size_t ends_num, int window, float scale, const mlx_stream s) {
    try {
        const char *title = "omlx_attention";
        const array &q = mlx_array_get_(queries);
        const array &k = mlx_array_get_(keys);
        const array &v = mlx_array_get_(values);
        std::vector<int> seen(ends, ends + ends_num);
        check_attention(title, q, k, v, seen, window);
        Shape shape{q.shape(0) * q.shape(2), q.shape(1) * v.shape(3)};
        return build(res, title, shape, {q, k, v}, s, [=](const std::vector<array> &in, array &out, int threads) {
            const array &q = in[0], &k = in[1], &v = in[2];
            Attention attention{
                q.shape(0), q.shape(1), k.shape(1), q.shape(2), q.shape(3), v.shape(3),       seen.data(),
                window,     scale,      rows(q),    rows(k),    rows(v),    out.data<float>()};
            attend(attention, threads);
        });
    } catch (std::exception &e) {
        return failed(e);
    }
}

EXPORT int omlx_rms_norm(mlx_array *res, const mlx_array x, const mlx_array weight, float eps, const mlx_stream s) {
    try {
        const char *title = "omlx_rms_norm";
        array input = dense(x, s);
        array w = dense(weight, s);
        require(input.ndim() > 0 && w.ndim() == 1, title, "x has to have dimensions, and the weight one");
        require(input.shape(-1) == w.shape(0), title, "the weight does not fit x");
        return build(res, title, input.shape(), {input, w}, s, [=](const std::vector<array> &in, array &out, int threads) {
            int size = in[1].shape(0);
            RmsNorm norm{in[0].data<float>(), in[1].data<float>(), eps, out.data<float>(),
                         static_cast<int>(out.size() / size), size};
            rms_norm(norm, threads);
        });
    } catch (std::exception &e) {
        return failed(e);
    }
}

EXPORT int omlx_silu_product(mlx_array *res, const mlx_array gate, const mlx_array up, const mlx_stream s) {
    try {
        const char *title = "omlx_silu_product";
        array g = dense(gate, s);
        array u = dense(up, s);
        require(g.shape() == u.shape(), title, "the shapes differ");
        return build(res, title, g.shape(), {g, u}, s, [=](const std::vector<array> &in, array &out, int threads) {
            SiluProduct product{
                in[0].data<float>(), in[1].data<float>(), out.data<float>(), static_cast<long>(out.size())};
            silu_product(product, threads);
        });
    } catch (std::exception &e) {
        return failed(e);
    }
}

EXPORT int omlx_rope(
    mlx_array *res, const mlx_array x, const mlx_array cosines, const mlx_array sines, bool interleaved,
    const mlx_stream s) {
    try {
        const char *title = "omlx_rope";
        array input = dense(x, s);
        array cosine = dense(cosines, s);
        array sine = dense(sines, s);
        require(input.ndim() == 4 && input.shape(2) == 1, title, "x has to be [rows, heads, 1, dim]");
        require(cosine.shape() == sine.shape(), title, "cosines and sines differ");
        require(cosine.ndim() == 2 && cosine.shape(0) == input.shape(0), title, "they have to be [rows, pairs]");
        require(2 * cosine.shape(1) <= input.shape(3), title, "there are more pairs than dimensions");
        return build(
            res, title, input.shape(), {input, cosine, sine}, s,
            [=](const std::vector<array> &in, array &out, int threads) {
                Rotation rotation{in[0].data<float>(), in[1].data<float>(), in[2].data<float>(), out.data<float>(),
                                  out.shape(0),        out.shape(1),        out.shape(3),        in[1].shape(1),
                                  interleaved};
                rotate(rotation, threads);
            });
    } catch (std::exception &e) {
        return failed(e);
    }
}
