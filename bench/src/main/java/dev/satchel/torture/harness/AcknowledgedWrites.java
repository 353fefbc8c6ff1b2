package dev.satchel.torture.harness;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Everything that the system has acknowledged and must not lose. Thread-safe. */
public final class AcknowledgedWrites {
    /** A message of a thread: a user's that was accepted, or an answer that was given. */
    record Message(String chat, String id) {}

    /** A file of a bag and what was in it. */
    public record File(String chat, String id, String sha256) {}

    /** A file of a workspace that an answered turn had left there. */
    public record Note(String chat, String path, String content) {}

    private final Set<String> chats = ConcurrentHashMap.newKeySet();
    private final Set<String> mayBeDeleted = ConcurrentHashMap.newKeySet();
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    private final Queue<File> files = new ConcurrentLinkedQueue<>();
    private final Queue<Note> notes = new ConcurrentLinkedQueue<>();

    public void chat(String id) {
        chats.add(id);
    }

    public void message(String chat, String id) {
        messages.add(new Message(chat, id));
    }

    public void file(String chat, String id, String sha256) {
        files.add(new File(chat, id, sha256));
    }

    /** The chat must not come back. */
    void deleted(String chat) {
        deleted.add(chat);
    }

    /** A deletion was sent: from now on nothing of the chat is expected. */
    void mayBeDeleted(String chat) {
        mayBeDeleted.add(chat);
    }

    public void note(String chat, String path, String content) {
        notes.add(new Note(chat, path, content));
    }

    /** Those that are not deleted. */
    public List<String> chats() {
        return chats.stream().filter(this::isThere).toList();
    }

    List<String> deletedChats() {
        return List.copyOf(deleted);
    }

    private boolean isThere(String chat) {
        return !mayBeDeleted.contains(chat);
    }

    public List<Message> messages() {
        return List.copyOf(messages);
    }

    public List<File> files() {
        return files.stream().filter(file -> isThere(file.chat())).toList();
    }

    public List<Note> notes() {
        return notes.stream().filter(note -> isThere(note.chat())).toList();
    }
}
