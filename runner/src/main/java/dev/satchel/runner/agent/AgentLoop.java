package dev.satchel.runner.agent;

import java.io.IOException;

/** Answers one prompt, and calls tools on the way. An interrupt ends it. */
public interface AgentLoop {
    /** Returns the message of the run's {@code result} line. */
    String answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException, AgentFailedException;
}
