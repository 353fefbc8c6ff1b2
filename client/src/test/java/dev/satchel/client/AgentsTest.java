package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.client.model.Agent;
import dev.satchel.client.model.AgentSpec;
import dev.satchel.client.model.ApiKey;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.RunAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentsTest extends ServerTest {
    @Test
    void anAgentIsSavedChangedAndDeleted() throws Exception {
        Agent agent = client.agents().create(AgentSpec.named("clerk"));
        Agent changed =
                client.agents()
                        .replace(
                                agent.id(), AgentSpec.named("clerk").withSystemPrompt("Be brief."));

        assertThat(changed.systemPrompt()).isEqualTo("Be brief.");
        assertThat(client.agents().read(agent.id())).isEqualTo(changed);
        client.agents().delete(agent.id());
        assertThat(client.agents().list()).extracting(Agent::id).doesNotContain(agent.id());
    }

    @Test
    void aRunWithoutAChatAnswersAndItsFilesAndTraceStay() throws Exception {
        Agent agent = client.agents().create(AgentSpec.named("maker"));

        RunAnswer answer =
                client.agents()
                        .run(agent.id(), "/sh mkdir -p assets && echo made > assets/made.txt");

        assertThat(answer.status()).isEqualTo("succeeded");
        FileInfo made = client.runs().files(answer.runId()).getFirst();
        assertThat(made) // the list also has where the copy is
                .usingRecursiveComparison()
                .ignoringFields("json")
                .isEqualTo(answer.files().getFirst());
        assertThat(made.json().get("workspacePath").stringValue()).isEqualTo("assets/made.txt");
        assertThat(client.runs().save(answer.runId(), made.id()).name()).isEqualTo("made.txt");
        List<Event> trace = new ArrayList<>();
        try (Trace lines = client.runs().trace(answer.runId())) {
            for (Optional<Event> line = lines.next(); line.isPresent(); line = lines.next()) {
                trace.add(line.get());
            }
        }
        assertThat(trace.getLast()).isEqualTo(new Event.End("succeeded"));
        assertThat(trace).hasAtLeastOneElementOfType(Event.Step.class);
    }

    @Test
    void aRunWithoutAChatGoesOnAfterACut() throws Exception {
        Agent agent = client.agents().create(AgentSpec.named("patient"));
        try (InterruptibleProxy proxy = new InterruptibleProxy(server.url());
                SatchelClient far = SatchelClient.of(proxy.url(), LocalServer.KEY);
                RunEvents events =
                        far.agents().start(agent.id(), "/sh echo one\n/sleep 1\n/sh echo two")) {
            List<Event> seen = new ArrayList<>();
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                if (seen.size() == 3) {
                    proxy.cut();
                }
                seen.add(event.get());
            }

            String run = ((Event.RunStarted) seen.getFirst()).runId();
            assertThat(withoutLogs(seen)).isEqualTo(ChatsTest.all(client.runs().events(run)));
            assertThat(proxy.connections()).isGreaterThan(1);
        }
    }

    @Test
    void aKeyOpensTheServerUntilItIsRevoked() throws Exception {
        ApiKey key = client.keys().create("for a test", "acme");

        try (SatchelClient acme = SatchelClient.of(server.url(), String.valueOf(key.key()))) {
            assertThat(acme.keys().list()).extracting(ApiKey::id).containsExactly(key.id());
            assertThat(key).asString().doesNotContain(String.valueOf(key.key()));
            assertThatThrownBy(() -> acme.keys().revoke(key.id()))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("no key of an owner");
            acme.keys().revokeAlsoLast(key.id());
            assertThatThrownBy(() -> acme.keys().list()).isInstanceOf(ApiException.class);
        }
    }

    @Test
    void theServerTellsHowItIsAndWhatAnswers() throws Exception {
        assertThat(client.health().dependencies()).containsEntry("database", "up");
        assertThat(client.settings().runner()).isEqualTo("own");
        assertThat(client.settings().model()).isNull();
        assertThat(client.newLoginLink().url()).hasPath("/login");
    }

    private static List<Event> withoutLogs(List<Event> events) {
        return events.stream().filter(event -> !(event instanceof Event.Log)).toList();
    }
}
