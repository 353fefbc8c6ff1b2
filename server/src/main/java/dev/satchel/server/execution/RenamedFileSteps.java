package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.bag.WorkspaceCopies;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Adds a step to a run for every file that has another name in its workspace. */
final class RenamedFileSteps {
    private static final String NAME = "rename_file";

    private final LineRecorder recorder;
    private final Clock clock;

    RenamedFileSteps(LineRecorder recorder, Clock clock) {
        this.recorder = recorder;
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
            recorder.add(new SandboxLine.StepStarted(id, NAME, args, now));
            recorder.add(
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
}
