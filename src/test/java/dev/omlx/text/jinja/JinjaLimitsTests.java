package dev.omlx.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.omlx.text.jinja.JinjaException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JinjaLimitsTests {
    /** Far above what the limits allow on a slow, busy machine, far below what the work would take without them. */
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final int MANY = 50_000;

    private static JinjaException failure(String source) {
        return assertTimeoutPreemptively(
                SOON,
                () -> assertThrows(
                        JinjaException.class,
                        () -> JinjaTemplate.compile(source).render(Map.of(), RenderOptions.defaults())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
                "{% for i in range(100000) %}{% for j in range(100000) %}{{ j }}{% endfor %}{% endfor %}",
                "{% set ns = namespace(x='a') %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
                "{% set ns = namespace(x=[1]) %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
                "{% set ns = namespace(x=9) %}{% for i in range(99) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
                "{{ 'a' * 1000000000 }}",
                "{{ [1] * 1000000000 }}",
                "{{ 10 ** 100000000 }}",
                "{{ 'a'.ljust(1000000000) }}",
                "{{ '%1000000000d' % 1 }}",
                "{{ '{:1000000000}'.format(1) }}",
                "{{ '%.1000000f' % 1.5 }}",
                "{{ range(100001) }}",
                "{{ range(2 ** 62) }}",
                "{% set x = 'ab' * 8000000 %}{% for i in range(100000) %}{{ x in x }}{% endfor %}",
                "{% set x = 'ab' * 4000000 %}{% for i in range(99) %}{{ ('a' * 3000000 + 'c') in x }}{% endfor %}",
                "{% set x = ['ab' * 4000000 + 'c'] * 100000 %}{{ x | sort }}",
                "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x == [ns.x] }}{{ ns.x }}",
                "{% set ns = namespace(x=(1,)) %}{% for i in range(60) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ ns.x in {} }}",
                "{% set ns = namespace(l=[]) %}{% for i in range(100000) %}{% set ns.l = ns.l + [i] %}{% endfor %}",
            })
    void stopsWorkThatGrowsWithoutBound(String source) {
        assertThat(failure(source).kind()).isEqualTo(Kind.LIMIT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
                "{% macro m(n) %}{% for x in [n] %}{% if x is defined %}{% set y = m(n + 1) | upper %}{% endif %}{% endfor %}{% endmacro %}{{ m(0) }}",
                "{% for x in [1] recursive %}{{ loop([x]) }}{% endfor %}",
                "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
                "{% set ns = namespace(x=[]) %}{% for i in range(9000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
                "{% set ns = namespace(x=[]) %}{% for i in range(9000) %}{% set ns.x = {'k': ns.x} %}{% endfor %}{{ ns.x | tojson }}",
                "{% set ns = namespace(x=[1]) %}{% for i in range(9000) %}{% set ns.x = ns.x | map('string') %}{% endfor %}{{ ns.x | list }}",
            })
    void stopsEndlessNesting(String source) {
        assertThat(failure(source).kind()).isEqualTo(Kind.LIMIT);
    }

    static Stream<String> deepSources() {
        return Stream.of(
                "{{ " + "(".repeat(MANY) + "1" + ")".repeat(MANY) + " }}",
                "{{ " + "[".repeat(MANY) + "]".repeat(MANY) + " }}",
                "{{ " + "{1:".repeat(MANY) + "1" + "}".repeat(MANY) + " }}",
                "{{ " + "not ".repeat(MANY) + "1 }}",
                "{{ " + "-".repeat(MANY) + "1 }}",
                "{{ 1" + " + 1".repeat(MANY) + " }}",
                "{{ 1" + " or 1".repeat(MANY) + " }}",
                "{{ 1" + " if 1".repeat(MANY) + " }}",
                "{{ " + "1 if 0 else ".repeat(MANY) + "1 }}",
                "{{ 1" + "|abs".repeat(MANY) + " }}",
                "{{ a" + ".b".repeat(MANY) + " }}",
                "{{ a" + "[0]".repeat(MANY) + " }}",
                "{{ a" + "()".repeat(MANY) + " }}",
                "{% if 1 %}".repeat(MANY) + "{% endif %}".repeat(MANY),
                "{% for x in y %}".repeat(MANY / 2) + "{% endfor %}".repeat(MANY / 2),
                "{% set " + "(".repeat(MANY) + "x" + ")".repeat(MANY) + " = 1 %}",
                "a".repeat(2_000_000));
    }

    @ParameterizedTest
    @MethodSource("deepSources")
    void refusesDeepSources(String source) {
        assertThat(failure(source).kind()).isEqualTo(Kind.LIMIT);
    }

    @Test
    void rendersLongFlatSources() {
        String source = "{% if false %}" + "{% elif false %}a".repeat(2_000) + "{% endif %}" + "{{ 'a'"
                + " ~ 'b'".repeat(2_000) + " }}";

        assertThat(JinjaTemplate.compile(source).render(Map.of(), RenderOptions.defaults()))
                .hasSize(2_001);
    }

    @Test
    void rendersMacrosThatNestAsDeeplyAsSchemasDo() {
        String source = "{% macro m(n) %}{% if n > 0 %}{% for x in [1] %}[{{ m(n - 1) }}]{% endfor %}{% endif %}"
                + "{% endmacro %}{{ m(40) }}";

        assertThat(JinjaTemplate.compile(source).render(Map.of(), RenderOptions.defaults()))
                .isEqualTo("[".repeat(40) + "]".repeat(40));
    }

    @Test
    void failsCleanlyOnASmallStack() throws InterruptedException {
        List<Throwable> thrown = new ArrayList<>();
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        JinjaTemplate.compile("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}")
                                .render(Map.of(), RenderOptions.defaults());
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                },
                "small stack",
                200 * 1024);
        thread.start();
        thread.join();

        assertThat(thrown)
                .singleElement()
                .isInstanceOfSatisfying(
                        JinjaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT));
    }

    @Test
    void refusesDeepData() {
        Object data = "leaf";
        for (int i = 0; i < 2_000; i++) {
            data = List.of(data);
        }
        Map<String, Object> context = Map.of("data", data);

        assertThatLimit(() -> JinjaTemplate.compile("{{ data }}").render(context, RenderOptions.defaults()));
    }

    @Test
    void obeysTheCallersLimits() {
        JinjaTemplate template = JinjaTemplate.compile("{% for i in range(100) %}{{ i }}{% endfor %}");

        assertThat(template.render(Map.of(), RenderOptions.defaults().withLimits(2_000, 190)))
                .hasSize(190);
        assertThatLimit(() -> template.render(Map.of(), RenderOptions.defaults().withLimits(2_000, 189)));
        assertThatLimit(() -> template.render(Map.of(), RenderOptions.defaults().withLimits(200, 190)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RenderOptions.defaults().withLimits(0, 1));
    }

    private static void assertThatLimit(Executable rendering) {
        assertThat(assertThrows(JinjaException.class, rendering).kind()).isEqualTo(Kind.LIMIT);
    }
}
