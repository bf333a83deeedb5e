package dev.omlx.api.http;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /} and {@code HEAD /}, by which clients and people find out that a server is there. */
@RestController
final class RootController {
    private static final String FOR_PEOPLE = "oMLX is running\n";
    /** Clients of Ollama compare the whole text. */
    private static final String FOR_CLIENTS = "Ollama is running";

    @GetMapping("/")
    ResponseEntity<String> root(ServerHttpRequest request) {
        boolean browser = request.getHeaders().getAccept().contains(MediaType.TEXT_HTML);
        // an explicit type answers whatever the client says it accepts
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(browser ? FOR_PEOPLE : FOR_CLIENTS);
    }
}
