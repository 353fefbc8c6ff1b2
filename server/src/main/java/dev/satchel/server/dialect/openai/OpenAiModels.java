package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentReference;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.RegisteredModel;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.turn.AgentSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a client may send as {@code model}: {@code satchel} for the default agent, a model of the
 * registry with the default agent, or {@code agent:} and the name or the id of an agent.
 */
final class OpenAiModels {
    private static final String STANDARD = "satchel";
    private static final String AGENT = "agent:";
    private static final String DEFAULT = "default";

    private final ModelRegistry models;
    private final AgentService agents;

    OpenAiModels(ModelRegistry models, AgentService agents) {
        this.models = models;
        this.agents = agents;
    }

    /** {@code GET /v1/models} */
    void list(Exchange exchange, Caller caller) {
        exchange.json(200, JsonObjects.of("object", "list", "data", all(caller)));
    }

    /** {@code GET /v1/models/{model}} */
    void get(Exchange exchange, Caller caller) {
        String wanted = exchange.pathParameter("model");
        Object found =
                all(caller).stream()
                        .filter(model -> wanted.equals(model.get("id")))
                        .findFirst()
                        .orElseThrow(() -> noSuchModel(wanted));
        exchange.json(200, found);
    }

    /** The agent and the model of a request; another choice of an earlier one is taken back. */
    AgentSelection selection(Caller caller, String model) {
        if (models.find(model).isPresent()) {
            return new AgentSelection(DEFAULT, model);
        }
        if (model.equals(STANDARD)) {
            return new AgentSelection(DEFAULT, DEFAULT);
        }
        if (!model.startsWith(AGENT)) {
            throw noSuchModel(model);
        }
        return new AgentSelection(agent(caller, model).id().value(), DEFAULT);
    }

    /** What a client may send for the same agent and model as a run has. */
    static String nameOf(RunSetup setup) {
        AgentReference agent = setup.agent();
        if (agent != null) {
            return AGENT + agent.name();
        }
        RunConfig.Model model = setup.model();
        String id = model == null ? null : model.id();
        return id == null ? STANDARD : id;
    }

    private Agent agent(Caller caller, String model) {
        String name = model.substring(AGENT.length());
        Optional<Agent> named = agents.find(caller, name);
        return named.isEmpty() && AgentId.isValid(name)
                ? agents.get(caller, new AgentId(name))
                : named.orElseThrow(() -> noSuchModel(model));
    }

    private List<Map<String, Object>> all(Caller caller) {
        List<Map<String, Object>> all = new ArrayList<>();
        all.add(view(STANDARD, "Satchel", 0));
        for (Agent agent : agents.list(caller)) {
            String name = agent.spec().name();
            all.add(view(AGENT + name, name, agent.createdAt() / 1000));
        }
        for (RegisteredModel model : models.models()) {
            all.add(view(model.id(), model.name(), 0));
        }
        return all;
    }

    private static Map<String, Object> view(String id, String name, long created) {
        return JsonObjects.of(
                "id",
                id,
                "object",
                "model",
                "created",
                created,
                "owned_by",
                STANDARD,
                "name",
                name);
    }

    private static SatchelException noSuchModel(String model) {
        return new SatchelException(
                        ErrorCode.NOT_FOUND,
                        "no model "
                                + model.substring(0, Math.min(model.length(), 128))
                                + "; GET /v1/models lists them")
                .withDetails(Map.of("code", "model_not_found", "param", "model"));
    }
}
