package dev.omlx.api.http;

import org.springframework.core.Ordered;

/** The order of the filters; all of them come before authentication, whose refusals need what they add. */
final class FilterOrder {
    /** First, so that every response has a name. */
    static final int REQUEST_ID = Ordered.HIGHEST_PRECEDENCE + 10;

    static final int PROTOCOL = REQUEST_ID + 1;

    static final int HOST = REQUEST_ID + 2;

    static final int CORS = REQUEST_ID + 3;

    static final int PATH = REQUEST_ID + 4;

    static final int AUTH = REQUEST_ID + 5;

    private FilterOrder() {}
}
