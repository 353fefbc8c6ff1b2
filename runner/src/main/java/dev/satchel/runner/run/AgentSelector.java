package dev.satchel.runner.run;

import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.agent.Agent;
import dev.satchel.runner.agent.AgentFailure;
import dev.satchel.runner.agent.ModelAgent;
import dev.satchel.runner.model.Model;
import dev.satchel.runner.model.ModelFailure;
import dev.satchel.runner.model.Models;
import java.util.Optional;

/** Chooses who answers: a model where one is set up, else the agent that needs none. */
public final class AgentSelector {
    private final Models models;
    private final Agent offline;

    public AgentSelector(Models models, Agent offline) {
        this.models = models;
        this.offline = offline;
    }

    Agent choose(RunConfig config) throws AgentFailure {
        try {
            Optional<Model> model = models.find(config.model());
            return model.isPresent() ? new ModelAgent(model.get()) : offline;
        } catch (ModelFailure e) {
            throw new AgentFailure(e.code().wireName(), e.message());
        }
    }
}
