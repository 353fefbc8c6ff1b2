package dev.satchel.server.doctor;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.model.ModelEndpoint;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ModelSettings;
import dev.satchel.runner.model.OperatorModels;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.RegisteredModel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Requests the list of models of each provider once, which checks the address, the key and the
 * names without cost.
 */
public final class ModelCheck implements AutoCloseable {
    private static final String NAME = "model";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int SHOWN_NAMES = 8;

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final Map<String, String> variables;
    private final OperatorModels operator;
    private final Map<HttpRequest, Reply> replies = new HashMap<>();

    public ModelCheck(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
        this.operator = OperatorModels.from(variables, new ArrayList<>());
    }

    /** What a provider said: a status and a list, or that it does not answer. */
    private record Reply(int status, List<String> names) {
        private static final Reply NONE = new Reply(0, List.of());

        boolean offers(String name) {
            return names.isEmpty() // it does not say
                    || names.stream()
                            .anyMatch(
                                    listed ->
                                            listed.equals(name)
                                                    || listed.equals("models/" + name)
                                                    || listed.startsWith(name + "-")
                                                    || listed.startsWith(name + ":"));
        }
    }

    public List<Finding> check(ModelRegistry models) throws InterruptedException {
        if (models.models().isEmpty()) {
            return List.of(
                    Finding.warning(
                            NAME,
                            "none: the offline agent answers. Set a key such as ANTHROPIC_API_KEY or"
                                    + " OPENAI_API_KEY, an address such as OPENAI_BASE_URL, or"
                                    + " SATCHEL_MODELS_FILE"));
        }
        List<Finding> findings = new ArrayList<>();
        for (RegisteredModel model : models.models()) {
            findings.add(check(models, model));
        }
        return findings;
    }

    @Override
    public void close() {
        client.close();
    }

    private Finding check(ModelRegistry models, RegisteredModel model) throws InterruptedException {
        String finding = NAME + " " + model.id();
        String variable = model.apiKeyEnv();
        String key = variable == null ? null : variables.get(variable);
        if (variable != null && (key == null || key.isBlank())) {
            return Finding.problem(
                    finding,
                    variable + " is not set: put the key of " + provider(model) + " into it");
        }
        HttpRequest request;
        try {
            request = listModels(models, model);
        } catch (ModelException e) {
            return Finding.problem(finding, e.message());
        }
        Reply reply = replies.get(request);
        if (reply == null) {
            reply = send(request);
            replies.put(request, reply);
        }
        return finding(finding, model, request.uri(), reply);
    }

    /** As the runner asks. */
    private HttpRequest listModels(ModelRegistry models, RegisteredModel model)
            throws ModelException {
        RunConfig.Model wanted =
                Objects.requireNonNull(models.complete(RunConfig.Model.ofRegistry(model.id())));
        return new ModelEndpoint(ModelSettings.resolve(wanted, operator)).listModels();
    }

    private static Finding finding(
            String finding, RegisteredModel model, URI address, Reply reply) {
        String where = model.name() + " at " + address.getAuthority();
        return switch (reply.status()) {
            case 0 ->
                    Finding.problem(
                            finding,
                            where
                                    + " does not answer: start it, or correct its address and the"
                                    + " network on the way");
            case 401, 403 ->
                    Finding.problem(
                            finding,
                            model.apiKeyEnv() == null
                                    ? where + " wants a key: name its variable in apiKeyEnv"
                                    : where + " refuses the key: correct " + model.apiKeyEnv());
            case 200 ->
                    reply.offers(model.name())
                            ? Finding.ok(finding, where)
                            : Finding.problem(
                                    finding,
                                    where
                                            + " is not in the list of models: choose another name."
                                            + " It has "
                                            + shown(reply.names()));
            default ->
                    Finding.warning(
                            finding,
                            where
                                    + " answers with status "
                                    + reply.status()
                                    + " when asked for its models: check the address");
        };
    }

    private static String shown(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())));
        return names.size() > SHOWN_NAMES ? first + ", …" : first;
    }

    private Reply send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> response =
                    client.send(withTimeout(request), BodyHandlers.ofString());
            return new Reply(response.statusCode(), names(response.body()));
        } catch (IOException e) {
            return Reply.NONE;
        }
    }

    private static HttpRequest withTimeout(HttpRequest request) {
        return HttpRequest.newBuilder(request, (_, _) -> true).timeout(TIMEOUT).build();
    }

    /** Empty when the answer is no list. */
    private static List<String> names(String body) {
        try {
            List<String> names = new ArrayList<>();
            for (JsonNode model : Json.MAPPER.readTree(body).path("data")) {
                names.add(model.path("id").stringValue(""));
            }
            return names;
        } catch (JacksonException e) {
            return List.of();
        }
    }

    private static String provider(RegisteredModel model) {
        return model.provider().wireName();
    }
}
