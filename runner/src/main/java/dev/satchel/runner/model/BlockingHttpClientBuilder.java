package dev.satchel.runner.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.satchel.runner.net.OutboundHttpClient;
import java.time.Duration;

/** Creates clients for LangChain4j. The connect timeout is a setting of the shared client. */
final class BlockingHttpClientBuilder implements HttpClientBuilder {
    private final OutboundHttpClient http;
    private final EndpointPolicy endpointPolicy;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration readTimeout;

    BlockingHttpClientBuilder(
            OutboundHttpClient http, Duration readTimeout, EndpointPolicy endpointPolicy) {
        this.http = http;
        this.endpointPolicy = endpointPolicy;
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
        return new BlockingHttpClient(http, readTimeout, endpointPolicy);
    }
}
