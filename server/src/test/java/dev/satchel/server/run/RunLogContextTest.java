package dev.satchel.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.satchel.server.testing.LogLines;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The lines that a turn writes to the log, of the server and of its runner. */
@Timeout(120)
class RunLogContextTest {
    private static final List<String> LOGGERS =
            List.of(
                    "dev.satchel.server.execution",
                    "dev.satchel.server.snapshot",
                    "dev.satchel.runner.run");

    @TempDir private Path data;

    @BeforeEach
    void logMore() {
        LOGGERS.forEach(name -> logger(name).setLevel(Level.INFO));
    }

    @AfterEach
    void logAsBefore() {
        LOGGERS.forEach(name -> logger(name).setLevel(null));
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    @Test
    void everyLineOfARunNamesItAndItsChat() throws Exception {
        try (LogLines lines = LogLines.of("dev.satchel")) {
            JsonNode first;
            try (TestServer server = TestServer.startWhole(data);
                    Events events = server.turn(Map.of("message", "/sh echo hello > made.txt"))) {
                first = events.next().orElseThrow().data();
                assertThat(events.rest()).isNotEmpty();
            } // closing waits for the last lines

            for (String line : List.of("run settled", "snapshot taken", "run ended")) {
                assertThat(lines.valuesOf(line))
                        .as(line)
                        .singleElement()
                        .satisfies(
                                values ->
                                        assertThat(values)
                                                .containsEntry(
                                                        "runId", first.get("runId").stringValue())
                                                .containsEntry(
                                                        "chatId",
                                                        first.get("chatId").stringValue()));
            }
        }
    }
}
