package dev.satchel.server.branch;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the requests that a chat has had must have made of it: a tree of messages, and the files of
 * each. It knows parents and maps only, nothing of how a server stores them.
 */
final class ExpectedChat {
    /** The parent of first messages. */
    static final String BEGINNING = "";

    record Message(String id, String parent, String text, boolean isQuestion) {}

    private final String id;
    private final @Nullable String firstKnown;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> files = new HashMap<>();
    private final Map<String, Map<String, String>> snapshots = new HashMap<>();
    private final Map<String, String> attachments = new HashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Map<String, Integer> lastHead = new HashMap<>();
    private String head = BEGINNING;
    private Map<String, String> live = Map.of();
    private boolean beganEmpty;
    private int time;

    ExpectedChat(String id) {
        this(id, null);
    }

    private ExpectedChat(String id, @Nullable String firstKnown) {
        this.id = id;
        this.firstKnown = firstKnown;
    }

    /** A copy of the path to a message, with its files. */
    ExpectedChat fork(String copy, String last, Map<String, String> filesThere) {
        ExpectedChat fork = new ExpectedChat(copy, last);
        for (String message : path(last)) {
            fork.messages.put(message, message(message));
            Optional.ofNullable(attachments.get(message))
                    .ifPresent(name -> fork.attachments.put(message, name));
        }
        fork.absent.addAll(absent);
        fork.head = last;
        fork.live = filesThere;
        fork.beganEmpty = filesThere.isEmpty();
        fork.keep();
        return fork;
    }

    String id() {
        return id;
    }

    String head() {
        return head;
    }

    Map<String, String> live() {
        return live;
    }

    void setLive(Map<String, String> now) {
        live = now;
    }

    Message message(String wanted) {
        return requireNonNull(messages.get(wanted));
    }

    List<Message> messages() {
        return List.copyOf(messages.values());
    }

    /** Adds a message after the head; it becomes the head. */
    void add(String message, String text, boolean isQuestion) {
        messages.put(message, new Message(message, head, text, isQuestion));
        head = message;
    }

    /** The files that are live now belong to the head, too. */
    void keep() {
        files.put(head, live);
    }

    /**
     * A run begins after the head with the live files. They belong to the head, but to what a
     * question follows that is asked again and never had files or an answer of its own.
     */
    void beginRun(boolean again) {
        boolean isNew = again && !files.containsKey(head) && children(head).isEmpty();
        files.put(isNew ? message(head).parent() : head, live);
    }

    /** Another message becomes the head, with its files. */
    void moveTo(String message) {
        if (message.equals(head)) {
            return;
        }
        keep();
        lastHead.put(head, ++time);
        head = message;
        live = filesAt(message).orElseThrow(() -> unknown(message));
        keep();
    }

    private AssertionError unknown(String message) {
        return new AssertionError(
                "a server knows the files of '%s' in %s, whose files begin at %s"
                        .formatted(message, path(head), firstKnown));
    }

    /**
     * The files of a message are those of the nearest one before that has any. Empty if nobody can
     * know them: before the end of what a fork has copied.
     */
    Optional<Map<String, String>> filesAt(String message) {
        for (String place : path(message).reversed()) {
            if (files.containsKey(place)) {
                return Optional.ofNullable(files.get(place));
            }
        }
        if (files.containsKey(BEGINNING)) {
            return Optional.ofNullable(files.get(BEGINNING));
        }
        return firstKnown == null || beganEmpty ? Optional.of(Map.of()) : Optional.empty();
    }

    /**
     * Before what a fork has copied. That of a chat without files may know that there were none.
     */
    boolean mayBeUnknown(String message) {
        return firstKnown != null
                && !files.containsKey(BEGINNING)
                && path(message).stream().noneMatch(files::containsKey);
    }

    List<String> path(String end) {
        List<String> path = new ArrayList<>();
        for (String at = end; !at.equals(BEGINNING); at = message(at).parent()) {
            path.addFirst(at);
        }
        return path;
    }

    List<String> children(String parent) {
        return messages.values().stream()
                .filter(message -> message.parent().equals(parent))
                .map(Message::id)
                .toList();
    }

    boolean isTip(String message) {
        return !message.equals(BEGINNING) && children(message).isEmpty();
    }

    List<String> tips() {
        return messages.keySet().stream().filter(this::isTip).toList();
    }

    /** The tip below a message that was the head last; the head itself is the last of all. */
    String tipBelow(String message) {
        if (isTip(head) && path(head).contains(message)) {
            return head;
        }
        return tips().stream()
                .filter(tip -> path(tip).contains(message))
                .max(Comparator.comparingInt(tip -> lastHead.getOrDefault(tip, 0)))
                .orElseThrow();
    }

    void attach(String message, String name) {
        attachments.put(message, name);
    }

    /** The files that the messages of a path have attached. */
    List<String> attached(String end) {
        return path(end).stream()
                .flatMap(it -> Optional.ofNullable(attachments.get(it)).stream())
                .toList();
    }

    /** Whoever restores a snapshot may do so without the attachments that it does not have. */
    void mayLackAttachments() {
        absent.addAll(attachments.values());
    }

    boolean mayLack(String attachment) {
        return absent.contains(attachment);
    }

    Map<String, Map<String, String>> snapshots() {
        return snapshots;
    }
}
