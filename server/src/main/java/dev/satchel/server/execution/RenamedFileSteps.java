package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.conversation.Transcript;
import dev.satchel.server.runlog.RunLogWriter;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Adds a step to a run for every file that has another name in its workspace. */
final class RenamedFileSteps {
    private static final String NAME = "rename_file";

    private final RunLogWriter log;
    private final Transcript transcript;
    private final Clock clock;

    RenamedFileSteps(RunLogWriter log, Transcript transcript, Clock clock) {
        this.log = log;
        this.transcript = transcript;
        this.clock = clock;
    }

    void add(List<WorkspaceCopies.Renamed> files) throws InterruptedException {
        int number = 0;
        for (WorkspaceCopies.Renamed file : files) {
            number++;
            String id = "renamed-file-" + number;
            JsonNode args = Json.MAPPER.valueToTree(Map.of("file", file.name()));
            JsonNode result = Json.MAPPER.valueToTree(Map.of("path", file.path()));
            long now = clock.millis();
            append(new SandboxLine.StepStarted(id, NAME, args, now));
            append(
                    new SandboxLine.StepEnded(
                            id,
                            NAME,
                            SandboxLine.StepEnded.Outcome.SUCCEEDED,
                            result,
                            null,
                            0L,
                            now));
        }
    }

    private void append(SandboxLine line) throws InterruptedException {
        transcript.add(line);
        log.append(line.type(), Json.MAPPER.writeValueAsString(line));
    }
}
