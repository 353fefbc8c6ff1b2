package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ObjectStoreProcess;
import dev.satchel.torture.harness.PostgresProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;

/**
 * The object store is away when a turn ends, and its server is killed. Another server must refuse
 * the next turn instead of continuing from older files. When the killed server is back, the work is
 * there.
 */
public final class PendingFiles implements Scenario {
    @Override
    public String name() {
        return "pending-files";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        Path second = context.createDirectory("other");
        try (PostgresProcess postgres = PostgresProcess.start(context);
                ObjectStoreProcess objects = ObjectStoreProcess.start(context)) {
            Map<String, String> variables = new HashMap<>(objects.variables());
            variables.put("DATABASE_URL", postgres.url().toString());
            try (ServerUnderTest killed =
                            new ServerUnderTest(folder, folder.resolve("data"), variables);
                    ServerUnderTest other =
                            new ServerUnderTest(second, second.resolve("data"), variables)) {
                killed.start();
                other.start();
                String chat = endTurnWithoutSnapshot(killed, objects, writes);
                killed.kill();
                context.counts().add("servers killed with files that were not saved");
                objects.proxy().become(FaultProxy.Mode.PASS);
                requireRefused(other, chat);

                killed.start();
                requireWork(other, chat);
                context.counts().add("files saved after a restart");
                killed.stop();
                new InvariantChecks(context.counts()).check(other, writes);
            }
        }
    }

    private static String endTurnWithoutSnapshot(
            ServerUnderTest server, ObjectStoreProcess objects, AcknowledgedWrites writes)
            throws Exception {
        try (TestClient client = server.client()) {
            String chat = client.newChat();
            writes.chat(chat);
            JsonNode _ = turn(client, chat, "/sh echo old > work.txt", writes);
            FaultTiming.await(() -> !client.chat(chat).has("workspace"), "files are not saved");
            objects.proxy().become(FaultProxy.Mode.CUT);
            JsonNode pending = turn(client, chat, "/sh echo new > work.txt", writes);
            InvariantChecks.require(
                    pending.path("workspace").asString("").equals("pending"),
                    "a turn without a snapshot is not pending: " + pending);
            return chat;
        }
    }

    /** At once, although the killed server counts as alive until its heartbeat expires. */
    private static void requireRefused(ServerUnderTest other, String chat) throws Exception {
        String files = "/api/sessions/" + chat + "/files";
        try (TestClient client = other.client()) {
            InvariantChecks.require(
                    client.turnStatus(chat, "/sh cat work.txt > seen.txt") == 503,
                    "a turn was not refused although the newest files are away");
            InvariantChecks.require(
                    client.status(files + "/work.txt") == 503, "older files are shown");
            InvariantChecks.require(client.status(files) == 503, "older files are listed");
        }
    }

    private static void requireWork(ServerUnderTest other, String chat) throws Exception {
        try (TestClient client = other.client()) {
            FaultTiming.await(
                    () -> !client.chat(chat).has("workspace"),
                    "the server that is back does not save its files");
            String work =
                    new String(client.workspaceFile(chat, "work.txt"), StandardCharsets.UTF_8);
            InvariantChecks.require(work.equals("new\n"), "the work is lost, there is: " + work);
        }
    }

    /** Sends a message and returns the result. */
    private static JsonNode turn(
            TestClient client, String chat, String text, AcknowledgedWrites writes)
            throws Exception {
        String message = UUID.randomUUID().toString();
        AtomicReference<JsonNode> result = new AtomicReference<>();
        client.turn(
                chat,
                message,
                text,
                event -> {
                    writes.message(chat, message);
                    if (event.path("type").asString("").equals("result")) {
                        result.set(event);
                    }
                });
        JsonNode found = result.get();
        InvariantChecks.require(found != null, "a turn has no result: " + text);
        return found;
    }
}
