package dev.satchel.server.turn;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentChoice;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentReference;
import dev.satchel.server.agent.AgentStore;
import dev.satchel.server.agent.ChatAgentStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.run.RunSetup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agent and the model of a chat: those that its messages named last, else the agent of its
 * session, else the default agent of the tenant. A deleted agent counts as not chosen.
 */
public final class ChatAgents {
    private final AgentStore agents;
    private final ChatAgentStore choices;
    private final SessionSetups sessions;
    private final ModelRegistry models;

    /** The agent of a conversation that is a session of one. */
    @FunctionalInterface
    public interface SessionSetups {
        Optional<RunSetup> find(Transaction tx, ConversationId conversation);
    }

    public ChatAgents(
            AgentStore agents,
            ChatAgentStore choices,
            SessionSetups sessions,
            ModelRegistry models) {
        this.agents = agents;
        this.choices = choices;
        this.sessions = sessions;
        this.models = models;
    }

    /**
     * The agent and the model of the next turn of a chat.
     *
     * @param choice what the chat has chosen, also if it exists no longer
     * @param setup of the run, with the model
     * @param notice why something else than the choice is used; null if it is not
     */
    public record Selected(AgentChoice choice, RunSetup setup, @Nullable String notice) {
        @Nullable AgentReference agent() {
            return setup.agent();
        }
    }

    /** Refuses an unknown agent or model, and an agent of another tenant. */
    void require(Transaction tx, Caller caller, AgentSelection wanted) {
        AgentId agent = wanted.agentAfter(null);
        if (agent != null) {
            Agent _ = agents.require(tx, caller.tenant(), agent);
        }
        String model = wanted.model();
        if (model != null && !takesBack(model)) {
            models.require("model", model);
        }
    }

    /** Stores what a message names, and returns what the chat has chosen then. */
    AgentChoice select(Transaction tx, Caller caller, ConversationId chat, AgentSelection wanted) {
        AgentChoice before = choices.find(tx, chat);
        if (wanted.equals(AgentSelection.KEEP)) {
            return before;
        }
        require(tx, caller, wanted);
        String model = wanted.model();
        AgentChoice after =
                new AgentChoice(
                        wanted.agentAfter(before.agent()),
                        model == null ? before.model() : takesBack(model) ? null : model);
        if (!after.equals(before)) {
            choices.save(tx, chat, after);
        }
        return after;
    }

    /** Takes back what the chat has chosen and what exists no longer, so that one turn says it. */
    void forgetMissing(Transaction tx, ConversationId chat, Selected selected) {
        AgentChoice kept = choices.find(tx, chat);
        if (selected.notice() != null && kept.equals(selected.choice())) {
            AgentId agent = kept.agent();
            String model = kept.model();
            boolean exists = agent != null && isChosen(agent, selected.agent());
            choices.save(
                    tx,
                    chat,
                    new AgentChoice(
                            exists ? agent : null,
                            model != null && models.find(model).isPresent() ? model : null));
        }
    }

    private static boolean isChosen(AgentId agent, @Nullable AgentReference used) {
        return used != null && used.id().equals(agent.value());
    }

    /** What a chat has chosen. */
    Selected find(Transaction tx, TenantId tenant, ConversationId chat) {
        return resolve(tx, tenant, chat, choices.find(tx, chat));
    }

    Selected resolve(Transaction tx, TenantId tenant, ConversationId chat, AgentChoice choice) {
        AgentId id = choice.agent();
        Optional<Agent> chosen = id == null ? Optional.empty() : agents.find(tx, tenant, id);
        RunSetup setup = chosen.map(RunSetup::of).orElseGet(() -> unchosen(tx, tenant, chat));
        String problem = id == null || chosen.isPresent() ? "" : deleted(tx, id, setup);
        String model = choice.model();
        if (model != null && models.find(model).isEmpty()) {
            problem += (problem.isEmpty() ? "" : " ") + missing(model);
            model = null;
        }
        return new Selected(choice, setup.withModel(model), problem.isEmpty() ? null : problem);
    }

    /** The setup of a chat that has chosen no agent. */
    private RunSetup unchosen(Transaction tx, TenantId tenant, ConversationId chat) {
        return sessions.find(tx, chat)
                .filter(setup -> setup.agent() != null)
                .or(() -> findDefault(tx, tenant).map(RunSetup::of))
                .orElseGet(RunSetup::plain);
    }

    private Optional<Agent> findDefault(Transaction tx, TenantId tenant) {
        return choices.findDefault(tx, tenant).flatMap(id -> agents.find(tx, tenant, id));
    }

    private String deleted(Transaction tx, AgentId id, RunSetup used) {
        AgentReference other = used.agent();
        return "The agent \"%s\" of this chat was deleted. %s answers."
                .formatted(
                        agents.nameOfDeleted(tx, id),
                        other == null ? "The default agent" : "The agent \"" + other.name() + "\"");
    }

    private static String missing(String model) {
        return "This server no longer has the model %s of this chat. The model of the agent answers."
                .formatted(model);
    }

    /** Unless a model of the registry has this id. */
    private boolean takesBack(String model) {
        return model.equals(AgentSelection.DEFAULT) && models.find(model).isEmpty();
    }
}
