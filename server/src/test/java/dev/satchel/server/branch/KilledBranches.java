package dev.satchel.server.branch;

import static dev.satchel.server.branch.BranchRequests.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Kills a server in the middle of a request, and accepts what was before it or what it makes. */
final class KilledBranches {
    private static final int LONGEST_WAIT_MILLIS = 40;

    private final Random random;
    private final BranchServers servers;
    private final ScriptedSandbox sandbox;
    private final RandomBranches branches;
    private final BranchRequests requests;

    KilledBranches(
            Random random,
            BranchServers servers,
            ScriptedSandbox sandbox,
            RandomBranches branches) {
        this.random = random;
        this.servers = servers;
        this.sandbox = sandbox;
        this.branches = branches;
        this.requests = branches.requests();
    }

    @FunctionalInterface
    private interface Request {
        void send() throws IOException, InterruptedException;
    }

    void kill(ExpectedChat chat) throws Exception {
        int server = branches.anyServer();
        switch (random.nextInt(4)) {
            case 0 -> killInSwitch(server, chat);
            case 1 -> killInRestore(server, chat);
            case 2 -> killInEdit(server, chat);
            default -> killInTurn(server, chat);
        }
    }

    private void killInSwitch(int server, ExpectedChat chat) throws Exception {
        String target = branches.any(chat.tips());
        boolean known = chat.filesAt(target).isPresent();
        killIn(server, chat, () -> requests.head(server, chat.id(), target, true));
        String head = requests.path(server, chat.id()).getLast().get("id").stringValue();
        assertThat(head).isIn(chat.head(), known ? target : chat.head());
        chat.moveTo(head);
    }

    private void killInRestore(int server, ExpectedChat chat) throws Exception {
        branches.checks().noteSnapshots(server, chat, List.of(chat.live()));
        String snapshot = branches.any(List.copyOf(new TreeSet<>(chat.snapshots().keySet())));
        Map<String, String> there = chat.snapshots().getOrDefault(snapshot, Map.of());
        Map<String, ?> body = Map.of("snapshot", snapshot);
        String before = newest(server, chat).get("id").stringValue();
        killIn(
                server,
                chat,
                () -> requests.send(server, "POST", session(chat.id()) + "/restore", body));
        JsonNode newest = newest(server, chat);
        List<Map<String, String>> states = List.of(chat.live(), there);
        if (!newest.get("id").stringValue().equals(before)
                && newest.path("restoredFrom").stringValue("").equals(snapshot)) {
            chat.setLive(there);
            chat.mayLackAttachments();
            chat.keep();
            branches.checks().noteSnapshots(server, chat, states);
        }
    }

    private JsonNode newest(int server, ExpectedChat chat) throws Exception {
        return requests.snapshots(server, chat.id()).getFirst();
    }

    /** The run may have begun, but it has written nothing. */
    private void killInEdit(int server, ExpectedChat chat) throws Exception {
        String place = branches.any(chat.tips());
        boolean known = chat.filesAt(place).isPresent();
        String text = branches.newText("question");
        Map<String, Object> body = BranchRequests.message(chat, place, text);
        killIn(
                server,
                chat,
                () -> {
                    try (Events _ = servers.get(server).turn(body)) {
                        // only the kill ends it
                    }
                });
        List<JsonNode> path = requests.path(server, chat.id());
        if (path.stream().anyMatch(it -> BranchedChat.text(it).equals(text))) {
            assertThat(known).isTrue();
            chat.moveTo(place);
            addInterrupted(chat, path, text);
        }
    }

    /** A run that has written files, which are the live ones from then on. */
    private void killInTurn(int server, ExpectedChat chat) throws Exception {
        String text = branches.newText("question");
        Map<String, Object> body = BranchRequests.message(chat, chat.head(), text);
        try (Events events = servers.get(server).turn(body)) {
            assertThat(events.status()).isEqualTo(200);
            ScriptedSandbox.RunOnStage _ = sandbox.next();
            Path workspace = servers.workspace(chat.id());
            branches.files().change(workspace);
            chat.keep();
            chat.setLive(RandomFiles.of(workspace));
            servers.kill(server);
            restart(server, chat);
        }
        addInterrupted(chat, requests.path(server, chat.id()), text);
    }

    private static void addInterrupted(ExpectedChat chat, List<JsonNode> path, String text) {
        List<String> before = chat.path(chat.head());
        List<JsonNode> added = path.subList(before.size(), path.size());
        assertThat(added).hasSizeBetween(1, 2);
        assertThat(BranchedChat.text(added.getFirst())).isEqualTo(text);
        for (int i = 0; i < added.size(); i++) {
            JsonNode message = added.get(i);
            chat.add(message.get("id").stringValue(), BranchedChat.text(message), i == 0);
        }
    }

    private void killIn(int server, ExpectedChat chat, Request request) throws Exception {
        Thread sending =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        request.send();
                                    } catch (IOException e) {
                                        // the server was killed
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        boolean _ = sending.join(Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS)));
        servers.kill(server);
        sending.join();
        restart(server, chat);
    }

    /** Until the chat is free: a run of the killed server locks it for up to half a minute. */
    private void restart(int server, ExpectedChat chat) throws Exception {
        servers.restart(server);
        String path = BranchRequests.chat(chat.id());
        while (!requests.get(server, path).is(200).body().get("conversationId").isNull()) {
            Thread.onSpinWait();
        }
        while (requests.get(server, session(chat.id()) + "/files").status() >= 500) {
            Thread.onSpinWait();
        }
        while (!sandbox.nothingDispatched()) {
            ScriptedSandbox.RunOnStage _ = sandbox.next(); // of the killed server
        }
    }
}
