package dev.satchel.runner.model;

import dev.satchel.http.BearerToken;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The addresses of a provider's API, and the headers that it wants. */
public final class ModelEndpoint {
    private final ModelSettings settings;
    private final String base;

    public ModelEndpoint(ModelSettings settings) {
        this.settings = settings;
        this.base = base(settings.provider(), settings.baseUrl());
    }

    /** Whether requests are in the format of Anthropic instead of that of OpenAI. */
    boolean speaksAnthropic() {
        return switch (settings.provider()) {
            case ANTHROPIC -> true;
            case BEDROCK -> settings.name().matches("(.*[./])?anthropic\\..*");
            case OPENAI, GEMINI, AZURE, OLLAMA -> false;
        };
    }

    /** A request without a body to the address for the next message of the model. */
    HttpRequest.Builder chat() {
        if (!speaksAnthropic()) {
            boolean bedrock = settings.provider() == ModelProvider.BEDROCK;
            return request(bedrock ? "/openai/v1/chat/completions" : "/chat/completions");
        }
        return request(
                settings.provider() == ModelProvider.BEDROCK
                        ? "/model/" + encoded(settings.name()) + "/invoke-with-response-stream"
                        : "/messages");
    }

    /** Lists the models of the provider, which costs nothing and checks address and key. */
    public HttpRequest listModels() {
        String path =
                switch (settings.provider()) {
                    case ANTHROPIC -> "/models?limit=1000"; // its pages are short
                    case BEDROCK -> "/openai/v1/models";
                    case OPENAI, GEMINI, AZURE, OLLAMA -> "/models";
                };
        return request(path).GET().build();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        keyHeaders().forEach(request::header);
        if (settings.provider() == ModelProvider.ANTHROPIC) {
            request.header("anthropic-version", "2023-06-01");
        }
        return request;
    }

    private Map<String, String> keyHeaders() {
        String key = settings.apiKey();
        if (key == null) {
            return Map.of();
        }
        return switch (settings.provider()) {
            case ANTHROPIC -> Map.of("x-api-key", key);
            case AZURE -> Map.of("api-key", key);
            case OPENAI, GEMINI, BEDROCK, OLLAMA ->
                    Map.of("Authorization", BearerToken.header(key));
        };
    }

    /** People give the address of a server with or without the path of its API. */
    private static String base(ModelProvider provider, @Nullable String url) {
        String given = url == null ? provider.defaultUrl() : url;
        String bare = Objects.requireNonNull(given, "no address").replaceAll("/+$", "");
        return switch (provider) {
            case ANTHROPIC -> bare.endsWith("/v1") ? bare : bare + "/v1";
            case OLLAMA -> URI.create(bare).getPath().isEmpty() ? bare + "/v1" : bare;
            case AZURE -> URI.create(bare).getPath().isEmpty() ? bare + "/openai/v1" : bare;
            case OPENAI, GEMINI, BEDROCK -> bare;
        };
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
