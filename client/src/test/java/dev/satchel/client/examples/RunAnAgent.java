package dev.satchel.client.examples;

import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Agent;
import dev.satchel.client.model.AgentSpec;
import dev.satchel.client.model.RunAnswer;
import java.net.URI;

/** Saves an agent, runs it without a chat, and prints its answer. */
public final class RunAnAgent {
    private RunAnAgent() {}

    public static void main(String[] arguments) throws Exception {
        try (SatchelClient client = SatchelClient.of(URI.create(arguments[0]), arguments[1])) {
            AgentSpec spec = AgentSpec.named("example").withSystemPrompt("Answer in one sentence.");
            Agent agent = client.agents().create(spec);
            RunAnswer answer = client.agents().run(agent.id(), arguments[2]);
            System.out.println(answer.status() + ": " + answer.response());
            client.agents().delete(agent.id());
        }
    }
}
