package dev.satchel.http.connection;

import dev.satchel.http.response.CrossOrigin;

/**
 * How a server treats its clients.
 *
 * @param cleartextHttp2 whether clients may use HTTP/2 without TLS
 * @param crossOrigin whether pages of other origins may call it
 * @param proxies whose word about the address of a client is believed
 */
public record HttpOptions(
        ConnectionTimeouts timeouts,
        boolean cleartextHttp2,
        CrossOrigin crossOrigin,
        TrustedProxies proxies) {
    public static final HttpOptions STANDARD =
            new HttpOptions(
                    ConnectionTimeouts.DEFAULT, false, CrossOrigin.NONE, TrustedProxies.NONE);

    public static final HttpOptions WITH_CLEARTEXT_HTTP2 =
            new HttpOptions(
                    ConnectionTimeouts.DEFAULT, true, CrossOrigin.NONE, TrustedProxies.NONE);

    public HttpOptions with(ConnectionTimeouts other) {
        return new HttpOptions(other, cleartextHttp2, crossOrigin, proxies);
    }
}
