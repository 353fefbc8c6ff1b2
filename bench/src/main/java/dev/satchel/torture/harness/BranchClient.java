package dev.satchel.torture.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import tools.jackson.databind.JsonNode;

/** The branches of one chat and its files, through a client that stays the caller's. */
public final class BranchClient {
    private static final String TURNS = "/api/assistant/chat/stream";

    private final TestClient client;
    private final String chat;

    public BranchClient(TestClient client, String chat) {
        this.client = client;
        this.chat = chat;
    }

    /** A turn after the head. */
    public void say(String message) throws IOException, InterruptedException {
        turn(Map.of("chatId", chat, "message", message));
    }

    /** A turn after another message. */
    public void edit(String parent, String message) throws IOException, InterruptedException {
        turn(Map.of("chatId", chat, "message", message, "parentMessageId", parent));
    }

    /** Another answer to a message of the user. */
    public void retry(String message) throws IOException, InterruptedException {
        turn(Map.of("chatId", chat, "userMessageId", message, "regenerate", true));
    }

    private void turn(Map<String, ?> body) throws IOException, InterruptedException {
        client.read(client.post(TURNS, body), _ -> {});
    }

    public void switchTo(String message) throws IOException, InterruptedException {
        String path = "/api/assistant/chats/" + chat + "/head";
        JsonNode _ = client.json(client.post(path, Map.of("messageId", message)), 200);
    }

    /** The ids of the messages of the active path. */
    public List<String> path() throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        client.chat(chat).get("messages").forEach(it -> ids.add(it.get("id").stringValue()));
        return ids;
    }

    public boolean isFree() throws IOException, InterruptedException {
        return client.chat(chat).get("conversationId").isNull();
    }

    /** Executes a command in the workspace. */
    public void execute(String command) throws IOException, InterruptedException {
        String path = "/api/sessions/" + chat + "/exec";
        JsonNode _ = client.json(client.post(path, Map.of("command", command)), 200);
    }

    /** The contents of the workspace by path, as people read it now. */
    public Map<String, String> files() throws IOException, InterruptedException {
        Map<String, String> files = new TreeMap<>();
        byte[] archive = client.bytes("/api/sessions/" + chat + "/workspace?format=zip");
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
                }
            }
        }
        return files;
    }
}
