package dev.satchel.runner.run;

import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.LoopSettings;
import dev.satchel.runner.agent.ModelAgent;
import dev.satchel.runner.model.Model;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ModelFactory;
import java.util.Optional;

/** Selects the agent of a run: with a model if one is configured, else the offline agent. */
public final class AgentSelector {
    private final ModelFactory models;
    private final AgentLoop offline;
    private final LoopSettings loop;

    public AgentSelector(ModelFactory models, AgentLoop offline, LoopSettings loop) {
        this.models = models;
        this.offline = offline;
        this.loop = loop;
    }

    LoopSettings loop() {
        return loop;
    }

    AgentLoop select(RunConfig config) throws AgentFailedException {
        try {
            Optional<Model> model = models.find(config.model());
            return model.isPresent() ? new ModelAgent(model.get(), loop) : offline;
        } catch (ModelException e) {
            throw new AgentFailedException(e.code().wireName(), e.message());
        }
    }
}
