package dev.satchel.runner.sandbox.bubblewrap;

import static dev.satchel.runner.sandbox.OpenSandboxes.sh;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reaches a server on this machine's loopback, and only it, from inside a sandbox. */
@Timeout(60)
class EgressEnvironmentTest {
    /** Speaks to the proxy that the environment names, as any HTTP client would. */
    private static final String CLIENT =
            """
            use IO::Socket::INET;
            my ($first, @rest) = @ARGV;
            my ($host, $port) = $ENV{http_proxy} =~ m{^http://(.*):(\\d+)$} or die "no proxy";
            my $s = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port) or die "proxy: $!";
            for my $request ($first, @rest) {
                $request =~ s/\\\\n/\\r\\n/g;
                print $s $request;
                $s->flush;
                next unless $request =~ /^CONNECT/;
                while (my $line = <$s>) { print $line; last if $line =~ /^\\r?$/ }
            }
            print while <$s>;
            """;

    /** As an operator would have it who lets agents reach this machine's own servers. */
    private static final SandboxFactory WITH_LOOPBACK =
            SandboxSetup.detect(
                    Map.of("PATH", System.getenv("PATH"), "SATCHEL_PRIVATE_HOSTS", "127.0.0.1"));

    @TempDir Path workspace;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private String address;

    @BeforeEach
    void startServer() throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        server = HttpServer.create(new InetSocketAddress(loopback, 0), 5);
        server.createContext("/", this::answer);
        server.start();
        address = "127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void aPlainRequestReachesANamedHost() throws Exception {
        try (Sandbox sandbox = open(address)) {
            CommandResult result =
                    client(
                            sandbox,
                            "POST http://"
                                    + address
                                    + "/a?b=c HTTP/1.1\\nHost: "
                                    + address
                                    + "\\nProxy-Connection: keep-alive\\nContent-Length: 4"
                                    + "\\n\\nbody");

            assertThat(result.output()).startsWith("HTTP/1.1 200").endsWith("hello");
            assertThat(requests).containsExactly("POST /a?b=c body proxy=false");
        }
    }

    @Test
    void aTunnelReachesANamedHost() throws Exception {
        try (Sandbox sandbox = open(address)) {
            CommandResult result =
                    client(
                            sandbox,
                            "CONNECT " + address + " HTTP/1.1\\n\\n",
                            "GET /inner HTTP/1.1\\nHost: x\\nConnection: close\\n\\n");

            assertThat(result.output())
                    .startsWith("HTTP/1.1 200 Connection established")
                    .endsWith("hello");
            assertThat(requests).containsExactly("GET /inner  proxy=false");
        }
    }

    @Test
    void everyOtherHostIsRefused() throws Exception {
        try (Sandbox sandbox = OpenSandboxes.open(workspace, "example.org")) {
            assertThat(client(sandbox, "CONNECT " + address + " HTTP/1.1\\n\\n").output())
                    .startsWith("HTTP/1.1 403")
                    .contains("not among the allowed hosts");
            assertThat(client(sandbox, "GET http://" + address + "/ HTTP/1.1\\n\\n").output())
                    .startsWith("HTTP/1.1 403");
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void anAddressOfThisMachineIsRefusedUnlessTheOperatorListsIt() throws Exception {
        try (Sandbox sandbox = OpenSandboxes.open(workspace, address)) {
            assertThat(client(sandbox, "CONNECT " + address + " HTTP/1.1\\n\\n").output())
                    .startsWith("HTTP/1.1 403")
                    .contains("private address");
            assertThat(client(sandbox, "GET http://" + address + "/ HTTP/1.1\\n\\n").output())
                    .startsWith("HTTP/1.1 403");
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void refusalsReadAlikeWhetherANameExistsOrNot() throws Exception {
        try (Sandbox sandbox = OpenSandboxes.open(workspace, "localhost:1", "nowhere.invalid:1")) {
            List<String> refusals = new ArrayList<>();
            for (String host : List.of("localhost", "nowhere.invalid", "example.org")) {
                refusals.add(
                        client(sandbox, "CONNECT " + host + ":1 HTTP/1.1\\n\\n")
                                .output()
                                .replace(host, "HOST")
                                .replaceFirst("Content-Length: \\d+", ""));
            }
            assertThat(refusals.getFirst()).startsWith("HTTP/1.1 403");
            assertThat(refusals).containsOnly(refusals.getFirst());
        }
    }

    @Test
    void aNameThatLeadsToThisMachineIsRefused() throws Exception {
        String named = "localhost:" + server.getAddress().getPort();
        try (Sandbox sandbox = OpenSandboxes.open(workspace, named)) {
            assertThat(client(sandbox, "CONNECT " + named + " HTTP/1.1\\n\\n").output())
                    .startsWith("HTTP/1.1 403")
                    .contains("private address");
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void thePortItselfStaysUnreachable() throws Exception {
        try (Sandbox sandbox = open(address)) {
            CommandResult result =
                    sh(
                            sandbox,
                            "perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(\""
                                    + address
                                    + "\") ? 1 : $!'");

            assertThat(result.output()).isEqualTo("Connection refused");
        }
    }

    @Test
    void withoutNamedHostsThereIsNoProxy() throws Exception {
        try (Sandbox sandbox = OpenSandboxes.open(workspace)) {
            assertThat(sh(sandbox, "env | grep -ci proxy; ls /run").output())
                    .startsWith("0\n")
                    .contains("No such file");
        }
    }

    @Test
    void theCommandKeepsItsExitCodeAndItsEnd() throws Exception {
        try (Sandbox sandbox = open(address)) {
            assertThat(sh(sandbox, "echo out; exit 5").exitCode()).isEqualTo(5);
            assertThat(sh(sandbox, "kill -9 $$").exitCode()).isEqualTo(137);
        }
    }

    private Sandbox open(String allowedHost) throws IOException {
        return WITH_LOOPBACK.open(
                new SandboxSpec(
                        "run", workspace, OpenSandboxes.SMALL, List.of(allowedHost), Map.of()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean proxyHeader = exchange.getRequestHeaders().containsKey("Proxy-Connection");
        requests.add(
                exchange.getRequestMethod()
                        + " "
                        + exchange.getRequestURI()
                        + " "
                        + body
                        + " proxy="
                        + proxyHeader);
        byte[] answer = "hello".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static CommandResult client(Sandbox sandbox, String... requests)
            throws IOException, InterruptedException {
        String arguments = "'" + String.join("' '", requests) + "'";
        return sh(sandbox, "perl -e '" + CLIENT.replace("'", "'\\''") + "' " + arguments);
    }
}
