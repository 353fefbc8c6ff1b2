package dev.satchel.server.model;

import dev.satchel.protocol.Json;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the file of models. Every problem names the entry and the field. */
public final class ModelsFileParser {
    private static final List<String> THINKING = List.of("off", "low", "medium", "high");
    private static final Set<String> FIELDS =
            Set.of(
                    "id",
                    "provider",
                    "name",
                    "baseUrl",
                    "apiKeyEnv",
                    "contextTokens",
                    "maxOutputTokens",
                    "thinking",
                    "price",
                    "fallback",
                    "default");
    private static final Set<String> PRICES = Set.of("input", "output", "cacheRead", "cacheWrite");

    private final List<String> problems;
    private final Map<String, RegisteredModel> models = new LinkedHashMap<>();
    private @Nullable String standard;

    private ModelsFileParser(List<String> problems) {
        this.problems = problems;
    }

    /** The registry of a file; without use when there are problems. */
    public static ModelRegistry parse(String json, List<String> problems) {
        return new ModelsFileParser(problems).read(json);
    }

    private ModelRegistry read(String json) {
        try {
            JsonNode file = Json.MAPPER.readTree(json);
            JsonNode entries = file.path("models");
            file.propertyNames().stream()
                    .filter(name -> !name.equals("models"))
                    .forEach(name -> problems.add("unknown field " + name));
            if (!entries.isArray() || entries.isEmpty()) {
                problems.add("models must be an array with at least one model");
                return ModelRegistry.EMPTY;
            }
            for (int i = 0; i < entries.size(); i++) {
                add(new Entry(i, entries.get(i)));
            }
        } catch (JacksonException e) {
            problems.add("is not JSON: " + e.getOriginalMessage());
        }
        models.values().forEach(this::checkFallbacks);
        return new ModelRegistry(List.copyOf(models.values()), standard);
    }

    private void add(Entry entry) {
        if (!entry.node.isObject()) {
            entry.problem("must be an object");
            return;
        }
        entry.refuseUnknown();
        String id = entry.requiredText("id");
        RegistryProvider provider = provider(entry);
        if (id == null || provider == null) {
            return;
        }
        if (!RegisteredModel.isValidId(id)) {
            entry.problem("id must be 1 to 128 letters, digits or any of . _ : / @ -");
            return;
        }
        if (models.containsKey(id)) {
            entry.problem("id is that of an earlier model");
            return;
        }
        models.put(id, model(entry, id, provider));
        if (entry.isTrue("default")) {
            if (standard != null) {
                entry.problem("default is true for " + standard + " too; only one may have it");
            }
            standard = id;
        }
    }

    private static RegisteredModel model(Entry entry, String id, RegistryProvider provider) {
        String given = entry.text("name");
        String name = given == null ? id : given;
        Integer tokens = entry.number("contextTokens");
        return new RegisteredModel(
                id,
                provider,
                name,
                baseUrl(entry, provider),
                keyVariable(entry, provider),
                tokens == null ? KnownModels.contextTokens(name).orElse(null) : tokens,
                entry.number("maxOutputTokens"),
                thinking(entry),
                price(entry),
                entry.text("fallback"));
    }

    private static @Nullable RegistryProvider provider(Entry entry) {
        String name = entry.requiredText("provider");
        RegistryProvider found = name == null ? null : RegistryProvider.find(name).orElse(null);
        if (name != null && found == null) {
            entry.problem("provider must be one of " + String.join(", ", RegistryProvider.names()));
        }
        return found;
    }

    private static @Nullable String baseUrl(Entry entry, RegistryProvider provider) {
        String url = entry.text("baseUrl");
        if (url == null && provider.needsBaseUrl()) {
            entry.problem("baseUrl is missing: " + provider.wireName() + " has no usual address");
        }
        if (url != null && !isPlainHttp(url)) {
            entry.problem("baseUrl must be an http or https address without a password");
        }
        return url;
    }

    /** Without one the variable that is usual with the provider; an empty one is no key. */
    private static @Nullable String keyVariable(Entry entry, RegistryProvider provider) {
        JsonNode given = entry.node.path("apiKeyEnv");
        if (given.isString() && given.stringValue().isEmpty()) {
            return null;
        }
        String name = entry.text("apiKeyEnv");
        if (name != null && !name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            entry.problem("apiKeyEnv must be the name of a variable, not a key");
            return null;
        }
        return name == null ? provider.keyVariable() : name;
    }

    private static @Nullable String thinking(Entry entry) {
        JsonNode value = entry.node.path("thinking");
        if (value.isIntegralNumber() && value.canConvertToInt() && value.intValue() > 0) {
            return Integer.toString(value.intValue());
        }
        if (value.isString() && THINKING.contains(value.stringValue())) {
            return value.stringValue();
        }
        if (!value.isMissingNode() && !value.isNull()) {
            entry.problem(
                    "thinking must be " + String.join(", ", THINKING) + " or a number of tokens");
        }
        return null;
    }

    /** What is read from a cache or written to it costs as much as other input by default. */
    private static @Nullable ModelPrice price(Entry entry) {
        JsonNode price = entry.node.path("price");
        if (price.isMissingNode() || price.isNull()) {
            return null;
        }
        if (!price.isObject()) {
            entry.problem("price must be an object with input and output");
            return null;
        }
        price.propertyNames().stream()
                .filter(name -> !PRICES.contains(name))
                .forEach(name -> entry.problem("has an unknown field price." + name));
        BigDecimal input = amount(entry, price, "input", null);
        BigDecimal output = amount(entry, price, "output", null);
        BigDecimal cacheRead = amount(entry, price, "cacheRead", input);
        BigDecimal cacheWrite = amount(entry, price, "cacheWrite", input);
        return input == null || output == null || cacheRead == null || cacheWrite == null
                ? null
                : new ModelPrice(input, output, cacheRead, cacheWrite);
    }

    private static @Nullable BigDecimal amount(
            Entry entry, JsonNode price, String field, @Nullable BigDecimal otherwise) {
        JsonNode value = price.path(field);
        boolean isAbsent = value.isMissingNode() || value.isNull();
        if (isAbsent && otherwise != null) {
            return otherwise;
        }
        if (value.isNumber() && value.doubleValue() >= 0 && value.doubleValue() <= 1e9) {
            return value.decimalValue();
        }
        if (!isAbsent || price.has("input") || field.equals("input")) { // once for a missing input
            entry.problem("price." + field + " must be a number of dollars, 0 or more");
        }
        return null;
    }

    private void checkFallbacks(RegisteredModel model) {
        String first = model.fallback();
        if (first != null && !models.containsKey(first)) {
            problems.add("model " + model.id() + ": fallback is not a model here: " + first);
        }
        List<String> path = new ArrayList<>(List.of(model.id()));
        String next = first;
        while (next != null && !path.contains(next)) {
            path.add(next);
            RegisteredModel found = models.get(next);
            next = found == null ? null : found.fallback();
        }
        if (model.id().equals(next)) {
            problems.add(
                    "model %s: fallback is a circle: %s → %s"
                            .formatted(model.id(), String.join(" → ", path), next));
        }
    }

    private static boolean isPlainHttp(String url) {
        try {
            URI uri = new URI(url);
            return List.of("http", "https").contains(String.valueOf(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** One object of the array. */
    private final class Entry {
        private final int index;
        private final JsonNode node;

        Entry(int index, JsonNode node) {
            this.index = index;
            this.node = node;
        }

        /** Begins with the id, or with the position of an entry without one. */
        void problem(String problem) {
            JsonNode id = node.path("id");
            String name =
                    id.isString() && RegisteredModel.isValidId(id.stringValue())
                            ? "model " + id.stringValue()
                            : "models[" + index + "]";
            problems.add(name + ": " + problem);
        }

        void refuseUnknown() {
            node.propertyNames().stream()
                    .filter(name -> !FIELDS.contains(name))
                    .forEach(
                            name ->
                                    problem(
                                            name.equals("apiKey")
                                                    ? "apiKey must not be in the file: set a"
                                                            + " variable and name it in apiKeyEnv"
                                                    : "has an unknown field " + name));
        }

        @Nullable String requiredText(String field) {
            if (!node.hasNonNull(field)) {
                problem(field + " is missing");
                return null;
            }
            return text(field);
        }

        @Nullable String text(String field) {
            JsonNode value = node.path(field);
            if (value.isMissingNode() || value.isNull()) {
                return null;
            }
            if (!value.isString() || value.stringValue().isBlank()) {
                problem(field + " must be a text that is not empty");
                return null;
            }
            return value.stringValue();
        }

        @Nullable Integer number(String field) {
            JsonNode value = node.path(field);
            if (value.isMissingNode() || value.isNull()) {
                return null;
            }
            if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
                problem(field + " must be a whole number of at least 1");
                return null;
            }
            return value.intValue();
        }

        boolean isTrue(String field) {
            JsonNode value = node.path(field);
            if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
                problem(field + " must be true or false");
            }
            return value.booleanValue(false);
        }
    }
}
