package dev.satchel.server.branch;

import static dev.satchel.server.branch.BranchRequests.CONFLICT;
import static dev.satchel.server.branch.BranchRequests.session;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.server.branch.BranchRequests.Answer;
import dev.satchel.server.branch.ExpectedChat.Message;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer.Events;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Sends random requests to servers, and knows what each must have done. */
final class RandomBranches {
    private final Random random;
    private final BranchServers servers;
    private final BranchRequests requests;
    private final ScriptedSandbox sandbox;
    private final BranchChecks checks;

    /** Whether only the snapshots of tips are surely kept. */
    private final boolean prunes;

    private final RandomFiles files;
    private int texts;

    RandomBranches(Random random, BranchServers servers, ScriptedSandbox sandbox, boolean prunes) {
        this.random = random;
        this.servers = servers;
        this.requests = new BranchRequests(servers);
        this.sandbox = sandbox;
        this.checks = new BranchChecks(servers, requests);
        this.prunes = prunes;
        this.files = new RandomFiles(random);
    }

    BranchRequests requests() {
        return requests;
    }

    BranchChecks checks() {
        return checks;
    }

    RandomFiles files() {
        return files;
    }

    int anyServer() {
        return random.nextInt(servers.count());
    }

    String newText(String kind) {
        return kind + ++texts;
    }

    <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    String anyMessage(ExpectedChat chat) {
        return any(chat.messages()).id();
    }

    /** The beginning is a place, too. */
    String anyPlace(ExpectedChat chat) {
        return random.nextInt(12) == 0 ? ExpectedChat.BEGINNING : anyMessage(chat);
    }

    Optional<String> anyQuestion(ExpectedChat chat) {
        List<String> questions =
                chat.messages().stream().filter(Message::isQuestion).map(Message::id).toList();
        return questions.isEmpty() ? Optional.empty() : Optional.of(any(questions));
    }

    ExpectedChat newChat() throws Exception {
        int server = anyServer();
        ExpectedChat chat = new ExpectedChat(requests.newChat(server));
        say(chat);
        return chat;
    }

    /** A message after the head, sometimes with a file. */
    void say(ExpectedChat chat) throws Exception {
        int server = anyServer();
        String text = newText("question");
        Map<String, Object> body = BranchRequests.message(chat, chat.head(), text);
        Optional<String> attached = Optional.empty();
        if (random.nextInt(8) == 0) {
            String name = newText("attached");
            body.put(
                    "attachmentIds",
                    List.of(requests.attach(server, chat.id(), name, files.content())));
            attached = Optional.of(name);
        }
        turn(server, chat, body, chat.head(), new Prompt(text, Optional.empty(), attached));
    }

    /** A message after any other. */
    void edit(ExpectedChat chat) throws Exception {
        String parent = anyPlace(chat);
        String text = newText("question");
        Map<String, Object> body = BranchRequests.message(chat, parent, text);
        turn(anyServer(), chat, body, parent, new Prompt(text, Optional.empty(), Optional.empty()));
    }

    void retry(ExpectedChat chat) throws Exception {
        Optional<String> question = anyQuestion(chat);
        if (question.isPresent()) {
            String text = chat.message(question.get()).text();
            Map<String, Object> body = BranchRequests.regeneration(chat, question.get());
            turn(
                    anyServer(),
                    chat,
                    body,
                    question.get(),
                    new Prompt(text, question, Optional.empty()));
        }
    }

    /**
     * What a turn is asked.
     *
     * @param again the message, if it is there already
     */
    private record Prompt(String text, Optional<String> again, Optional<String> attached) {}

    private void turn(
            int server, ExpectedChat chat, Map<String, ?> body, String place, Prompt prompt)
            throws Exception {
        try (Events events = servers.get(server).turn(body)) {
            if (events.status() == CONFLICT) {
                assertGone(chat, place);
                return;
            }
            assertThat(events.status()).isEqualTo(200);
            List<Map<String, String>> states = new ArrayList<>(List.of(chat.live()));
            chat.moveTo(place);
            chat.beginRun(prompt.again().isPresent());
            states.add(chat.live());
            RunOnStage run = sandbox.next();
            assertTold(chat, chat.path(parent(chat, place, prompt)), run);
            Path workspace = servers.workspace(chat.id());
            assertGiven(chat, prompt, RandomFiles.of(workspace));
            files.change(workspace);
            Map<String, String> after = RandomFiles.of(workspace);
            states.add(after);
            String answer = newText("answer");
            run.answers(answer);
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
            addMessages(server, chat, prompt, answer);
            chat.setLive(after);
            chat.keep();
            checks.noteSnapshots(server, chat, states);
        }
    }

    private static String parent(ExpectedChat chat, String place, Prompt prompt) {
        return prompt.again().isPresent() ? chat.message(place).parent() : place;
    }

    private void addMessages(int server, ExpectedChat chat, Prompt prompt, String answer)
            throws Exception {
        List<JsonNode> path = requests.path(server, chat.id());
        if (prompt.again().isEmpty()) {
            String question = path.get(path.size() - 2).get("id").stringValue();
            chat.add(question, prompt.text(), true);
            prompt.attached().ifPresent(name -> chat.attach(question, name));
        }
        chat.add(path.getLast().get("id").stringValue(), answer, false);
    }

    /** The model is told what the path has, and nothing of other branches. */
    private static void assertTold(ExpectedChat chat, List<String> path, RunOnStage run) {
        List<ChatTurn> told = requireNonNull(run.dispatch().conversation());
        assertThat(told).hasSameSizeAs(path);
        for (int i = 0; i < path.size(); i++) {
            assertThat(told.get(i).content()).contains(chat.message(path.get(i)).text());
        }
    }

    /** A run is given the files of its place, and what the path has attached. */
    private static void assertGiven(ExpectedChat chat, Prompt prompt, Map<String, String> given) {
        Set<String> attached = new HashSet<>(chat.attached(chat.head()));
        prompt.attached().ifPresent(attached::add);
        Map<String, String> others = new TreeMap<>(given);
        attached.forEach(others::remove);
        Map<String, String> expected = new TreeMap<>(chat.live());
        attached.forEach(expected::remove);
        assertThat(others).isEqualTo(expected);
        attached.removeIf(chat::mayLack);
        assertThat(given.keySet()).containsAll(attached);
    }

    /** Going to a message was refused: its files are known to nobody. */
    void assertGone(ExpectedChat chat, String place) {
        assertThat(chat.mayBeUnknown(place) || (prunes && !chat.isTip(place)))
                .as("the files of %s are gone", place)
                .isTrue();
    }

    void switchHead(ExpectedChat chat) throws Exception {
        int server = anyServer();
        String message = anyMessage(chat);
        boolean exact = random.nextInt(3) == 0;
        String target = exact ? message : chat.tipBelow(message);
        Answer answer = requests.head(server, chat.id(), message, exact);
        if (answer.isGone()) {
            assertGone(chat, target);
            return;
        }
        answer.is(200);
        assertThat(answer.body().get("headId").stringValue()).isEqualTo(target);
        if (!target.equals(chat.head())) {
            List<Map<String, String>> states = new ArrayList<>(List.of(chat.live()));
            chat.moveTo(target);
            states.add(chat.live());
            checks.noteSnapshots(server, chat, states);
        }
    }

    /** Restores all or some of a snapshot, tries it before, and sometimes undoes it. */
    void restore(ExpectedChat chat) throws Exception {
        int server = anyServer();
        checks.noteSnapshots(server, chat, List.of(chat.live()));
        if (chat.snapshots().isEmpty()) {
            return;
        }
        String snapshot = any(List.copyOf(new TreeSet<>(chat.snapshots().keySet())));
        checks.checkSnapshot(server, chat, snapshot);
        Map<String, String> there = requireNonNull(chat.snapshots().get(snapshot));
        List<String> paths = random.nextBoolean() ? List.of() : somePaths(chat, there);
        Map<String, Object> body = new HashMap<>(Map.of("snapshot", snapshot));
        if (!paths.isEmpty()) {
            body.put("paths", paths);
        }
        Map<String, String> before = chat.live();
        Map<String, String> after = paths.isEmpty() ? there : withPaths(before, there, paths);
        body.put("dryRun", true);
        Answer dry = requests.send(server, "POST", session(chat.id()) + "/restore", body).is(200);
        checks.check(server, chat);
        body.put("dryRun", false);
        Answer done = requests.send(server, "POST", session(chat.id()) + "/restore", body).is(200);
        assertThat(done.body().get("changed")).isEqualTo(dry.body().get("changed"));
        became(server, chat, after);
        if (random.nextInt(3) == 0 && done.body().get("undo").isString()) {
            checks.check(server, chat);
            Map<String, Object> undo = Map.of("snapshot", done.body().get("undo").stringValue());
            requests.send(server, "POST", session(chat.id()) + "/restore", undo).is(200);
            became(server, chat, before);
        }
    }

    private void became(int server, ExpectedChat chat, Map<String, String> after) throws Exception {
        Map<String, String> before = chat.live();
        chat.setLive(after);
        chat.keep();
        chat.mayLackAttachments();
        checks.noteSnapshots(server, chat, List.of(before, after));
    }

    private List<String> somePaths(ExpectedChat chat, Map<String, String> there) {
        Set<String> names = new TreeSet<>();
        chat.live().keySet().forEach(path -> names.add(top(path)));
        there.keySet().forEach(path -> names.add(top(path)));
        names.removeIf(name -> name.startsWith("attached"));
        return names.isEmpty() ? List.of() : List.of(any(List.copyOf(names)));
    }

    private static String top(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    private static Map<String, String> withPaths(
            Map<String, String> live, Map<String, String> there, List<String> paths) {
        Map<String, String> mixed = new TreeMap<>(live);
        mixed.keySet().removeIf(path -> paths.contains(top(path)));
        there.forEach(
                (path, entry) -> {
                    if (paths.contains(top(path))) {
                        mixed.put(path, entry);
                    }
                });
        return mixed;
    }

    /** People change a file between two turns. */
    void write(ExpectedChat chat) throws Exception {
        int server = anyServer();
        String name = "written" + random.nextInt(3);
        String content = files.content();
        requests.write(server, chat.id(), name, content).is(200);
        Map<String, String> before = chat.live();
        Map<String, String> now = RandomFiles.of(servers.workspace(chat.id()));
        assertThat(RandomFiles.contents(now)).containsEntry(name, content);
        assertThat(without(now, name)).isEqualTo(without(before, name));
        chat.setLive(now);
        checks.noteSnapshots(server, chat, List.of(before, now));
    }

    private static Map<String, String> without(Map<String, String> tree, String name) {
        Map<String, String> rest = new TreeMap<>(tree);
        rest.remove(name);
        return rest;
    }

    Optional<ExpectedChat> fork(ExpectedChat chat) throws Exception {
        int server = anyServer();
        boolean ofHead = random.nextBoolean();
        String last = ofHead ? chat.head() : anyMessage(chat);
        Map<String, ?> body = ofHead ? Map.of() : Map.of("messageId", last);
        Answer answer = requests.send(server, "POST", session(chat.id()) + "/fork", body);
        if (answer.isGone()) {
            assertGone(chat, last);
            return Optional.empty();
        }
        String id = answer.is(201).body().at("/session/id").stringValue();
        boolean isHead = last.equals(chat.head());
        if (isHead) {
            chat.keep();
        }
        checks.noteSnapshots(server, chat, List.of(chat.live()));
        Map<String, String> there = isHead ? chat.live() : chat.filesAt(last).orElseThrow();
        ExpectedChat fork = chat.fork(id, last, there);
        requests.send(server, "POST", session(id) + "/resume", Map.of()).is(200);
        checks.noteSnapshots(server, fork, List.of(there));
        return Optional.of(fork);
    }

    /**
     * Deletes a chat for good, or into the trash from which it returns; returns whether it does.
     */
    boolean delete(ExpectedChat chat) throws Exception {
        int server = anyServer();
        String path = BranchRequests.chat(chat.id());
        boolean returns = random.nextBoolean();
        String deleted = returns ? path : "/agent-server/api/sessions/" + chat.id();
        assertThat(requests.send(server, "DELETE", deleted, null).status()).isIn(200, 204);
        requests.get(server, path).is(404);
        requests.get(server, session(chat.id()) + "/snapshots").is(404);
        requests.head(server, chat.id(), chat.head(), true).is(404);
        Answer restored = requests.send(anyServer(), "POST", path + "/restore", Map.of());
        assertThat(restored.status()).as(restored.text()).isEqualTo(returns ? 200 : 404);
        return returns;
    }
}
