package dev.satchel.runner.agent;

import java.io.IOException;

/** Answers one prompt, and calls tools on the way. An interrupt ends it. */
public interface AgentLoop {
    AgentAnswer answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException, AgentFailedException;
}
