package dev.satchel.runner.approval;

import dev.satchel.protocol.RunConfig.Answer;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.runner.approval.ToolPermissions.OnAsk;
import dev.satchel.runner.approval.ToolPermissions.Permission;
import dev.satchel.runner.tool.AskUserTool;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides before each call whether it runs, is refused, or waits for a person. The id of an ask is
 * made of the number of the reply and of the call in it, so that a continued run finds its answer.
 */
public final class CallApprovals {
    private final Toolset tools;
    private final ToolPermissions permissions;
    private final Clock clock;

    public CallApprovals(Toolset tools, ToolPermissions permissions, Clock clock) {
        this.tools = tools;
        this.permissions = permissions;
        this.clock = clock;
    }

    /** What happens with a call. */
    public sealed interface Verdict {
        /** The id of its step, if a person was asked. */
        default @Nullable String stepId() {
            return null;
        }
    }

    /** It runs. */
    public record Allowed(@Nullable String stepId) implements Verdict {}

    /** It does not run, and this is its result: a refusal, or what a person has answered. */
    public record Settled(ToolResult result, @Nullable String stepId) implements Verdict {}

    /** The run must not ask, and ends with this message. */
    public record Refused(String message) implements Verdict {}

    /** A person must be asked first. */
    public record Waiting(Ask ask) implements Verdict {}

    /**
     * Says what becomes of a call.
     *
     * @param id that of the ask, if there is one
     * @param name the tool's name or alias
     * @param arguments which are valid JSON
     */
    public Verdict decide(String id, String name, JsonNode arguments) {
        String tool = tools.find(name).map(found -> found.description().name()).orElse(name);
        Optional<Answer> answer = permissions.answer(id);
        if (answer.isPresent()) {
            return answered(id, tool, answer.get());
        }
        Permission permission = permissions.of(tool);
        if (permission == Permission.DENY) {
            return new Settled(
                    ToolResult.failure("The permissions of this agent deny the tool " + tool + "."),
                    null);
        }
        if (tools.find(name).isEmpty()) { // a person need not decide about it
            return new Settled(tools.unknown(name), null);
        }
        if (tool.equals(AskUserTool.NAME)) {
            return question(id, arguments);
        }
        if (permission == Permission.ALLOW) {
            return new Allowed(null);
        }
        return ask(
                Ask.approval(id, tool, arguments, clock.millis()),
                "The tool " + tool + " needs the approval of a person, and this run cannot ask.");
    }

    private Verdict question(String id, JsonNode arguments) {
        AskUserTool.Question question;
        try {
            question = AskUserTool.Question.of(arguments);
        } catch (InvalidArgumentException e) {
            return new Settled(ToolResult.failure(String.valueOf(e.getMessage())), null);
        }
        Ask line =
                new Ask(
                        id,
                        Ask.Kind.QUESTION,
                        AskUserTool.NAME,
                        arguments,
                        question.question(),
                        question.options(),
                        null,
                        null,
                        clock.millis());
        return ask(line, "No person can answer in this run.");
    }

    private Verdict ask(Ask line, String refusal) {
        OnAsk onAsk = permissions.onAsk();
        if (onAsk == OnAsk.FAIL) {
            return new Refused(
                    "The agent had to ask a person before it calls "
                            + line.tool()
                            + ", and this run does not ask.");
        }
        return onAsk == OnAsk.PARK
                ? new Waiting(line)
                : new Settled(ToolResult.failure(refusal), null);
    }

    private static Verdict answered(String id, String tool, Answer answer) {
        String text = answer.text() == null ? "" : answer.text();
        if (tool.equals(AskUserTool.NAME)) {
            return new Settled(
                    answer.isAllowed()
                            ? ToolResult.success(text)
                            : ToolResult.failure(
                                    "The person did not answer the question." + reason(text)),
                    id);
        }
        return answer.isAllowed()
                ? new Allowed(id)
                : new Settled(
                        ToolResult.failure("The person denied this call." + reason(text)), id);
    }

    private static String reason(String text) {
        return text.isBlank() ? "" : " The person says: " + text;
    }
}
