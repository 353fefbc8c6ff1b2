package dev.satchel.runner.agent;

import dev.satchel.runner.model.Model;
import java.io.IOException;

/** Asks a model and runs the tools it calls, until it answers without a tool call. */
public final class ModelAgent implements AgentLoop {
    private final Model model;

    public ModelAgent(Model model) {
        this.model = model;
    }

    @Override
    public AgentAnswer answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException, AgentFailedException, AgentParkedException {
        return new ModelRounds(model, task, steps).answer();
    }
}
