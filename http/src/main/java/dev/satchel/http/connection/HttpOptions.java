package dev.satchel.http.connection;

import dev.satchel.http.response.CrossOrigin;

/**
 * How a server treats its clients.
 *
 * @param cleartextHttp2 whether clients may use HTTP/2 without TLS
 * @param crossOrigin whether pages of other origins may call it
 */
public record HttpOptions(
        ConnectionTimeouts timeouts, boolean cleartextHttp2, CrossOrigin crossOrigin) {
    public static final HttpOptions STANDARD =
            new HttpOptions(ConnectionTimeouts.DEFAULT, false, CrossOrigin.NONE);

    public static final HttpOptions WITH_CLEARTEXT_HTTP2 =
            new HttpOptions(ConnectionTimeouts.DEFAULT, true, CrossOrigin.NONE);

    public HttpOptions with(ConnectionTimeouts other) {
        return new HttpOptions(other, cleartextHttp2, crossOrigin);
    }
}
