package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.model.EffectPlan;
import dev.satchel.torture.model.ModelServer;
import dev.satchel.torture.model.ModelServer.Reply;
import dev.satchel.torture.model.ModelServer.Request;
import dev.satchel.torture.model.SentMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Messages that are sent to busy chats while the server is killed again and again. Each gets one
 * answer of its own, in the order in which they were sent; one for the running agent is heard once
 * or gets an answer of its own.
 */
public final class QueueAndSteer implements Scenario {
    private static final Duration THINKING = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "queue-and-steer";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        Set<String> told = ConcurrentHashMap.newKeySet();
        try (ModelServer model = new ModelServer(request -> reply(request, told));
                ServerUnderTest server =
                        new ServerUnderTest(
                                folder, folder.resolve("data"), variables(model, folder))) {
            server.start();
            List<SentMessages> chats = open(context, server, writes);
            int kills = context.brief() ? 2 : 8;
            for (int i = 0; i < kills; i++) {
                int before = model.requests();
                FaultTiming.await(
                        () -> model.requests() > before + 2 * chats.size(),
                        "the model is not asked");
                Thread.sleep(context.within(Duration.ofSeconds(1)));
                server.kill();
                server.start();
                context.counts().add("servers killed");
            }
            try (TestClient client = server.client()) {
                for (SentMessages chat : chats) {
                    chat.await();
                    FaultTiming.await(
                            () -> isFree(client, chat.chat()), PATIENCE, "a queue does not end");
                    chat.check(client.chat(chat.chat()), told, context.counts());
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    /** One turn may be killed many times. */
    private static Map<String, String> variables(ModelServer model, Path folder)
            throws IOException {
        Map<String, String> variables = new HashMap<>(model.variables(folder));
        variables.put("SATCHEL_MAX_CONTINUATIONS", "100");
        return variables;
    }

    /** Two effects, so that a turn takes some time, and then an answer that names its message. */
    private static Reply reply(Request request, Set<String> told) throws InterruptedException {
        Thread.sleep(THINKING);
        SentMessages.findAll(request.body().get("messages").toString()).forEach(told::add);
        return request.round() < 2
                ? new Reply("", List.of(EffectPlan.effect(request.round(), "a")))
                : new Reply("Answer to " + request.task() + ".", List.of());
    }

    private static List<SentMessages> open(
            ScenarioContext context, ServerUnderTest server, AcknowledgedWrites writes)
            throws Exception {
        List<SentMessages> chats = new ArrayList<>();
        try (TestClient client = server.client()) {
            for (int i = 0; i < 3; i++) {
                String chat = client.newChat();
                writes.chat(chat);
                int number = context.brief() ? 6 : 20;
                Random random = new Random(context.random().nextLong());
                chats.add(SentMessages.start(chat, server::client, number, random));
            }
        }
        return chats;
    }

    private static boolean isFree(TestClient client, String chat) throws Exception {
        return client.queue(chat).get("messages").isEmpty()
                && client.chat(chat).get("conversationId").isNull();
    }
}
