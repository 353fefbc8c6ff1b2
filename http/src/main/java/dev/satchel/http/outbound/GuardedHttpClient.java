package dev.satchel.http.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Sends single requests to addresses that come from outside of this process. They go through a
 * proxy that connects to reachable hosts only; redirects are not followed, and answers are bounded.
 */
public final class GuardedHttpClient {
    private final ReachableHosts reachableHosts;
    private final Duration timeout;
    private final int maxBytes;

    /**
     * @param timeout for the headers, and for each pause of the body
     * @param maxBytes the largest answer
     */
    public GuardedHttpClient(ReachableHosts reachableHosts, Duration timeout, int maxBytes) {
        this.reachableHosts = reachableHosts;
        this.timeout = timeout;
        this.maxBytes = maxBytes;
    }

    /** The whole answer of a server, in UTF-8. */
    public record Answer(int status, String body) {}

    public Answer send(HttpRequest request) throws IOException, InterruptedException {
        try (EgressProxy proxy = EgressProxy.openOnLoopback(reachableHosts::resolve);
                OutboundHttpClient client = new OutboundHttpClient(proxy.address())) {
            HttpResponse<InputStream> response = client.send(request, timeout);
            try (InputStream body = response.body()) {
                byte[] bytes = body.readNBytes(maxBytes + 1);
                if (bytes.length > maxBytes) {
                    throw new IOException(request.uri().getHost() + " sent too large an answer");
                }
                return new Answer(response.statusCode(), new String(bytes, StandardCharsets.UTF_8));
            }
        }
    }
}
