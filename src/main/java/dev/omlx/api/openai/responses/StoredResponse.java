package dev.omlx.api.openai.responses;

import dev.omlx.api.http.Caller;

/**
 * A response that is kept.
 *
 * @param owner whose it is; nobody else sees it
 * @param json the response on the wire, UTF-8
 */
record StoredResponse(String id, Caller owner, byte[] json, Exchange exchange) {}
