package dev.satchel.server.operations;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/**
 * Asks whether somebody answers at an address. Any answer will do: a runner need not know any path
 * but its own.
 */
public record HttpProbe(URI address) implements Dependency.Probe {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    public void run() throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address + "/health").toURL().openConnection();
        try {
            connection.setConnectTimeout((int) PATIENCE.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            connection.setInstanceFollowRedirects(false);
            int _ = connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
