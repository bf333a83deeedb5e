package dev.omlx.text.jinja;

import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the source, nothing but a {@link JinjaException} comes out. */
class JinjaFuzzTests {
    private static final int MUTANTS = 4_000;

    private static final List<String> SEEDS = List.of(
            "{% for m in messages if m.role != 'x' %}{{ loop.index }}{{ m['content'][1:-1] | trim }}{% else %}-{% endfor %}",
            "{%- macro f(a, b=2, *c) -%}{{ caller() ~ kwargs }}{% endmacro %}{% call(x) f(1, b=3) %}{{ x }}{% endcall %}",
            "{% macro f(a, b=[1, 2]) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, *[2], **{'c': 3}) }}",
            "{% set ns = namespace(n=0) %}{% set ns.n, y = 1, 'é🌍' %}{{ ns.n // 2 ** -1 % 3 }}{{ y[::-1] }}",
            "{% raw %}{{ x }}{% endraw %}{# c #}{% set x | upper %}a{% endset %}{{ x is string and not x is none }}",
            "{{ {'a': [1, 2.5, none], 'b': (true,)} | tojson(indent=2) }}{{ '%5.2f|%s' % (1.5, 'a') }}{{ '{:>5}'.format(3) }}",
            "{% if a is defined and a in [1] %}x{% elif n > 1 %}{{ 'a' if n else 'b' }}{% else %}y{% endif %}",
            "{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | join(', ') | indent(2) }}",
            "{% with a = 1, b = range(3) %}{% for x in b recursive %}{{ loop([]) }}{% break %}{% endfor %}{% endwith %}",
            "{% filter replace('a', 'b') %}{% generation %}{{ strftime_now('%Y') }}{% endgeneration %}{% endfilter %}");

    private static final List<String> FRAGMENTS = List.of(
            "{{",
            "}}",
            "{%",
            "%}",
            "{#",
            "#}",
            "-",
            "+",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "'",
            "\"",
            "\\",
            "|",
            ".",
            ",",
            ":",
            "=",
            "==",
            "~",
            "*",
            "**",
            "//",
            "%",
            "<",
            "in",
            "is",
            "not",
            "if",
            "else",
            "for",
            "endfor",
            "set",
            "endset",
            "macro",
            "loop",
            "x",
            "0",
            "1e999",
            "99999999999999999999",
            "1.5",
            "none",
            "messages",
            "n",
            "|list",
            "|first",
            "|tojson",
            "|map('upper')",
            "|sort",
            "|unique",
            "|batch(0)",
            "|slice(0)",
            "|round(400)",
            "|truncate(-1)",
            "|int(base=99)",
            ".split()",
            ".format(",
            ".items()",
            ".count('')",
            "[-1]",
            "[::0]",
            "[n:]",
            "range(",
            "dict(",
            "namespace(",
            "cycler(",
            "\n",
            "\u2028",
            "é",
            "🌍",
            "\ud83d",
            "\0",
            "{% raw %}",
            "{% endraw %}",
            "{% break %}",
            "%s",
            "%(a)d",
            "%*d",
            "{0[a].b!r:>{1}}",
            "|center(99)",
            "|urlencode",
            "|filesizeformat",
            "|dictsort",
            "|xmlattr",
            "|groupby('role')",
            "|striptags",
            "|sum",
            "|min");

    private static final Map<String, ?> CONTEXT = Map.of(
            "messages",
            List.of(Map.of("role", "user", "content", "héllo 🌍"), Map.of("role", "x", "content", List.of(1))),
            "n",
            3,
            "x",
            "te\ud83dxt",
            "a",
            1);

    private static final RenderOptions OPTIONS = RenderOptions.defaults().withLimits(20_000, 20_000);

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, 4), LongStream.of(System.nanoTime()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void mutatedSourcesFailWithJinjaExceptionsOnly(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < MUTANTS; i++) {
            String source = mutate(SEEDS.get(random.nextInt(SEEDS.size())), random);
            try {
                JinjaTemplate.compile(source).render(CONTEXT, OPTIONS);
            } catch (JinjaException expected) {
                // What is wrong with the source is told.
            } catch (Throwable e) {
                fail("Seed " + seed + ", mutant " + i + ": " + source, e);
            }
        }
    }

    private static String mutate(String seed, Random random) {
        StringBuilder source = new StringBuilder(seed);
        for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
            int at = random.nextInt(source.length() + 1);
            int end = Math.min(source.length(), at + random.nextInt(6));
            switch (random.nextInt(5)) {
                case 0 -> source.delete(at, end);
                case 1 -> source.insert(at, source.substring(at, end));
                case 2 -> source.replace(at, end, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
                case 3 -> source.insert(at, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
                default -> source.insert(at, SEEDS.get(random.nextInt(SEEDS.size())));
            }
        }
        return source.toString();
    }
}
