package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunConfig.Answer;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.runner.approval.CallApprovals;
import dev.satchel.runner.approval.ToolPermissions;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.runner.tool.AskUserTool;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What happens with calls that a person must allow, and with those that are denied. */
class CallApprovalsTest extends ModelAgentFixture {
    private final List<String> ran = new ArrayList<>();

    private record Counted(String name, List<String> aliases, List<String> ran)
            implements Tool<ToolContext> {
        @Override
        public ToolDescription description() {
            return new ToolDescription(name, aliases, "d", "{\"properties\": {}}");
        }

        @Override
        public ToolResult call(JsonNode arguments, ToolContext context) {
            ran.add(name);
            return ToolResult.success(name + " done");
        }
    }

    private Toolset tools() {
        List<Tool<ToolContext>> tools = new ArrayList<>();
        tools.add(new Counted("sh", List.of("bash"), ran));
        tools.add(new Counted("write", List.of(), ran));
        tools.add(new Counted("view", List.of(), ran));
        tools.add(Toolset.standard().find(AskUserTool.NAME).orElseThrow());
        return new Toolset(tools);
    }

    private static ToolPermissions permissions(
            Map<String, String> rules, @Nullable String onAsk, Answer... answers) {
        RunConfig config =
                new RunConfig(
                        "run",
                        "",
                        List.of(),
                        null,
                        "default",
                        null,
                        null,
                        0,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        rules,
                        onAsk,
                        List.of(answers));
        return ToolPermissions.of(config, true);
    }

    private List<ToolResult> run(ToolPermissions permissions, String... calls) throws Exception {
        AgentTask plain = task(10, List.of(), false, tools());
        AgentTask task =
                new AgentTask(
                        plain.prompt(),
                        plain.history(),
                        plain.systemPrompt(),
                        plain.maxRounds(),
                        plain.files(),
                        plain.moreFiles(),
                        plain.tools(),
                        plain.context(),
                        plain.streamText(),
                        permissions,
                        List.of());
        List<ModelReply.Call> made = new ArrayList<>();
        for (String call : calls) {
            String arguments =
                    call.equals(AskUserTool.NAME)
                            ? "{\"question\":\"Which year?\",\"options\":[\"2025\",\"2026\"]}"
                            : "{\"n\":" + made.size() + "}";
            made.add(new ModelReply.Call("t" + made.size(), call, arguments));
        }
        return new ToolCallRunner(task, 8, new StepRecorder(lines::add, Clock.systemUTC(), 1000))
                .run(new ModelReply("", made, false));
    }

    private static Answer answer(String id, String tool, String decision, @Nullable String text) {
        return new Answer(id, tool, decision, text, null);
    }

    private List<String> asked() {
        return lines.stream()
                .filter(Ask.class::isInstance)
                .map(line -> ((Ask) line).id() + " " + ((Ask) line).tool())
                .toList();
    }

    @Test
    void noPersonIsAskedAboutAToolThatTheAgentDoesNotHave() throws Exception {
        ToolPermissions permissions = permissions(Map.of("*", "ask", "view", "allow"), null);
        ToolResult result = run(permissions, "edit").getFirst();
        assertThat(result.succeeded()).isFalse();
        assertThat(result.text()).startsWith("Unknown tool edit. The tools are sh, write, view");
        assertThat(asked()).isEmpty();
    }

    @Test
    void callsBeforeTheFirstAskRunAndAllAsksAreWrittenTogether() {
        ToolPermissions permissions = permissions(Map.of("sh", "ask", "write", "ask"), null);
        assertThatThrownBy(() -> run(permissions, "view", "sh", "view", "write"))
                .isInstanceOf(AgentParkedException.class);
        assertThat(ran).containsExactly("view");
        assertThat(asked()).containsExactly("call_1_1 sh", "call_1_3 write");
        assertThat(lines)
                .extracting(SandboxLine::type)
                .containsExactly("step", "step", "ask", "ask");
    }

    @Test
    void allowedCallRunsAsTheStepOfItsAsk() throws Exception {
        ToolPermissions permissions =
                permissions(Map.of("sh", "ask"), null, answer("call_1_0", "sh", "allow", null));
        assertThat(run(permissions, "sh", "view").getFirst().text()).isEqualTo("sh done");
        assertThat(ran).containsExactly("sh", "view");
        assertThat(((StepStarted) lines.getFirst()).id()).isEqualTo("call_1_0");
        assertThat(((StepStarted) lines.get(2)).id()).isEqualTo("step_1");
    }

    @Test
    void deniedCallDoesNotRunAndTheModelReadsTheReason() throws Exception {
        ToolPermissions permissions =
                permissions(
                        Map.of("sh", "ask"), null, answer("call_1_0", "sh", "deny", "too risky"));
        ToolResult result = run(permissions, "sh").getFirst();
        assertThat(result.succeeded()).isFalse();
        assertThat(result.text()).contains("denied").contains("too risky");
        assertThat(ran).isEmpty();
        assertThat(((StepEnded) lines.get(1)).id()).isEqualTo("call_1_0");
    }

    @Test
    void missingAnswerIsAskedAgain() {
        ToolPermissions permissions =
                permissions(Map.of("sh", "ask"), null, answer("call_1_0", "sh", "allow", null));
        assertThatThrownBy(() -> run(permissions, "sh", "sh"))
                .isInstanceOf(AgentParkedException.class);
        assertThat(ran).containsExactly("sh");
        assertThat(asked()).containsExactly("call_1_1 sh");
    }

    @Test
    void decisionForTheRunHoldsForLaterCalls() throws Exception {
        Answer forRun = new Answer("call_9_0", "sh", "allow", null, "run");
        assertThat(run(permissions(Map.of("sh", "ask"), null, forRun), "sh", "bash")).hasSize(2);
        assertThat(ran).containsExactly("sh", "sh");
    }

    @Test
    void aliasHasThePermissionOfItsTool() throws Exception {
        ToolResult denied = run(permissions(Map.of("sh", "deny"), null), "bash").getFirst();
        assertThat(denied.text()).contains("deny the tool sh");
        assertThat(ran).isEmpty();
    }

    @Test
    void mostSpecificPatternCounts() {
        ToolPermissions permissions =
                permissions(
                        Map.of(
                                "*",
                                "deny",
                                "mcp:*",
                                "ask",
                                "mcp:github:*",
                                "allow",
                                "mcp:github:delete",
                                "deny"),
                        null);
        assertThat(permissions.of("sh")).isEqualTo(ToolPermissions.Permission.DENY);
        assertThat(permissions.of("mcp:x:y")).isEqualTo(ToolPermissions.Permission.ASK);
        assertThat(permissions.of("mcp:github:list")).isEqualTo(ToolPermissions.Permission.ALLOW);
        assertThat(permissions.of("mcp:github:delete")).isEqualTo(ToolPermissions.Permission.DENY);
        assertThat(permissions(Map.of(), null).of("sh"))
                .isEqualTo(ToolPermissions.Permission.ALLOW);
        assertThat(permissions(Map.of("sh", "perhaps"), null).of("sh"))
                .isEqualTo(ToolPermissions.Permission.DENY);
    }

    @Test
    void questionAsksAndItsAnswerIsTheResult() throws Exception {
        assertThatThrownBy(() -> run(permissions(Map.of(), null), AskUserTool.NAME))
                .isInstanceOf(AgentParkedException.class);
        Ask ask = (Ask) lines.getFirst();
        assertThat(ask.kind()).isEqualTo(Ask.Kind.QUESTION);
        assertThat(ask.question()).isEqualTo("Which year?");
        assertThat(ask.options()).containsExactly("2025", "2026");
        Answer text = answer("call_1_0", AskUserTool.NAME, "allow", "1999");
        assertThat(run(permissions(Map.of(), null, text), AskUserTool.NAME).getFirst().text())
                .isEqualTo("1999");
        Answer declined = answer("call_1_0", AskUserTool.NAME, "deny", null);
        assertThat(run(permissions(Map.of(), null, declined), AskUserTool.NAME).getFirst())
                .matches(result -> !result.succeeded());
    }

    @Test
    void runThatDoesNotAskIsRefusedOrFails() throws Exception {
        ToolResult refused = run(permissions(Map.of("sh", "ask"), "deny"), "sh").getFirst();
        assertThat(refused.text()).contains("needs the approval of a person");
        assertThat(ran).isEmpty();
        assertThatThrownBy(() -> run(permissions(Map.of("sh", "ask"), "fail"), "sh"))
                .isInstanceOfSatisfying(
                        AgentFailedException.class,
                        e -> assertThat(e.code()).isEqualTo("ask_refused"));
        assertThat(asked()).isEmpty();
    }

    @Test
    void modelIsOfferedWhatItMayUse() {
        List<ToolDescription> all = tools().descriptions();
        assertThat(permissions(Map.of("sh", "deny"), null).offered(all))
                .extracting(ToolDescription::name)
                .containsExactly("write", "view", AskUserTool.NAME);
        assertThat(permissions(Map.of("sh", "ask"), "deny").offered(all))
                .extracting(ToolDescription::name)
                .containsExactly("sh", "write", "view");
    }

    @Test
    void invalidArgumentsAreNotAsked() throws Exception {
        AgentTask plain = task(10, List.of(), false, tools());
        CallApprovals approvals =
                new CallApprovals(plain.tools(), permissions(Map.of(), null), Clock.systemUTC());
        JsonNode noQuestion = Json.MAPPER.readTree("{\"question\": 1}");
        assertThat(approvals.decide("call_1_0", AskUserTool.NAME, noQuestion))
                .isInstanceOf(CallApprovals.Settled.class);
    }
}
