package dev.omlx.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.engine.config.MemoryProperties.Tier;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The ceiling that follows from settings and machine. */
class MemoryPropertiesTests {
    private static final long GB = 1L << 30;

    private static MachineMemory machine(double gigabytes) {
        return new MachineMemory((long) (gigabytes * GB), OptionalLong.empty());
    }

    private static MemoryProperties max(String text) {
        return new MemoryProperties(MemorySize.valueOf(text), null, null);
    }

    private static MemoryProperties tier(@Nullable Tier tier, @Nullable Double ceiling) {
        return new MemoryProperties(null, tier, ceiling);
    }

    @Test
    void threeQuartersWithoutAnySetting() {
        assertThat(MemoryProperties.defaults().ceiling(machine(64))).isEqualTo(48 * GB);
    }

    @ParameterizedTest
    @CsvSource({
        "6GB, 6442450944",
        "512MB, 536870912",
        "512mb, 536870912",
        " 512MB , 536870912",
        "1048576, 1048576",
        "64KB, 65536",
        "50%, 17179869184",
        "12.5%, 4294967296",
        "100%, 34359738368",
        "1TB, 34359738368"
    })
    void takesSizesAndShares(String text, long bytes) {
        assertThat(max(text).ceiling(machine(32))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "0", "0%", "-1GB", "-5%", "101%", "NaN%", "6XB", "six", "1.5GB", "80 percent"})
    void namesWhatIsNoAmount(String text) {
        assertThatThrownBy(() -> MemorySize.valueOf(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("80%, at most 100%");
    }

    @ParameterizedTest
    @CsvSource({
        "SAFE,       64,  52",
        "BALANCED,   64,  56",
        "AGGRESSIVE, 64,  58",
        "SAFE,       16,   8",
        "BALANCED,   16,   8",
        "AGGRESSIVE, 16,  10",
        "SAFE,        8,   4",
        "AGGRESSIVE, 12,   8",
        "BALANCED,    6,   3",
        "SAFE,       18,   9"
    })
    void tiersLeaveAReserve(Tier tier, double machine, double ceiling) {
        assertThat(tier(tier, null).ceiling(machine(machine))).isEqualTo((long) (ceiling * GB));
    }

    @Test
    void customTakesItsOwnCeiling() {
        assertThat(tier(Tier.CUSTOM, 20.5).ceiling(machine(64))).isEqualTo((long) (20.5 * GB));
        assertThat(tier(Tier.CUSTOM, 100.0).ceiling(machine(64))).isEqualTo(64 * GB);
        assertThatThrownBy(() -> tier(Tier.CUSTOM, null)).hasMessageContaining("memory-guard-custom-ceiling-gb");
        assertThatThrownBy(() -> tier(Tier.CUSTOM, 0.0)).hasMessageContaining("is 0.0");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CUSTOM")
    @NullSource
    void theCustomCeilingNeedsItsTier(@Nullable Tier tier) {
        assertThatThrownBy(() -> tier(tier, 20.0))
                .hasMessageContaining("memory-guard-custom-ceiling-gb is 20.0")
                .hasMessageContaining("memory-guard-tier=custom");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void saysOnceThatThereIsLessThanWasAskedFor(CapturedOutput output) {
        assertThat(max("32GB").ceiling(machine(32))).isEqualTo(32 * GB);
        assertThat(MemoryProperties.defaults().ceiling(machine(32))).isEqualTo(24 * GB);
        assertThat(output).doesNotContain("WARN");

        max("40GB").ceiling(machine(32));
        assertThat(output.getAll().lines().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains("omlx.memory.max asks for 40960 MiB, but this machine has 32768 MiB");
        tier(Tier.CUSTOM, 100.0).ceiling(machine(64));
        assertThat(output).contains("ceiling-gb asks for 102400 MiB, but this machine has 65536 MiB");
    }

    @Test
    void maxWinsOverTheTier() {
        MemoryProperties both = new MemoryProperties(MemorySize.valueOf("2GB"), Tier.SAFE, null);
        assertThat(both.ceiling(machine(64))).isEqualTo(2 * GB);
    }

    @Test
    void nothingExceedsWhatTheGpuMayWire() {
        MachineMemory mac = MachineMemory.of(
                64 * GB,
                OptionalLong.empty(),
                name -> Optional.of(name.equals("iogpu.wired_limit_mb") ? "40960\n" : ""));
        assertThat(mac.gpuBytes()).hasValue(40 * GB);
        assertThat(max("60GB").ceiling(mac)).isEqualTo(40 * GB);
        assertThat(max("30GB").ceiling(mac)).isEqualTo(30 * GB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0\n", "", "unknown oid 'iogpu.wired_limit_mb'", "-1"})
    void aMacWithoutAWiredLimitHasNone(String answer) {
        assertThat(MachineMemory.of(GB, OptionalLong.empty(), name -> Optional.of(answer))
                        .gpuBytes())
                .isEmpty();
    }

    @Test
    void theContainerCountsAsTheMachine() {
        MachineMemory contained = MachineMemory.of(64 * GB, OptionalLong.of(8 * GB), name -> Optional.empty());
        assertThat(MemoryProperties.defaults().ceiling(contained)).isEqualTo(6 * GB);
        assertThat(MachineMemory.of(64 * GB, OptionalLong.of(Long.MAX_VALUE), name -> Optional.empty())
                        .bytes())
                .isEqualTo(64 * GB);
    }

    @Test
    void thisMachineHasSome() {
        assertThat(MachineMemory.read().bytes()).isGreaterThan(GB / 4);
    }

    @Test
    void bindsFromConfiguration() {
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .withPropertyValues("omlx.memory.max=25%", "omlx.memory.memory-guard-tier=safe")
                .run(context -> assertThat(
                                context.getBean(MemoryProperties.class).ceiling(machine(8)))
                        .isEqualTo(2 * GB));
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .withPropertyValues("omlx.memory.max=plenty")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("plenty"));
    }

    @EnableConfigurationProperties(MemoryProperties.class)
    static class Bound {}
}
