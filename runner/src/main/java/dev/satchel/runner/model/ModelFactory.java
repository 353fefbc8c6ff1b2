package dev.satchel.runner.model;

import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.net.OutboundHttpClient;
import dev.satchel.runner.net.PrivateHosts;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates models that share an HTTP client. */
public final class ModelFactory {
    /**
     * Anthropic requires a limit; this is enough for a long file and less than every model allows.
     */
    private static final int ANTHROPIC_MAX_TOKENS = 16_384;

    private final OperatorModels operator;
    private final Duration timeout;
    private final OutboundHttpClient http;
    private final OutboundHttpClient guarded;
    private final PrivateHosts privateHosts;

    /**
     * @param operator the models of the operator
     * @param timeout how long a model may send nothing
     * @param guarded the client for endpoints that a run names
     * @param privateHosts the private hosts that such an endpoint may be on
     */
    public ModelFactory(
            OperatorModels operator,
            Duration timeout,
            OutboundHttpClient http,
            OutboundHttpClient guarded,
            PrivateHosts privateHosts) {
        this.operator = operator;
        this.timeout = timeout;
        this.http = http;
        this.guarded = guarded;
        this.privateHosts = privateHosts;
    }

    /** The model that a run names, or that of the operator; empty when there is neither. */
    public Optional<Model> find(RunConfig.@Nullable Model wanted) throws ModelException {
        if (wanted != null) {
            ModelSettings settings = ModelSettings.resolve(wanted, operator);
            return Optional.of(open(settings, client(settings)));
        }
        return operator.standard().map(settings -> open(settings, client(settings)));
    }

    /** The endpoint of the operator may be anywhere; one that a tenant names may not. */
    private BlockingHttpClientBuilder client(ModelSettings settings) {
        String url = settings.baseUrl();
        boolean trusted =
                url == null
                        || settings.isFromRegistry()
                        || operator.of(settings.provider())
                                .filter(own -> url.equals(own.baseUrl()))
                                .isPresent();
        return trusted
                ? new BlockingHttpClientBuilder(http, timeout, EndpointPolicy.ANY)
                : new BlockingHttpClientBuilder(
                        guarded, timeout, EndpointPolicy.within(privateHosts));
    }

    private Model open(ModelSettings settings, BlockingHttpClientBuilder client) {
        return new Model(
                settings,
                switch (settings.provider()) {
                    case ANTHROPIC -> anthropic(settings, client);
                    case OPENAI -> openAi(settings, client);
                });
    }

    private StreamingChatModel anthropic(ModelSettings settings, BlockingHttpClientBuilder client) {
        var builder =
                AnthropicStreamingChatModel.builder()
                        .httpClientBuilder(client)
                        .timeout(timeout)
                        .apiKey(settings.apiKey())
                        .modelName(settings.name())
                        .maxTokens(
                                settings.options().maxOutputTokens() > 0
                                        ? settings.options().maxOutputTokens()
                                        : ANTHROPIC_MAX_TOKENS)
                        .cacheSystemMessages(true)
                        .cacheTools(true);
        String url = settings.baseUrl();
        return (url == null ? builder : builder.baseUrl(versioned(url))).build();
    }

    private StreamingChatModel openAi(ModelSettings settings, BlockingHttpClientBuilder client) {
        var builder =
                OpenAiStreamingChatModel.builder()
                        .httpClientBuilder(client)
                        .timeout(timeout)
                        .apiKey(settings.apiKey())
                        .modelName(settings.name());
        String url = settings.baseUrl();
        return (url == null ? builder : builder.baseUrl(url)).build();
    }

    /** LangChain4j expects the version in the base URL; the tools of Anthropic leave it out. */
    private static String versioned(String url) {
        String bare = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return bare.endsWith("/v1") ? bare : bare + "/v1";
    }
}
