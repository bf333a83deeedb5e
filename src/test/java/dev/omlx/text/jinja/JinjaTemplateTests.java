package dev.omlx.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.omlx.text.jinja.JinjaException.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JinjaTemplateTests {
    private static final RenderOptions OPTIONS = RenderOptions.defaults();

    private static String render(String source, Map<String, ?> context) {
        return JinjaTemplate.compile(source).render(context, OPTIONS);
    }

    private static JinjaException failure(String source, Map<String, ?> context) {
        return assertThrows(JinjaException.class, () -> render(source, context));
    }

    @Test
    void rendersAConversation() {
        String source = """
                {%- for message in messages %}
                    {{- '<|' + message.role + '|>\\n' + message.content | trim + '\\n' }}
                {%- endfor %}
                {%- if add_generation_prompt %}
                    {{- '<|assistant|>\\n' }}
                {%- endif %}
                """;
        var context = Map.of(
                "messages",
                List.of(
                        Map.of("role", "system", "content", "Be brief. "),
                        Map.of("role", "user", "content", "Grüße 🌍")),
                "add_generation_prompt",
                true);

        assertThat(render(source, context)).isEqualTo("<|system|>\nBe brief.\n<|user|>\nGrüße 🌍\n<|assistant|>\n");
    }

    @Test
    void takesEveryKindOfContextValue() {
        Map<String, Object> context = new LinkedHashMap<>();
        context.put("nothing", null);
        context.put("text", "t");
        context.put("flag", true);
        context.put("whole", 1);
        context.put("long", 1L << 40);
        context.put("big", BigInteger.TEN.pow(30));
        context.put("real", 0.5);
        context.put("decimal", new BigDecimal("0.1"));
        context.put("list", new ArrayList<>(Collections.singletonList(null)));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("a", List.of());
        context.put("map", map);

        assertThat(render("{{ [nothing, text, flag, whole, long, big, real, decimal, list, map] }}", context))
                .isEqualTo("[None, 't', True, 1, 1099511627776, 1000000000000000000000000000000, 0.5, 0.1, [None],"
                        + " {'z': 1, 'a': []}]");
    }

    @Test
    void refusesOtherContextValuesByName() {
        Map<String, Object> context = Map.of("data", Map.of("thread", new Thread()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> render("{{ data }}", context))
                .withMessageContaining("'thread'")
                .withMessageContaining("java.lang.Thread");
    }

    @Test
    void readsOnlyTheVariablesThatTheTemplateNames() {
        assertThat(render("{{ a }}", Map.of("a", 1, "unused", new Object()))).isEqualTo("1");
    }

    @Test
    void leavesTheContextAsItIs() {
        List<Object> list = new ArrayList<>(List.of(3, 1, 2));

        assertThat(render("{% set list = list|sort %}{{ list }}", Map.of("list", list)))
                .isEqualTo("[1, 2, 3]");
        assertThat(list).containsExactly(3, 1, 2);
    }

    @Test
    void tellsTheTemplatesOwnRefusalFromOtherFailures() {
        String source = "{% for m in messages %}\n{{ raise_exception('Only ' ~ m ~ ' roles') }}\n{% endfor %}";

        JinjaException failure = failure(source, Map.of("messages", List.of("two")));

        assertThat(failure.kind()).isEqualTo(Kind.RAISED);
        assertThat(failure).hasMessage("Only two roles");
        assertThat(failure.line()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '~', textBlock = """
                    a\\n\\n{{ 1 + }} ; SYNTAX ; 3
                    {% if x %}\\n{% for %} ; SYNTAX ; 2
                    {% if x %}a ; SYNTAX ; 1
                    {% endif %} ; SYNTAX ; 1
                    \\n{{ "a }} ; SYNTAX ; 2
                    \\n{# a ; SYNTAX ; 2
                    {% include "x" %} ; SYNTAX ; 1
                    {{ 1|nosuch }} ; SYNTAX ; 1
                    {{ 1 is nosuch }} ; SYNTAX ; 1
                    {% break %} ; SYNTAX ; 1
                    {{ s }}\\n{{ 1 + "a" }} ; RUNTIME ; 2
                    \\n{{ nothing.at.all }} ; RUNTIME ; 2
                    {% if true %}\\n{% set x = 1 / 0 %}\\n{% endif %} ; RUNTIME ; 2
                    {% macro m() %}\\n{{ 1/0 }}{% endmacro %}\\n{{ m() }} ; RUNTIME ; 2
                    {% for x in\\n 5 %}{% endfor %} ; RUNTIME ; 1
                    \\n\\n{{ range(10)|list|join(1)|nope if true }} ; RUNTIME ; 3
                    """)
    void namesTheLineOfAFailure(String source, Kind kind, int line) {
        JinjaException failure = failure(source.replace("\\n", "\n"), Map.of());

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.line()).isEqualTo(line);
        assertThat(failure.getMessage()).isNotBlank();
    }

    @Test
    void readsTheClockInItsZone() {
        RenderOptions options =
                OPTIONS.withClock(Clock.fixed(Instant.parse("2026-12-31T23:30:00Z"), ZoneId.of("Europe/Berlin")));

        assertThat(JinjaTemplate.compile("{{ strftime_now('%d %B %Y %H:%M') }}").render(Map.of(), options))
                .isEqualTo("01 January 2027 00:30");
    }

    @Test
    void returnsTheFixedNowWhateverTheFormat() {
        assertThat(JinjaTemplate.compile("{{ strftime_now('%H') }}").render(Map.of(), OPTIONS.withFixedNow("today")))
                .isEqualTo("today");
    }

    @Test
    void variablesShadowGlobals() {
        assertThat(render("{{ range }}{{ dict is callable }}", Map.of("range", 7)))
                .isEqualTo("7True");
    }

    @Test
    void reachesNoJavaObjects() {
        assertThat(render(
                        "{{ s.__class__ }}{{ s.getClass }}{{ s['class'] }}{{ l.stream }}",
                        Map.of("s", "", "l", List.of())))
                .isEmpty();
        assertThatExceptionOfType(JinjaException.class).isThrownBy(() -> render("{{ s.getClass() }}", Map.of("s", "")));
    }

    @Test
    void rendersFromManyThreadsAtOnce() throws Exception {
        JinjaTemplate template =
                JinjaTemplate.compile("{% set ns = namespace(n=0) %}{% macro m(x) %}{{ x * 2 }}{% endmacro %}"
                        + "{% for i in range(count) %}{% set ns.n = ns.n + m(i)|int %}{% endfor %}{{ ns.n }}");
        List<Callable<String>> tasks = IntStream.range(0, 200)
                .<Callable<String>>mapToObj(i -> () -> template.render(Map.of("count", i), OPTIONS))
                .toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = threads.invokeAll(tasks);
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i).get()).isEqualTo(String.valueOf(i * (i - 1)));
            }
        }
    }
}
