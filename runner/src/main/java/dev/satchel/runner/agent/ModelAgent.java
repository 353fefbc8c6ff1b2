package dev.satchel.runner.agent;

import dev.satchel.runner.image.ScaledImageLoader;
import dev.satchel.runner.model.Model;
import dev.satchel.tools.ImageLoader;
import java.io.IOException;

/** Asks a model and runs the tools it calls, until it answers without a tool call. */
public final class ModelAgent implements AgentLoop {
    private final Model model;
    private final LoopSettings settings;

    public ModelAgent(Model model, LoopSettings settings) {
        this.model = model;
        this.settings = settings;
    }

    @Override
    public AgentAnswer answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException, AgentFailedException {
        ImageLoader images =
                new ScaledImageLoader(
                        task.context().sandbox(),
                        model.imageLimits(),
                        settings.images().maxPixels());
        return new ModelRounds(model, task.showing(images), settings, steps).answer();
    }
}
