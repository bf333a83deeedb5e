package dev.omlx.mlx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Frees, when closed, every tensor made on its thread while it was the innermost scope, unless the tensor was
 * {@linkplain Tensor#keep() kept}. Scopes nest; they belong to the thread that opened them and close in reverse order.
 * A step of the engine is one scope.
 */
public final class TensorScope implements AutoCloseable {
    private final MlxThread thread;
    private final @Nullable TensorScope outer;
    private final List<Tensor> tensors = new ArrayList<>();

    private TensorScope(MlxThread thread) {
        this.thread = thread;
        this.outer = thread.innermost();
    }

    /** Opens a scope on this thread. */
    public static TensorScope open() {
        MlxThread thread = MlxThread.current();
        TensorScope scope = new TensorScope(thread);
        thread.innermost(scope);
        return scope;
    }

    /** The innermost scope of this thread. */
    public static TensorScope innermost() {
        return MlxThread.current().scope();
    }

    /** Frees all that is made on the way to the result, which belongs to the scope around. */
    public static Tensor resultOf(Supplier<Tensor> computation) {
        TensorScope around = innermost();
        try (TensorScope scope = open()) {
            Tensor result = computation.get();
            result.moveTo(around);
            return result;
        }
    }

    /** What is made belongs to this scope, though others are open inside it. */
    public <T> T make(Supplier<T> maker) {
        TensorScope innermost = thread.innermost();
        thread.innermost(this);
        try {
            return maker.get();
        } finally {
            thread.innermost(innermost);
        }
    }

    void add(Tensor tensor) {
        tensors.add(tensor);
    }

    /** Frees what is left in it. */
    @Override
    public void close() {
        if (MlxThread.current() != thread || thread.innermost() != this) {
            throw new IllegalStateException("a TensorScope closes on its own thread, the innermost first");
        }
        thread.innermost(outer);
        for (Tensor tensor : tensors) {
            tensor.closeIfIn(this);
        }
        tensors.clear();
    }
}
