package dev.omlx.api.http;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /} and {@code HEAD /}, by which clients and people find out that a server is there. */
@RestController
final class RootController {
    @GetMapping("/")
    ResponseEntity<String> root() {
        // an explicit type answers whatever the client says it accepts
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body("oMLX is running\n");
    }
}
