package dev.omlx.mlx;

import dev.omlx.ffi.gen.MlxArray;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Copies between tensors and the Java side. */
final class Host {
    private Host() {}

    static Tensor copyIn(MemorySegment data, DType dtype, int... shape) {
        long bytes = dtype.bytes();
        for (int size : shape) {
            bytes = Math.multiplyExact(bytes, size);
        }
        if (bytes != data.byteSize()) {
            throw new IllegalArgumentException("a " + dtype + " tensor of shape " + Arrays.toString(shape) + " takes "
                    + bytes + " bytes, not " + data.byteSize());
        }
        MlxThread thread = MlxThread.current();
        thread.scope();
        thread.out();
        long sizes = thread.ints(shape);
        if (data.isNative()) {
            return thread.adopt(MlxArray.mlx_array_new_data(data.address(), sizes, shape.length, dtype.code()));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(bytes, 1), 16);
            MemorySegment.copy(data, 0, copy, 0, bytes);
            return thread.adopt(MlxArray.mlx_array_new_data(copy.address(), sizes, shape.length, dtype.code()));
        }
    }

    static Tensor scalar(double value, DType dtype) {
        return switch (dtype) {
            case BOOL, INT8, UINT8 -> copyIn(MemorySegment.ofArray(new byte[] {(byte) value}), dtype);
            case INT16, UINT16 -> copyIn(MemorySegment.ofArray(new short[] {(short) value}), dtype);
            case INT32 -> copyIn(MemorySegment.ofArray(new int[] {(int) value}), dtype);
            case UINT32 -> copyIn(MemorySegment.ofArray(new int[] {(int) (long) value}), dtype);
            case INT64, UINT64 -> copyIn(MemorySegment.ofArray(new long[] {(long) value}), dtype);
            case FLOAT16 -> copyIn(MemorySegment.ofArray(new short[] {Float.floatToFloat16((float) value)}), dtype);
            case BFLOAT16 -> copyIn(MemorySegment.ofArray(new short[] {toBfloat16((float) value)}), dtype);
            case FLOAT32 -> copyIn(MemorySegment.ofArray(new float[] {(float) value}), dtype);
            case FLOAT64 -> copyIn(MemorySegment.ofArray(new double[] {value}), dtype);
            case COMPLEX64 -> copyIn(MemorySegment.ofArray(new float[] {(float) value, 0}), dtype);
        };
    }

    /** Rounds to nearest, ties to even. */
    private static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return Float.isNaN(value) ? 0x7fc0 : (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    /** The tensor's elements in row-major order; computes it. Valid as long as the tensor and the open scope are. */
    static MemorySegment data(Tensor tensor) {
        Tensor rows = Ops.contiguous(tensor).eval();
        if (rows.size() == 0) {
            return MemorySegment.NULL;
        }
        // MLX has one accessor an element type, and all return the same address
        long address = MlxArray.mlx_array_data_uint8(rows.handle(MlxThread.current()));
        return MemorySegment.ofAddress(address).reinterpret(rows.byteSize());
    }
}
