package dev.satchel.runner.agent;

import java.io.IOException;

/** Answers one prompt, with tools if it needs them. Interrupting it ends it. */
public interface AgentLoop {
    /** Returns the message of the run's {@code result} line. */
    String answer(AgentTask task, StepListener steps)
            throws IOException, InterruptedException, AgentFailedException;
}
