package dev.omlx.engine.config;

import dev.omlx.sched.Mebibytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * How much memory MLX may take: weights, KV cache and all else together.
 *
 * @param max a size such as 48GB, or a share of the machine's memory such as 80%, at most 100%; by default what the tier says
 * @param memoryGuardTier how much of the machine's memory stays free for others; by default a quarter of it
 * @param memoryGuardCustomCeilingGb what the tier custom lets MLX take, in GB
 */
@ConfigurationProperties("omlx.memory")
public record MemoryProperties(
        @Nullable MemorySize max,
        @Nullable Tier memoryGuardTier,
        @Nullable Double memoryGuardCustomCeilingGb) {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryProperties.class);

    private static final double DEFAULT_SHARE = 0.75;
    private static final DataSize SMALL_MACHINE = DataSize.ofGigabytes(16);
    private static final DataSize SMALL_RESERVE = DataSize.ofGigabytes(4);

    /** How careful to be, named by what stays free of a machine's memory. */
    public enum Tier {
        /** 12 GB. */
        SAFE(12),
        /** 8 GB. */
        BALANCED(8),
        /** 6 GB. */
        AGGRESSIVE(6),
        /** All but the ceiling that is set beside it. */
        CUSTOM(0);

        private final long reserveBytes;

        Tier(int gigabytes) {
            reserveBytes = DataSize.ofGigabytes(gigabytes).toBytes();
        }

        /** What stays free: less on a small machine, and never more than half of it. */
        long reserve(long machineBytes) {
            long wanted = machineBytes < SMALL_MACHINE.toBytes() ? SMALL_RESERVE.toBytes() : reserveBytes;
            return Math.min(wanted, machineBytes / 2);
        }
    }

    public MemoryProperties {
        if (memoryGuardTier == Tier.CUSTOM && memoryGuardCustomCeilingGb == null) {
            throw new IllegalArgumentException(
                    "omlx.memory.memory-guard-tier is custom, which needs omlx.memory.memory-guard-custom-ceiling-gb");
        }
        if (memoryGuardTier != Tier.CUSTOM && memoryGuardCustomCeilingGb != null) {
            throw new IllegalArgumentException("omlx.memory.memory-guard-custom-ceiling-gb is "
                    + memoryGuardCustomCeilingGb + ", which counts only with omlx.memory.memory-guard-tier=custom");
        }
        if (memoryGuardCustomCeilingGb != null
                && !(memoryGuardCustomCeilingGb > 0 && Double.isFinite(memoryGuardCustomCeilingGb))) {
            throw new IllegalArgumentException("omlx.memory.memory-guard-custom-ceiling-gb is "
                    + memoryGuardCustomCeilingGb + ", but must be above zero and finite");
        }
    }

    static MemoryProperties defaults() {
        return new MemoryProperties(null, null, null);
    }

    /** The most that MLX may hold on that machine, in bytes; says so if that is less than what was asked for. */
    long ceiling(MachineMemory machine) {
        long wanted = wanted(machine.bytes());
        long most = Math.min(machine.bytes(), machine.gpuBytes().orElse(Long.MAX_VALUE));
        if (wanted <= most) {
            return wanted;
        }
        if (max != null || memoryGuardTier == Tier.CUSTOM) {
            Mebibytes sizes = new Mebibytes(wanted, most);
            LOG.warn(
                    "omlx.memory.{} asks for {}, but this machine has {} for MLX: that is the ceiling",
                    max != null ? "max" : "memory-guard-custom-ceiling-gb",
                    sizes.of(wanted),
                    sizes.of(most));
        }
        return most;
    }

    private long wanted(long machineBytes) {
        if (max != null) {
            return max.of(machineBytes);
        }
        if (memoryGuardTier == null) {
            return (long) (machineBytes * DEFAULT_SHARE);
        }
        return memoryGuardCustomCeilingGb == null
                ? machineBytes - memoryGuardTier.reserve(machineBytes)
                : (long) (memoryGuardCustomCeilingGb * DataSize.ofGigabytes(1).toBytes());
    }
}
