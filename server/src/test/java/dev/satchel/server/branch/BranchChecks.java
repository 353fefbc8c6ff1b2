package dev.satchel.server.branch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.branch.ExpectedChat.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Compares what servers answer with what must be there. */
final class BranchChecks {
    private final BranchServers servers;
    private final BranchRequests requests;

    BranchChecks(BranchServers servers, BranchRequests requests) {
        this.servers = servers;
        this.requests = requests;
    }

    /** The active path, with parents, siblings and counts, and the live files. */
    void check(int server, ExpectedChat chat) throws Exception {
        checkMessages(chat, requests.path(server, chat.id()), chat.head());
        JsonNode read = requests.get(server, BranchRequests.chat(chat.id())).body();
        assertThat(read.get("messageCount").longValue()).isEqualTo(chat.path(chat.head()).size());
        Path live = servers.workspace(chat.id());
        if (Files.isDirectory(live)) {
            assertThat(RandomFiles.of(live)).isEqualTo(chat.live());
        }
    }

    private static void checkMessages(ExpectedChat chat, List<JsonNode> found, String end) {
        List<String> path = chat.path(end);
        assertThat(found).extracting(it -> it.get("id").stringValue()).isEqualTo(path);
        for (JsonNode node : found) {
            Message message = chat.message(node.get("id").stringValue());
            assertThat(BranchedChat.text(node)).isEqualTo(message.text());
            assertThat(node.path("parentId").stringValue(ExpectedChat.BEGINNING))
                    .isEqualTo(message.parent());
            List<String> siblings = chat.children(message.parent());
            assertThat(node.path("siblings").valueStream().map(JsonNode::stringValue))
                    .isEqualTo(siblings.size() > 1 ? siblings : List.of());
        }
    }

    /** The files as people read them. */
    void checkFiles(int server, ExpectedChat chat) throws Exception {
        Map<String, String> found = new TreeMap<>(requests.files(server, chat.id()));
        found.keySet().removeIf(path -> isLink(chat, path));
        assertThat(found).isEqualTo(RandomFiles.contents(chat.live()));
    }

    private static boolean isLink(ExpectedChat chat, String path) {
        return chat.live().getOrDefault(path, "").startsWith("link ");
    }

    /** Every message of every branch: read, listed and found; but nothing goes there. */
    void checkAllBranches(int server, ExpectedChat chat) throws Exception {
        for (String tip : chat.tips()) {
            String path = BranchRequests.chat(chat.id()) + "?limit=200&exact=true&head=" + tip;
            JsonNode page = requests.get(server, path).is(200).body();
            if (page.get("nextCursor").isNull()) {
                checkMessages(chat, page.get("messages").valueStream().toList(), tip);
            }
            Message last = chat.message(tip);
            if (!last.text().isEmpty()) { // one whose server was killed
                assertThat(found(server, last.text())).as(last.text()).contains(tip);
            }
        }
        assertThat(tips(server, chat)).containsExactlyInAnyOrderElementsOf(chat.tips());
        check(server, chat);
    }

    private Set<String> tips(int server, ExpectedChat chat) throws Exception {
        Set<String> ends = new HashSet<>();
        String cursor = "";
        do {
            String path = BranchRequests.chat(chat.id()) + "/branches?limit=100" + cursor;
            JsonNode page = requests.get(server, path).is(200).body();
            page.get("branches").forEach(it -> ends.add(it.get("tipId").stringValue()));
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());
        ends.removeIf(end -> !chat.isTip(end)); // where another branch begins at the end of one
        return ends;
    }

    /** The messages that have all the words; forks have them too, with the same ids. */
    List<String> found(int server, String text) throws Exception {
        List<String> ids = new ArrayList<>();
        requests.get(server, "/api/search?in=messages&q=" + text)
                .is(200)
                .body()
                .get("hits")
                .forEach(hit -> ids.add(hit.path("messageId").stringValue("")));
        return ids;
    }

    /** New snapshots have the states through which the workspace has just gone, oldest first. */
    void noteSnapshots(int server, ExpectedChat chat, List<Map<String, String>> states)
            throws Exception {
        List<JsonNode> listed = requests.snapshots(server, chat.id());
        Map<String, Map<String, String>> known = chat.snapshots();
        List<String> ids = listed.stream().map(it -> it.get("id").stringValue()).toList();
        known.keySet().retainAll(ids);
        List<String> created = ids.stream().filter(id -> !known.containsKey(id)).toList();
        assertThat(created).hasSizeLessThanOrEqualTo(states.size());
        for (int i = 0; i < created.size(); i++) {
            known.put(created.get(i), states.get(states.size() - 1 - i));
        }
        if (!created.isEmpty()) {
            assertThat(listed.getFirst().path("messageId").stringValue("")).isEqualTo(chat.head());
        }
    }

    /** A snapshot has the files that were live when it was taken. */
    void checkSnapshot(int server, ExpectedChat chat, String snapshot) throws Exception {
        Map<String, String> tree = requireNonNull(chat.snapshots().get(snapshot));
        for (Map.Entry<String, String> file : RandomFiles.contents(tree).entrySet()) {
            String path =
                    BranchRequests.session(chat.id())
                            + "/files/"
                            + file.getKey()
                            + "?at="
                            + snapshot;
            assertThat(requests.get(server, path).is(200).text()).isEqualTo(file.getValue());
        }
    }
}
