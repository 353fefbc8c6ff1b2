package dev.satchel.runner.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.satchel.runner.net.OutboundHttpClient;
import java.time.Duration;

/** Hands LangChain4j our client. The time to connect is a setting of the shared connections. */
final class BlockingHttpClientBuilder implements HttpClientBuilder {
    private final OutboundHttpClient connections;
    private final EndpointPolicy endpoints;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration readTimeout;

    BlockingHttpClientBuilder(OutboundHttpClient connections, Duration readTimeout, EndpointPolicy endpoints) {
        this.connections = connections;
        this.endpoints = endpoints;
        this.readTimeout = readTimeout;
    }

    @Override
    public Duration connectTimeout() {
        return connectTimeout;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration timeout) {
        connectTimeout = timeout;
        return this;
    }

    @Override
    public Duration readTimeout() {
        return readTimeout;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
        readTimeout = timeout;
        return this;
    }

    @Override
    public HttpClient build() {
        return new BlockingHttpClient(connections, readTimeout, endpoints);
    }
}
