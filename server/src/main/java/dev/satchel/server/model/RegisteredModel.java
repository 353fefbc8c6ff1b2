package dev.satchel.server.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One model of the registry. The key itself is not here: {@code apiKeyEnv} names the variable of
 * the runner that has it.
 *
 * @param contextTokens null when it is not known
 * @param fallback the id of the model that is asked when this one does not answer
 */
public record RegisteredModel(
        String id,
        RegistryProvider provider,
        String name,
        @Nullable String baseUrl,
        @Nullable String apiKeyEnv,
        @Nullable Integer contextTokens,
        @Nullable Integer maxOutputTokens,
        @Nullable String thinking,
        @Nullable ModelPrice price,
        @Nullable String fallback) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}");

    public RegisteredModel {
        if (!isValidId(id)) {
            throw new IllegalArgumentException("not the id of a model");
        }
    }

    static boolean isValidId(String text) {
        return ID.matcher(text).matches();
    }
}
