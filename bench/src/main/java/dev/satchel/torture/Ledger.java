package dev.satchel.torture;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the system has acknowledged to a client, and so must never lose. For many threads. */
final class Ledger {
    /** A message of a thread: a user's that was accepted, or an answer that was given. */
    record Message(String chat, String id) {}

    /** A file of a bag and what was in it. */
    record File(String chat, String id, String sha256) {}

    /** A file of a workspace that an answered turn had left there. */
    record Note(String chat, String path, String content) {}

    private final Set<String> chats = ConcurrentHashMap.newKeySet();
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    private final Queue<File> files = new ConcurrentLinkedQueue<>();
    private final Queue<Note> notes = new ConcurrentLinkedQueue<>();

    void chat(String id) {
        chats.add(id);
    }

    void message(String chat, String id) {
        messages.add(new Message(chat, id));
    }

    void file(String chat, String id, String sha256) {
        files.add(new File(chat, id, sha256));
    }

    void note(String chat, String path, String content) {
        notes.add(new Note(chat, path, content));
    }

    List<String> chats() {
        return List.copyOf(chats);
    }

    List<Message> messages() {
        return List.copyOf(messages);
    }

    List<File> files() {
        return List.copyOf(files);
    }

    List<Note> notes() {
        return List.copyOf(notes);
    }
}
