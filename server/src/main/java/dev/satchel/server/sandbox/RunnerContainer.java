package dev.satchel.server.sandbox;

import dev.satchel.runner.sandbox.SandboxLimits;
import java.util.Map;

/** The image of a runner, the limits of its run and the variables that it reads. */
public record RunnerContainer(String image, SandboxLimits limits, Map<String, String> variables) {
    public RunnerContainer {
        variables = Map.copyOf(variables);
    }

    @Override
    public String toString() { // the variables contain the model's key
        return "RunnerContainer[image=" + image + "]";
    }
}
