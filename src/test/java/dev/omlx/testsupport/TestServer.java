package dev.omlx.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.api.ApiConfiguration;
import dev.omlx.observe.ObserveConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * The HTTP server as it is, on a port of its own, over a {@link ScriptedEngine} that is as new for each test. Test
 * classes that ask for the same properties share one. What goes over the wire must be as the OpenAPI document says.
 */
public final class TestServer implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Map<List<String>, ReactiveWebServerApplicationContext> RUNNING = new ConcurrentHashMap<>();

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> properties;
    private @Nullable ReactiveWebServerApplicationContext context;

    private TestServer(List<String> properties) {
        this.properties = properties;
    }

    /** A server with those properties, each {@code name=value}, besides its defaults. */
    public static TestServer with(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "server.address=127.0.0.1",
                "server.port=0",
                "spring.main.banner-mode=off",
                "logging.level.root=warn",
                // failures are what many tests are about
                "logging.level.dev.omlx.api.error=off"));
        all.addAll(List.of(properties));
        return new TestServer(all);
    }

    @Override
    public void beforeAll(ExtensionContext extension) {
        context = RUNNING.computeIfAbsent(properties, TestServer::start);
    }

    @Override
    public void beforeEach(ExtensionContext extension) {
        engine().reset();
        context().getBean(WatchedTraffic.class).takeViolations();
    }

    @Override
    public void afterEach(ExtensionContext extension) {
        assertThat(context().getBean(WatchedTraffic.class).takeViolations())
                .as("what the OpenAPI document says otherwise")
                .isEmpty();
    }

    /** Method and path of all that the server answers, without the names of variables. */
    public Set<String> routes() {
        return context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .stream()
                .flatMap(mapping -> mapping.getMethodsCondition().getMethods().stream()
                        .flatMap(method -> mapping.getPatternsCondition().getPatterns().stream()
                                .map(path -> ApiContract.route(method.name(), path.getPatternString()))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public ScriptedEngine engine() {
        return context().getBean(ScriptedEngine.class);
    }

    public int port() {
        return Objects.requireNonNull(context().getWebServer()).getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public WebTestClient client() {
        return WebTestClient.bindToServer()
                .baseUrl(url())
                .responseTimeout(PATIENCE)
                .build();
    }

    /** Posts a JSON body and waits for the whole response. */
    public EntityExchangeResult<String> post(String path, String body) {
        return client().post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private static ReactiveWebServerApplicationContext start(List<String> properties) {
        return (ReactiveWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    private ReactiveWebServerApplicationContext context() {
        if (context == null) {
            throw new IllegalStateException("the server runs during tests only");
        }
        return context;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({ApiConfiguration.class, ObserveConfiguration.class})
    static class Application {
        @Bean
        ScriptedEngine engine() {
            return new ScriptedEngine();
        }

        @Bean
        WatchedTraffic traffic() {
            return new WatchedTraffic();
        }
    }
}
