package dev.satchel.runner.agent;

import dev.satchel.runner.image.ScaledImageLoader;
import dev.satchel.runner.model.Model;
import dev.satchel.tools.ImageLoader;
import java.io.IOException;

/** Asks a model and runs the tools it calls, until it answers without a tool call. */
public final class ModelAgent implements AgentLoop {
    private static final long MAX_IMAGE_PIXELS = 100_000_000;

    private final Model model;

    public ModelAgent(Model model) {
        this.model = model;
    }

    @Override
    public AgentAnswer answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException, AgentFailedException {
        ImageLoader images =
                new ScaledImageLoader(
                        task.context().sandbox(), model.imageLimits(), MAX_IMAGE_PIXELS);
        return new ModelRounds(model, task.showing(images), steps).answer();
    }
}
