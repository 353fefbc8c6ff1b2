package dev.satchel.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.satchel.client.ApiException;
import dev.satchel.client.SatchelClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CliExceptionTest {
    @Test
    void filesThatAreAwayNameTheCommandThatContinuesWithoutThem() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] body =
                            "{\"error\":\"not saved\",\"statusCode\":503}"
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Satchel-Error", "workspace_pending");
                    exchange.sendResponseHeaders(503, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (SatchelClient client = SatchelClient.of(url, "key")) {
            ApiException refused =
                    catchThrowableOfType(
                            ApiException.class, () -> client.workspaces().list("a", null, false));

            assertThat(CliException.messageOf(refused))
                    .isEqualTo("not saved (./satchel files restore CHAT)");
        } finally {
            server.stop(0);
        }
    }
}
