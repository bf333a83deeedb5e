package dev.omlx.engine.config;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * How much memory MLX may take.
 *
 * @param max weights, KV cache and all else together; by default three quarters of the machine's memory
 */
@ConfigurationProperties("omlx.memory")
public record MemoryProperties(@Nullable DataSize max) {
    private static final double DEFAULT_SHARE = 0.75;

    long maxBytes() {
        if (max != null) {
            return max.toBytes();
        }
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return (long) (machine.getTotalMemorySize() * DEFAULT_SHARE);
    }
}
