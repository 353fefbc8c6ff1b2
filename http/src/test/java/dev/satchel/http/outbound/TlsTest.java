package dev.satchel.http.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with a self-signed certificate. A JVM reads its trust store once, so each test starts
 * one.
 */
class TlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PASSWORD = "changeit";

    @TempDir private Path folder;
    private HttpsServer server;

    @BeforeEach
    void listen() throws Exception {
        Path keys = folder.resolve("keys.p12");
        run(
                List.of(
                        java("keytool"),
                        "-genkeypair",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost"));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        server.createContext(
                "/",
                exchange -> {
                    byte[] body = "hello over TLS".getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aServerWithAnUntrustedCertificateIsRefused() {
        try (OutboundHttpClient connections = new OutboundHttpClient()) {
            assertThatThrownBy(() -> get(connections, url()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void aServerWithATrustedCertificateIsCalled() throws Exception {
        assertThat(ask("directly", url())).isEqualTo("hello over TLS");
    }

    @Test
    void theProxyForTenantsSupportsTls() throws Exception {
        assertThat(ask("guarded", url())).isEqualTo("hello over TLS");
    }

    @Test
    void aTrustedCertificateOfAnotherNameIsRefused() throws Exception {
        assertThat(ask("guarded", url().replace("localhost", "elsewhere.example")))
                .contains("No subject alternative DNS name matching elsewhere.example");
    }

    /** The response that another JVM gets, which trusts the certificate. */
    private String ask(String way, String url) throws Exception {
        return run(
                List.of(
                        java("java"),
                        "-Djavax.net.ssl.trustStore=" + folder.resolve("keys.p12"),
                        "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                        "-cp",
                        System.getProperty("surefire.test.class.path", classPath()),
                        Asker.class.getName(),
                        way,
                        url));
    }

    private String url() {
        return "https://localhost:" + server.getAddress().getPort() + "/";
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static String java(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    private String run(List<String> command) throws Exception {
        Path output = Files.createTempFile(folder, "output", "");
        Process process =
                new ProcessBuilder(new ArrayList<>(command))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        int _ = process.waitFor();
        return Files.readString(output).strip();
    }

    private static SSLContext context(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static String get(OutboundHttpClient connections, String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        try (InputStream body = connections.send(request, PATIENCE).body()) {
            return new String(body.readAllBytes(), UTF_8);
        }
    }

    /** Prints the response or the failure. */
    static final class Asker {
        private Asker() {}

        public static void main(String[] arguments) throws Exception {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            try (EgressProxy way =
                            EgressProxy.openOnLoopback(
                                    target -> new InetSocketAddress(loopback, target.port()));
                    OutboundHttpClient connections =
                            arguments[0].equals("guarded")
                                    ? new OutboundHttpClient(way.address())
                                    : new OutboundHttpClient()) {
                System.out.println(get(connections, arguments[1]));
            } catch (SSLHandshakeException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
