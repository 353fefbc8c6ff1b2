package dev.satchel.server.dialect;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.server.runlog.RunEvent.Cut;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a client of another protocol receives of a run, in an order that such protocols require:
 * text and steps start and end exactly once, and nothing follows the end of the run.
 */
public sealed interface StreamEvent {
    record RunStarted(String chatId, String runId) implements StreamEvent {}

    /** A diagnostic message, as it stands in the log; sent only on request. */
    record Logged(JsonNode line) implements StreamEvent {}

    /** Parts of text are numbered from 1. */
    record TextStarted(int part) implements StreamEvent {}

    record TextAppended(int part, String delta) implements StreamEvent {}

    record TextEnded(int part) implements StreamEvent {}

    /** Parts of what the model thinks are numbered from 1. */
    record ThinkingStarted(int part) implements StreamEvent {}

    record ThinkingAppended(int part, String delta) implements StreamEvent {}

    record ThinkingEnded(int part) implements StreamEvent {}

    /** Parts that have ended and do not count: what is right follows in other parts. */
    record Withdrawn(List<Integer> text, List<Integer> thinking) implements StreamEvent {
        public Withdrawn {
            text = List.copyOf(text);
            thinking = List.copyOf(thinking);
        }
    }

    /** A person must answer before the step with this id goes on; it has started before. */
    record Asked(String id, String kind, String tool, String question, JsonNode line)
            implements StreamEvent {}

    record StepStarted(String id, String name, JsonNode args, Cut cut) implements StreamEvent {}

    /** What a running step has printed; {@code tail} is the end of everything that it printed. */
    record StepPrinted(String id, String stream, String text, String tail) implements StreamEvent {}

    record StepSucceeded(String id, JsonNode result, Cut cut) implements StreamEvent {}

    record StepFailed(String id, String error, Cut cut) implements StreamEvent {}

    /** The tokens of one call of a model, as they stand in the log. */
    record ModelUsed(JsonNode line) implements StreamEvent {}

    /** A call of the model failed and is repeated after a wait. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Retried(int attempt, long delayMs, String code, String message, @Nullable String model)
            implements StreamEvent {}

    /** The run is continued after its server or its runner was lost. */
    record Resumed(int attempt) implements StreamEvent {}

    /** The run waits for a free place, at this place of the queue; it starts now if that is 0. */
    record Queued(long position) implements StreamEvent {}

    /** A message of the person that the agent has heard during the run. */
    record Steered(String messageId, String text) implements StreamEvent {}

    /** A file that the run handed in, with its download address. */
    record FileProduced(String id, String name, String mimeType, long size, String url)
            implements StreamEvent {
        public static String url(String chatId, String fileId) {
            return "/api/assistant/chats/" + chatId + "/files/" + fileId;
        }
    }

    /** A file that the run made and that stays in the workspace, with its address there. */
    record FileNotHandedOver(String path, long size, String reason, String url)
            implements StreamEvent {
        public static FileNotHandedOver of(String chatId, NotHandedOver file) {
            return new FileNotHandedOver(
                    file.path(), file.size(), file.reason(), url(chatId, file.path()));
        }

        private static String url(String chatId, String path) {
            String encoded =
                    Arrays.stream(path.split("/", -1))
                            .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8))
                            .collect(Collectors.joining("/"))
                            .replace("+", "%20");
            return "/api/sessions/" + chatId + "/files/" + encoded;
        }
    }

    /** The files of the workspace are in no snapshot yet. */
    record WorkspacePending() implements StreamEvent {}

    /** With the reason if the agent ended before it was done, and with its tokens. */
    record RunSucceeded(String messageId, @Nullable String stopped, @Nullable JsonNode usage)
            implements StreamEvent {}

    /** The run waits for the answers to these asks. */
    record RunWaiting(List<Asked> asks) implements StreamEvent {
        public RunWaiting {
            asks = List.copyOf(asks);
        }
    }

    record RunCancelled(String reason) implements StreamEvent {}

    record RunFailed(String code, String message) implements StreamEvent {}
}
