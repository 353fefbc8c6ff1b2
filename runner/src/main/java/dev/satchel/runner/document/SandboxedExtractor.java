package dev.satchel.runner.document;

import dev.satchel.runner.sandbox.SandboxFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads documents behind walls, some at a time, and keeps what was read on disk. The same document
 * is read once, also when it is wanted twice at the same moment. An interrupt ends the process that
 * reads. Safe for threads.
 */
public final class SandboxedExtractor implements AutoCloseable {
    /** Changes when the same document has other lines, so that older ones are not used. */
    private static final int VERSION = 2;

    /** How often old texts are looked for. */
    private static final Duration REMOVAL = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(SandboxedExtractor.class);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final DocumentSettings settings;
    private final DocumentCache cache;
    private final DocumentProgram program = new DocumentProgram();
    private final ExtractionProcess process;
    private final Path work;
    private final String ocr;
    private final Semaphore running;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<String> inWork = new HashSet<>();

    /** {@code directory} is for the texts, and for the documents that are being read. */
    public SandboxedExtractor(SandboxFactory sandboxes, Path directory, DocumentSettings settings)
            throws IOException {
        this.settings = settings;
        this.cache =
                new DocumentCache(
                        directory.resolve("cache"),
                        settings.cacheBytes(),
                        settings.cacheAge(),
                        Clock.systemUTC());
        this.work = directory.resolve("work");
        this.ocr = hasTesseract(sandboxes.root()) ? settings.ocr() : "";
        this.process = new ExtractionProcess(sandboxes, program, settings, ocr);
        this.running = new Semaphore(settings.parallel(), true);
        delete(work); // of a process that was killed
        Files.createDirectories(work);
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwx------"));
        Thread.ofVirtual().name("document-cache").start(this::removeOldTexts);
    }

    private void removeOldTexts() {
        try {
            while (!closed.await(REMOVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                removeOldTextsNow();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeOldTextsNow() {
        try {
            cache.removeOld();
        } catch (IOException e) {
            LOG.warn("could not remove old texts of documents", e);
        }
    }

    /** Whether pictures of text are read. */
    public boolean readsPictures() {
        return !ocr.isEmpty();
    }

    DocumentSettings settings() {
        return settings;
    }

    /** The stored lines of bytes with this hash; the caller closes them. */
    public Optional<InputStream> find(String sha256, DocumentRequest request) throws IOException {
        return cache.open(key(sha256, request));
    }

    boolean has(String sha256, DocumentRequest request) {
        return cache.has(key(sha256, request));
    }

    /**
     * Copies a document, so that it cannot change while it is read; the caller closes the copy.
     *
     * @throws DocumentRefusedException when it is too large
     */
    public ReceivedDocument receive(InputStream bytes)
            throws IOException, DocumentRefusedException {
        Path directory = Files.createDirectory(work.resolve(UUID.randomUUID().toString()));
        try {
            Path files = Files.createDirectory(directory.resolve("files"));
            return new ReceivedDocument(
                    directory, copy(bytes, files.resolve(ExtractionProcess.DOCUMENT)));
        } catch (IOException | DocumentRefusedException | RuntimeException e) {
            delete(directory);
            throw e;
        }
    }

    /**
     * The lines of a document; the caller closes them.
     *
     * @throws DocumentRefusedException when too many are waiting
     */
    public InputStream extract(ReceivedDocument document, DocumentRequest request)
            throws IOException, InterruptedException, DocumentRefusedException {
        String key = key(document.sha256(), request);
        awaitTurn(key);
        try {
            Optional<InputStream> known = cache.open(key);
            return known.isPresent() ? known.get() : run(document, request, key);
        } finally {
            endTurn(key);
        }
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        program.close();
    }

    private InputStream run(ReceivedDocument document, DocumentRequest request, String key)
            throws IOException, InterruptedException, DocumentRefusedException {
        if (waiting.incrementAndGet() > settings.waiting() + settings.parallel()) {
            waiting.decrementAndGet();
            throw new DocumentRefusedException(
                    "Too many documents are being read. Try again in a minute.", true);
        }
        try {
            running.acquire();
            try {
                boolean isFinal = process.run(document.files(), request, document.lines());
                return isFinal
                        ? cache.store(key, document.lines())
                        : Files.newInputStream(document.lines());
            } finally {
                running.release();
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** One at a time for each key: the others find the lines in the cache. */
    private void awaitTurn(String key) throws InterruptedException {
        synchronized (inWork) {
            while (!inWork.add(key)) {
                inWork.wait();
            }
        }
    }

    private void endTurn(String key) {
        synchronized (inWork) {
            inWork.remove(key);
            inWork.notifyAll();
        }
    }

    /** Copies the document and returns its hash. */
    private String copy(InputStream in, Path to) throws IOException, DocumentRefusedException {
        MessageDigest digest = sha256();
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(to), digest)) {
            byte[] buffer = new byte[64 * 1024];
            long size = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                size += count;
                if (size > settings.maxBytes()) {
                    throw DocumentRefusedException.tooLarge(settings.maxBytes());
                }
                out.write(buffer, 0, count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Names of files: the name of a document matters as far as its format depends on it. */
    private String key(String sha256, DocumentRequest request) {
        MessageDigest options = sha256();
        String text =
                String.join(
                        "\0",
                        extension(request.filename()),
                        String.join("\0", request.arguments()),
                        ocr,
                        Integer.toString(settings.maxTextBytes()),
                        String.join(" ", settings.parser().arguments()),
                        Integer.toString(VERSION));
        options.update(text.getBytes(StandardCharsets.UTF_8));
        return sha256 + "-" + HexFormat.of().formatHex(options.digest(), 0, 8);
    }

    private static String extension(String filename) {
        return filename.substring(filename.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasTesseract(Path root) {
        return Stream.of("usr/bin/tesseract", "usr/local/bin/tesseract")
                .anyMatch(program -> Files.isExecutable(root.resolve(program)));
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
