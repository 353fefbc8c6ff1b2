package dev.satchel.runner.mcp;

import dev.satchel.http.HttpClients;
import dev.satchel.http.outbound.EgressProxy;
import dev.satchel.http.outbound.ForbiddenTargetException;
import dev.satchel.http.outbound.HostAndPort;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.runner.sandbox.CleanupStack;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxProcess;
import io.modelcontextprotocol.client.transport.HttpClientSseClientTransport;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.customizer.McpHttpClientTransportAuthorizationErrorHandler;
import io.modelcontextprotocol.client.transport.customizer.McpSyncHttpClientRequestCustomizer;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Opens the transports to the MCP servers of one run. A program runs in the sandbox of the run.
 * Requests to an address come from this process, through a proxy that reaches nothing but the
 * server, and only if its address is public or allowed by the operator. Redirects are not followed.
 */
public final class McpTransportFactory {
    private static final McpJsonMapper JSON = new JacksonMcpJsonMapper(new JsonMapper());
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    private final Sandbox sandbox;
    private final ReachableHosts reachableHosts;
    private final CredentialSource credentials;
    private final int maxMessageBytes;

    /** Of the run: other threads than that of its request open transports. */
    private final Optional<TraceContext> trace = TraceContext.current();

    public McpTransportFactory(
            Sandbox sandbox, CredentialSource credentials, McpSettings settings) {
        this.sandbox = sandbox;
        this.reachableHosts = settings.reachableHosts();
        this.credentials = credentials;
        this.maxMessageBytes = settings.maxMessageBytes();
    }

    /** The two ways to speak to a server over HTTP. */
    enum HttpVariant {
        STREAMABLE,
        /** That of the first version of the protocol. */
        EVENT_STREAM
    }

    /** {@code resources} are closed after the transport. */
    record OpenTransport(
            McpClientTransport transport, McpHeaders headers, CleanupStack resources) {}

    /** {@code onEnd} hears why a program sends no more messages. */
    OpenTransport start(McpServer server, Consumer<String> onEnd) throws IOException {
        List<String> command = new ArrayList<>();
        Map<String, String> variables = Objects.requireNonNullElse(server.env(), Map.of());
        if (!variables.isEmpty()) {
            command.add("/usr/bin/env");
            variables.forEach((name, value) -> command.add(name + "=" + value));
        }
        command.add(Objects.requireNonNull(server.command()));
        command.addAll(Objects.requireNonNullElse(server.args(), List.of()));
        SandboxProcess process = sandbox.start(command);
        CleanupStack resources = new CleanupStack("mcp");
        resources.add(process::close);
        return new OpenTransport(
                new ProcessTransport(process, JSON, maxMessageBytes, onEnd),
                new McpHeaders(server, credentials, Clock.systemUTC()),
                resources);
    }

    /** Fails at once if the address is not allowed or a credential is missing. */
    OpenTransport connect(McpServer server, HttpVariant variant)
            throws IOException, InterruptedException {
        URI url = URI.create(Objects.requireNonNull(server.url()));
        HostAndPort target = target(url);
        InetSocketAddress _ = reachableHosts.resolve(target);
        McpHeaders headers = new McpHeaders(server, credentials, Clock.systemUTC());
        Map<String, String> _ = headers.resolve();
        CleanupStack resources = new CleanupStack("mcp");
        EgressProxy proxy = EgressProxy.openOnLoopback(wanted -> resolve(wanted, target));
        resources.add(proxy::close);
        HttpClient.Builder client =
                HttpClients.builder()
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .proxy(ProxySelector.of(proxy.address()));
        String base = url.getScheme() + "://" + url.getRawAuthority();
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String endpoint = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        McpClientTransport transport =
                switch (variant) {
                    case STREAMABLE ->
                            HttpClientStreamableHttpTransport.builder(base)
                                    .endpoint(endpoint)
                                    .clientBuilder(client)
                                    .jsonMapper(JSON)
                                    .maxResponseSize(maxMessageBytes)
                                    .addHttpRequestCustomizer(customizer(headers))
                                    .authorizationErrorHandler(fetchAgain(headers))
                                    .build();
                    case EVENT_STREAM -> eventStream(base, endpoint, client, headers);
                };
        return new OpenTransport(transport, headers, resources);
    }

    @SuppressWarnings("deprecation") // as the protocol is; servers still use it
    private McpClientTransport eventStream(
            String base, String endpoint, HttpClient.Builder client, McpHeaders headers) {
        return HttpClientSseClientTransport.builder(base)
                .sseEndpoint(endpoint)
                .clientBuilder(client)
                .jsonMapper(JSON)
                .maxResponseSize(maxMessageBytes)
                .addHttpRequestCustomizer(customizer(headers))
                .build();
    }

    private static HostAndPort target(URI url) {
        int usual = "https".equals(url.getScheme()) ? HTTPS_PORT : HTTP_PORT;
        return HostAndPort.parse(url.getRawAuthority(), usual);
    }

    private InetSocketAddress resolve(HostAndPort wanted, HostAndPort server) throws IOException {
        if (!wanted.equals(server)) {
            throw new ForbiddenTargetException(wanted, "it is not the address of the server");
        }
        return reachableHosts.resolve(wanted);
    }

    private McpSyncHttpClientRequestCustomizer customizer(McpHeaders headers) {
        return (request, _, _, _, _) -> {
            trace.ifPresent(it -> request.setHeader(TraceContext.HEADER, it.header()));
            try {
                headers.resolve().forEach(request::setHeader);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        };
    }

    private static McpHttpClientTransportAuthorizationErrorHandler fetchAgain(McpHeaders headers) {
        return McpHttpClientTransportAuthorizationErrorHandler.fromSync(
                (_, _, _) -> {
                    headers.forget();
                    return headers.usesCredentials();
                });
    }
}
