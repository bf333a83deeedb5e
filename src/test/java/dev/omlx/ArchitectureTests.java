package dev.omlx;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;

/** Which package may use which: the picture of {@code docs/structures.md}, held against the code. */
@AnalyzeClasses(packages = "dev.omlx", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {
    private static final String ROOT = "dev.omlx.";

    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("files", Set.of()),
            Map.entry("ffi", Set.of("files")),
            Map.entry("mlx", Set.of("ffi")),
            Map.entry("kv", Set.of("mlx")),
            Map.entry("nn", Set.of("mlx", "kv")),
            Map.entry("model", Set.of("files", "mlx", "kv", "nn")),
            Map.entry("sampling", Set.of("mlx")),
            Map.entry("sched", Set.of()),
            Map.entry("text", Set.of("files")),
            Map.entry("parse", Set.of()),
            Map.entry(
                    "engine", Set.of("files", "ffi", "mlx", "kv", "nn", "model", "sampling", "sched", "text", "parse")),
            Map.entry("security", Set.of()),
            Map.entry("api", Set.of("engine", "security")),
            Map.entry("observe", Set.of("engine")),
            Map.entry("cli", Set.of("api", "observe", "engine", "text", "ffi", "files", "mlx", "model")));

    @ArchTest
    static final ArchRule directionIsKept = classes().should(new ArchCondition<>("only use packages below their own") {
        @Override
        public void check(JavaClass origin, ConditionEvents events) {
            String from = module(origin);
            for (var dependency : origin.getDirectDependenciesFromSelf()) {
                String to = module(dependency.getTargetClass().getBaseComponentType());
                boolean allowed = to.isEmpty()
                        || to.equals(from)
                        || MAY_USE.getOrDefault(from, Set.of()).contains(to);
                if (!allowed) {
                    events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                }
            }
        }
    });

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("dev.omlx.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nativeMemoryStaysBelow = noClasses()
            .that()
            .resideOutsideOfPackages("..ffi..", "..mlx..", "..kv.tensor..", "..model.weights..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.foreign..");

    @ArchTest
    static final ArchRule nativeCallsStayInFfi = noClasses()
            .that()
            .resideOutsideOfPackage("..ffi..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.foreign.Linker");

    @ArchTest
    static final ArchRule springStaysAbove = noClasses()
            .that()
            .resideOutsideOfPackages("..api..", "..observe..", "..cli..", "..engine.config..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule reactorStaysAbove = noClasses()
            .that()
            .resideOutsideOfPackages("..engine..", "..api..", "..observe..", "..cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("reactor..");

    @ArchTest
    static final ArchRule engineApiKnowsNoEngine = noClasses()
            .that()
            .resideInAPackage("..engine.api..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.omlx.mlx..", "dev.omlx.sched..", "dev.omlx.model..", "dev.omlx.text..", "dev.omlx.parse..");

    @ArchTest
    static final ArchRule facesUseTheEnginesApiAlone = noClasses()
            .that()
            .resideInAnyPackage("..omlx.api..", "..omlx.observe..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.omlx.engine", "dev.omlx.engine.config");

    @ArchTest
    static final ArchRule oneJacksonOneNullness = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.fasterxml.jackson.databind..", "javax.annotation.Nullable", "org.jetbrains..");

    private static String module(JavaClass type) {
        String name = type.getPackageName();
        if (!name.startsWith(ROOT)) {
            return "";
        }
        String below = name.substring(ROOT.length());
        int dot = below.indexOf('.');
        return dot < 0 ? below : below.substring(0, dot);
    }
}
