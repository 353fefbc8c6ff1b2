package dev.satchel.server.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The model of an agent: one of the registry by its {@code id}, or a description in which an absent
 * value is the default. It never contains a key.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentModel(
        @Nullable String id,
        @Nullable String provider,
        @Nullable String name,
        @Nullable String baseUrl) {

    public static final AgentModel DEFAULT = new AgentModel(null, null, null, null);

    private static final int MAX_ID = 128;
    private static final int MAX_PROVIDER = 64;
    private static final int MAX_NAME = 200;
    private static final int MAX_URL = 2_000;

    public AgentModel {
        if (id != null) {
            Fields.text("model", id, MAX_ID);
        }
        if (provider != null) {
            Fields.text("model.provider", provider, MAX_PROVIDER);
        }
        if (name != null) {
            Fields.text("model.name", name, MAX_NAME);
        }
        if (baseUrl != null && !isPlainHttp(Fields.text("model.baseUrl", baseUrl, MAX_URL))) {
            throw Fields.invalid(
                    "model.baseUrl", "must be an http or https URL without a password");
        }
    }

    static AgentModel ofRegistry(String id) {
        return new AgentModel(id, null, null, null);
    }

    /** As a request has it: the id alone, or the description. */
    Object wireForm() {
        return id == null ? this : id;
    }

    /** The part of a run's configuration; empty for the default model. */
    public Optional<RunConfig.Model> config() {
        return equals(DEFAULT)
                ? Optional.empty()
                : Optional.of(
                        id == null
                                ? new RunConfig.Model(provider, name, baseUrl, null)
                                : RunConfig.Model.ofRegistry(id));
    }

    private static boolean isPlainHttp(String url) {
        try {
            URI uri = new URI(url);
            return List.of("http", "https").contains(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
