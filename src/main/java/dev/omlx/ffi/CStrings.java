package dev.omlx.ffi;

import java.lang.foreign.MemorySegment;

/** Reads C strings (UTF-8, ended by a zero byte). */
public final class CStrings {

    private CStrings() {}

    /** The string at an address; an empty one at null. */
    @SuppressWarnings("restricted")
    public static String read(long address) {
        return address == 0
                ? ""
                : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }
}
