package dev.satchel.server.dialect.openai;

import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent;
import dev.satchel.server.dialect.StreamEvent.Asked;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import dev.satchel.server.dialect.StreamEvent.Logged;
import dev.satchel.server.dialect.StreamEvent.ModelUsed;
import dev.satchel.server.dialect.StreamEvent.Queued;
import dev.satchel.server.dialect.StreamEvent.Resumed;
import dev.satchel.server.dialect.StreamEvent.Retried;
import dev.satchel.server.dialect.StreamEvent.RunCancelled;
import dev.satchel.server.dialect.StreamEvent.RunFailed;
import dev.satchel.server.dialect.StreamEvent.RunStarted;
import dev.satchel.server.dialect.StreamEvent.RunSucceeded;
import dev.satchel.server.dialect.StreamEvent.RunWaiting;
import dev.satchel.server.dialect.StreamEvent.Steered;
import dev.satchel.server.dialect.StreamEvent.StepFailed;
import dev.satchel.server.dialect.StreamEvent.StepPrinted;
import dev.satchel.server.dialect.StreamEvent.StepStarted;
import dev.satchel.server.dialect.StreamEvent.StepSucceeded;
import dev.satchel.server.dialect.StreamEvent.TextAppended;
import dev.satchel.server.dialect.StreamEvent.TextEnded;
import dev.satchel.server.dialect.StreamEvent.TextStarted;
import dev.satchel.server.dialect.StreamEvent.ThinkingAppended;
import dev.satchel.server.dialect.StreamEvent.ThinkingEnded;
import dev.satchel.server.dialect.StreamEvent.ThinkingStarted;
import dev.satchel.server.dialect.StreamEvent.Withdrawn;
import dev.satchel.server.dialect.StreamEvent.WorkspacePending;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the chunks of a chat completion. Thoughts and steps are {@code reasoning_content}, which
 * clients fold away: as tool calls they would be called again by the client. Files are links at the
 * end of the text.
 */
public final class ChatCompletionEncoder implements EventEncoder {
    /** Says that the text before it does not count: a chunk cannot be taken back. */
    static final String WITHDRAWN = "\n\n*This answer begins again.*";

    static final String BARE_WITHDRAWN = HistoryBlock.bare(WITHDRAWN);

    private final URI publicUrl;
    private final String model;
    private final long created;
    private final boolean usageWanted;
    private ChatCompletion whole = new ChatCompletion();
    private int length;
    private boolean hasThought;
    private String id = "";

    /**
     * @param created in seconds
     * @param usageWanted whether the tokens follow in a chunk of their own
     */
    public ChatCompletionEncoder(URI publicUrl, String model, long created, boolean usageWanted) {
        this.publicUrl = publicUrl;
        this.model = model;
        this.created = created;
        this.usageWanted = usageWanted;
    }

    @Override
    public List<Object> encode(StreamEvent event) {
        return switch (event) {
            case RunStarted run -> start(run);
            case TextStarted _ -> length == 0 ? List.of() : say("\n\n");
            case TextAppended text -> append(text);
            case ThinkingStarted _ -> hasThought ? think("\n\n") : List.of();
            case ThinkingAppended thinking -> think(thinking.delta());
            case Withdrawn withdrawn -> withdraw(withdrawn);
            case StepStarted step ->
                    think(
                            line(
                                    "`%s` %s"
                                            .formatted(
                                                    step.name(),
                                                    OpenAiText.arguments(step.args()))));
            case StepFailed step -> think(line("failed: " + step.error()));
            case FileProduced file -> link(file);
            case FileNotHandedOver file -> add(OpenAiText.notHandedOver(file));
            case RunWaiting waiting -> ask(waiting);
            case RunSucceeded run -> finish(reason(run.stopped()), OpenAiUsage.of(run.usage()));
            case RunCancelled run -> List.of(error("cancelled", run.reason()));
            case RunFailed run -> List.of(error(run.code(), run.message()));
            case Queued queued -> queue(queued);
            case TextEnded _, ThinkingEnded _, StepSucceeded _, StepPrinted _ -> List.of();
            case Asked _ -> List.of(); // the end of the stream names all
            case ModelUsed _, Retried _, Resumed _, Steered _, Logged _, WorkspacePending _ ->
                    List.of(); // chat completions have no place for them
        };
    }

    /** The answer to what was asked is a completion of its own. */
    @Override
    public void resumed() {
        whole = new ChatCompletion();
        length = 0;
        hasThought = false;
    }

    /** The answer of a request that is not streamed, after the end of the run. */
    Map<String, Object> completion() {
        Map<String, Object> completion = head();
        completion.put("object", "chat.completion");
        completion.putAll(whole.members(publicUrl));
        return completion;
    }

    private List<Object> start(RunStarted run) {
        id = "chatcmpl-" + run.runId();
        Map<String, Object> chunk = chunk(JsonObjects.of("role", "assistant", "content", ""), null);
        chunk.put("satchel", JsonObjects.of("chatId", run.chatId(), "runId", run.runId()));
        return List.of(chunk);
    }

    private List<Object> queue(Queued queued) {
        return queued.position() == 0
                ? List.of()
                : think(line("waiting for a free place, number " + queued.position()));
    }

    private List<Object> append(TextAppended text) {
        whole.append(text.part(), text.delta());
        return say(text.delta());
    }

    private List<Object> withdraw(Withdrawn withdrawn) {
        whole.withdraw(withdrawn.text());
        return withdrawn.text().isEmpty() ? List.of() : say(WITHDRAWN);
    }

    /** Adds a paragraph after the text of the agent. */
    private List<Object> add(String text) {
        whole.add(text, null);
        return say(paragraph(text));
    }

    private List<Object> say(String text) {
        length += text.length();
        return List.of(chunk(JsonObjects.of("content", text), null));
    }

    private List<Object> think(String text) {
        hasThought = true;
        whole.think(text);
        return List.of(chunk(JsonObjects.of("reasoning_content", text), null));
    }

    private List<Object> link(FileProduced file) {
        String link = OpenAiText.link(publicUrl, file);
        whole.add(link, file);
        String text = paragraph(link);
        length += text.length();
        Object citation = OpenAiText.citation(publicUrl, file, length - link.length(), length);
        return List.of(
                chunk(JsonObjects.of("content", text, "annotations", List.of(citation)), null));
    }

    private List<Object> ask(RunWaiting waiting) {
        List<Object> chunks = new ArrayList<>();
        for (Asked asked : waiting.asks()) {
            chunks.addAll(add(OpenAiText.question(asked)));
        }
        chunks.addAll(finish("stop", OpenAiUsage.of(null)));
        return chunks;
    }

    private List<Object> finish(String reason, OpenAiUsage usage) {
        whole.finish(reason, usage);
        List<Object> chunks = new ArrayList<>();
        chunks.add(chunk(JsonObjects.of(), reason));
        if (usageWanted) {
            Map<String, Object> last = head();
            last.put("choices", List.of());
            last.put("usage", usage.ofCompletion());
            chunks.add(last);
        }
        return chunks;
    }

    private static String reason(@Nullable String stopped) {
        return Result.MAX_TOKENS.equals(stopped) ? "length" : "stop";
    }

    /** {@code error} in a chunk is what clients throw. */
    private Map<String, Object> error(String code, String message) {
        whole.fail(code, message);
        return JsonObjects.of(
                "error",
                JsonObjects.of(
                        "message",
                        message,
                        "type",
                        "server_error",
                        "param",
                        JsonObjects.NULL,
                        "code",
                        code));
    }

    private Map<String, Object> chunk(Map<String, Object> delta, @Nullable String reason) {
        Map<String, Object> chunk = head();
        chunk.put(
                "choices",
                List.of(
                        JsonObjects.of(
                                "index",
                                0,
                                "delta",
                                delta,
                                "finish_reason",
                                reason == null ? JsonObjects.NULL : reason)));
        return chunk;
    }

    private Map<String, Object> head() {
        return JsonObjects.of(
                "id", id, "object", "chat.completion.chunk", "created", created, "model", model);
    }

    private String paragraph(String text) {
        return length == 0 ? text : "\n\n" + text;
    }

    private String line(String text) {
        return hasThought ? "\n" + text + "\n" : text + "\n";
    }
}
