package dev.satchel.server.backup;

import com.github.luben.zstd.Zstd;
import dev.satchel.http.security.Sha256;
import dev.satchel.protocol.Json;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.Sha256InputStream;
import dev.satchel.server.objectstore.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * A folder or bucket with backups. Content is stored under its SHA-256, once for all backups, and
 * never changes. May be used by several threads.
 */
public final class BackupPlace implements AutoCloseable {
    private static final String CONTENT = "content/";
    private static final String STATES = "states/";
    private static final String JSON = ".json";
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss-SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final int LEVEL = 3;

    /** More than a piece of rows has, unless one row is larger. */
    private static final int MAX_PIECE = 1 << 30;

    private final ObjectStore store;
    private final String prefix;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** {@code prefix} is empty or ends in a slash. Closes the store. */
    public BackupPlace(ObjectStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /** Finds the content that is there, so that it is not stored again. */
    void findContent() throws IOException {
        try (Stream<ListedObject> listed = store.list(prefix + CONTENT)) {
            listed.forEach(object -> known.add(hash(object)));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    boolean has(String sha256) {
        return known.contains(sha256);
    }

    /** Stores rows or a list, compressed, and returns the hash. */
    String storePiece(byte[] content) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        digest.update(content);
        String sha256 = Sha256.hex(digest);
        if (!has(sha256)) {
            store.put(key(sha256), new ByteArrayInputStream(Zstd.compress(content, LEVEL)));
            known.add(sha256);
        }
        return sha256;
    }

    byte[] piece(String sha256) throws IOException, BackupException {
        byte[] packed;
        try (InputStream in = store.open(key(sha256))) {
            packed = in.readAllBytes();
        } catch (NoSuchObjectException e) {
            throw new BackupException("a piece of the backup is missing: " + sha256, e);
        }
        long size = Zstd.getFrameContentSize(packed);
        if (size < 0 || size > MAX_PIECE) {
            throw damaged(sha256);
        }
        byte[] content = new byte[(int) size];
        MessageDigest digest = Sha256.newDigest();
        if (Zstd.isError(Zstd.decompress(content, packed))) {
            throw damaged(sha256);
        }
        digest.update(content);
        if (!Sha256.hex(digest).equals(sha256)) {
            throw damaged(sha256);
        }
        return content;
    }

    /** Stores bytes whose hash the caller has computed. */
    void store(String sha256, InputStream content) throws IOException {
        StoredObject stored = store.put(key(sha256), content);
        if (!stored.sha256().equals(sha256)) {
            store.delete(key(sha256));
            throw new IOException("an object has changed while it was copied");
        }
        known.add(sha256);
    }

    /** The bytes of an object; the caller closes it. */
    InputStream open(String sha256) throws IOException, BackupException {
        try {
            return store.open(key(sha256));
        } catch (NoSuchObjectException e) {
            throw new BackupException("an object of the backup is missing: " + sha256, e);
        }
    }

    /** Reads an object and compares its hash. */
    void check(String sha256) throws IOException, BackupException {
        try (Sha256InputStream content = new Sha256InputStream(open(sha256))) {
            content.transferTo(OutputStream.nullOutputStream());
            if (!content.sha256().equals(sha256)) {
                throw damaged(sha256);
            }
        }
    }

    /** Returns the name of the state. */
    String add(BackupState state) throws IOException {
        String name = NAME.format(Instant.ofEpochMilli(state.takenAt()));
        byte[] json = Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(state);
        store.put(stateKey(name), new ByteArrayInputStream(json));
        return name;
    }

    /** The names of all backups, the newest last. */
    public List<String> states() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<ListedObject> listed = store.list(prefix + STATES)) {
            listed.map(object -> object.key().value())
                    .filter(key -> key.endsWith(JSON))
                    .map(key -> key.substring(prefix.length() + STATES.length()))
                    .map(file -> file.substring(0, file.length() - JSON.length()))
                    .sorted()
                    .forEach(names::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return names;
    }

    /** The newest backup, or the one with the name. */
    Named state(Optional<String> name) throws IOException, BackupException {
        List<String> all = states();
        if (all.isEmpty()) {
            throw new BackupException("there is no complete backup in this place");
        }
        String chosen = name.orElse(all.getLast());
        if (!all.contains(chosen)) {
            throw new BackupException(
                    "there is no backup " + chosen + "; the newest is " + all.getLast());
        }
        return new Named(chosen, read(chosen));
    }

    /** A state and its name. */
    record Named(String name, BackupState state) {}

    void delete(String state) throws IOException {
        store.delete(stateKey(state));
    }

    /** Deletes all content that is not needed; returns the number. */
    int deleteContentExcept(Set<String> needed) throws IOException {
        Set<String> unneeded = new HashSet<>(known);
        unneeded.removeAll(needed);
        for (String sha256 : unneeded) {
            store.delete(key(sha256));
            known.remove(sha256);
        }
        return unneeded.size();
    }

    @Override
    public void close() {
        store.close();
    }

    private BackupState read(String name) throws IOException, BackupException {
        try (InputStream in = store.open(stateKey(name))) {
            BackupState state = Json.MAPPER.readValue(in.readAllBytes(), BackupState.class);
            if (state.format() != BackupState.FORMAT) {
                throw new BackupException(
                        "the backup " + name + " was made by another version: " + state.version());
            }
            return state;
        } catch (JacksonException e) {
            throw new BackupException(
                    "the backup " + name + " is damaged: " + e.getOriginalMessage(), e);
        }
    }

    private ObjectKey key(String sha256) {
        return new ObjectKey(prefix + CONTENT + sha256.substring(0, 2) + "/" + sha256);
    }

    private ObjectKey stateKey(String name) {
        return new ObjectKey(prefix + STATES + name + JSON);
    }

    private static String hash(ListedObject object) {
        return object.key().segments().getLast();
    }

    private static BackupException damaged(String sha256) {
        return new BackupException("the content " + sha256 + " of the backup is damaged");
    }
}
