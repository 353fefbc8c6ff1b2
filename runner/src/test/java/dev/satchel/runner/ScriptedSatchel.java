package dev.satchel.runner;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Handler;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.multipart.MultipartReader;
import dev.satchel.http.multipart.Part;
import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunEnvironment;
import dev.satchel.protocol.WriteBackResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** A server for the callbacks of a runner: sends scripted responses and records uploads. */
final class ScriptedSatchel implements AutoCloseable {
    static final String SETUP = "otp-setup";
    static final String RUN = "otp-run";
    static final String UPLOAD = "otp-upload";
    private static final String BASE = "/api/assistant/sandbox/run";

    final Map<String, String> bag = new LinkedHashMap<>();

    /** Attached to the message, unlike the images of earlier messages. */
    final Map<String, byte[]> images = new LinkedHashMap<>();

    final Map<String, byte[]> earlierImages = new LinkedHashMap<>();
    List<ChatTurn> conversation = List.of();
    final Map<String, String> variables = new LinkedHashMap<>();
    final List<Map<String, String>> uploads = new CopyOnWriteArrayList<>();
    String script = "";
    int maxRounds = 3;
    @Nullable String chatId = "chat-1";
    RunConfig.@Nullable Model model;
    Map<String, RunConfig.McpServer> mcpServers = Map.of();

    final List<RunConfig.Skill> skills = new CopyOnWriteArrayList<>();
    final Map<String, byte[]> skillArchives = new ConcurrentHashMap<>();

    /** The names of the skills that were fetched. */
    final List<String> fetched = new CopyOnWriteArrayList<>();

    /** The values that are given one after the other; the last one stays. */
    final Map<String, Queue<String>> credentials = new LinkedHashMap<>();

    /** The traces to which the requests for the environment belong. */
    final List<String> traces = new CopyOnWriteArrayList<>();

    String setupToken = SETUP;
    String runToken = RUN;
    List<String> accepts = List.of(Dispatch.ACCEPTS_DELTA);

    /** What the next calls of {@code /results} are refused with; the others are taken. */
    final Queue<Integer> refusals = new ConcurrentLinkedQueue<>();

    /** Parts of these names are skipped, with a reason. */
    final Map<String, String> skipped = new LinkedHashMap<>();

    RunConfig.@Nullable Limits limits;
    @Nullable List<RunConfig.KnownOutput> known;

    Optional<byte[]> rawBag = Optional.empty();
    Optional<String> rawConfig = Optional.empty();

    /** The end of the path that gets no answer before this closes. */
    @Nullable Boolean keepWorkspace;

    String hangsAt = "(nothing)";

    final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final HttpServer server;
    private volatile String prompt = "";

    ScriptedSatchel() throws IOException, InterruptedException {
        Router router =
                new Router()
                        .get(BASE + "/env", orHang(this::environment))
                        .get(BASE + "/config", orHang(this::config))
                        .get(BASE + "/bag.zip", orHang(this::zip))
                        .get(BASE + "/staged/{id}", this::staged)
                        .get(BASE + "/credentials/{name}", this::credential)
                        .get(BASE + "/skills/{name}", orHang(this::skill))
                        .post(BASE + "/results", orHang(this::results));
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    String agentUrl() {
        return "http://127.0.0.1:" + server.port() + BASE;
    }

    Dispatch dispatch(String runId, String prompt) {
        this.prompt = prompt;
        return new Dispatch(
                runId, agentUrl(), SETUP, RUN, UPLOAD, prompt, chatId, List.of(), accepts);
    }

    @Override
    public void close() {
        closing.countDown();
        if (!closed.getAndSet(true)) {
            server.close();
        }
    }

    private Handler orHang(Handler handler) {
        return exchange -> {
            if (exchange.path().endsWith(hangsAt)) {
                hanging.countDown();
                closing.await();
            }
            handler.handle(exchange);
        };
    }

    private void environment(Exchange exchange) {
        exchange.header("traceparent").ifPresent(traces::add);
        check(exchange, setupToken);
        exchange.json(200, new RunEnvironment(variables, script));
    }

    private void config(Exchange exchange) {
        check(exchange, runToken);
        if (rawConfig.isPresent()) {
            byte[] bytes = rawConfig.get().getBytes(StandardCharsets.UTF_8);
            exchange.body(200, "application/json", bytes);
            return;
        }
        exchange.json(
                200,
                new RunConfig(
                                "run",
                                prompt,
                                conversation,
                                chatId,
                                "default",
                                null,
                                null,
                                maxRounds,
                                model,
                                null,
                                bag.isEmpty()
                                                && images.isEmpty()
                                                && earlierImages.isEmpty()
                                                && rawBag.isEmpty()
                                        ? null
                                        : assets(),
                                null,
                                limits,
                                known,
                                keepWorkspace,
                                null,
                                null,
                                null,
                                null)
                        .withMcpServers(mcpServers)
                        .withSkills(skills));
    }

    /** Adds a skill with these files. */
    void addSkill(String name, long version, Map<String, String> files) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] archive = bytes.toByteArray();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(archive);
        long size =
                files.values().stream()
                        .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                        .sum();
        skillArchives.put(name, archive);
        skills.removeIf(skill -> skill.name().equals(name));
        skills.add(
                new RunConfig.Skill(
                        name,
                        version,
                        "Does " + name,
                        HexFormat.of().formatHex(hash),
                        files.size(),
                        size));
    }

    private void skill(Exchange exchange) {
        check(exchange, runToken);
        byte[] archive = skillArchives.get(exchange.pathParameter("name"));
        if (archive == null) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such skill");
        }
        fetched.add(exchange.pathParameter("name"));
        exchange.body(200, "application/zip", archive);
    }

    private void credential(Exchange exchange) {
        check(exchange, runToken);
        Queue<String> values = credentials.get(exchange.pathParameter("name"));
        if (values == null) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such credential");
        }
        String value = values.size() > 1 ? values.remove() : values.element();
        exchange.json(200, Map.of("value", value));
    }

    private RunConfig.Assets assets() {
        List<RunConfig.File> files = new ArrayList<>();
        bag.forEach(
                (name, text) ->
                        files.add(
                                new RunConfig.File(
                                        name,
                                        text.getBytes(StandardCharsets.UTF_8).length,
                                        "x",
                                        "text/plain",
                                        true,
                                        null)));
        images.forEach((name, image) -> files.add(image(name, image, true)));
        earlierImages.forEach((name, image) -> files.add(image(name, image, false)));
        return new RunConfig.Assets(agentUrl() + "/bag.zip?sig=good", 0, files, null, null);
    }

    private static RunConfig.File image(String name, byte[] image, boolean attached) {
        String extension = name.substring(name.lastIndexOf('.') + 1);
        boolean isDocument = List.of("pdf", "xlsx").contains(extension);
        String type = (isDocument ? "application/" : "image/") + extension;
        return new RunConfig.File(name, image.length, "hash of " + name, type, attached, null);
    }

    private void zip(Exchange exchange) throws IOException {
        if (!exchange.query("sig").equals(Optional.of("good"))) {
            throw new SatchelException(ErrorCode.FORBIDDEN, "bad signature");
        }
        if (rawBag.isPresent()) {
            exchange.body(200, "application/zip", rawBag.get());
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : bag.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
            for (Map<String, byte[]> files : List.of(images, earlierImages)) {
                for (Map.Entry<String, byte[]> file : files.entrySet()) {
                    zip.putNextEntry(new ZipEntry(file.getKey()));
                    zip.write(file.getValue());
                }
            }
        }
        exchange.body(200, "application/zip", bytes.toByteArray());
    }

    private void staged(Exchange exchange) {
        check(exchange, runToken);
        if (!exchange.pathParameter("id").equals("asset-1")) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such asset");
        }
        exchange.header("Content-Disposition", "attachment; filename*=UTF-8''pr%C3%A9cis.txt");
        exchange.body(200, "text/plain", "an asset".getBytes(StandardCharsets.UTF_8));
    }

    private void results(Exchange exchange) throws IOException {
        check(exchange, UPLOAD);
        Integer refusal = refusals.poll();
        if (refusal != null) {
            exchange.json(refusal, Map.of("detail", "no room for these files"));
            return;
        }
        Map<String, String> files = new TreeMap<>();
        MultipartReader parts = MultipartReader.of(exchange, 100_000_000);
        for (Optional<Part> part = parts.next(); part.isPresent(); part = parts.next()) {
            byte[] content = part.get().content().readAllBytes();
            files.put(
                    part.get().filename().orElse("(none)"),
                    new String(content, StandardCharsets.UTF_8));
        }
        uploads.add(files);
        List<WriteBackResponse.Skipped> left = new ArrayList<>();
        skipped.forEach(
                (path, reason) -> left.add(new WriteBackResponse.Skipped(path, reason, path, 0L)));
        exchange.json(200, new WriteBackResponse(List.of(), left));
    }

    private static void check(Exchange exchange, String token) {
        if (!exchange.header("Authorization").equals(Optional.of(token))) {
            throw new SatchelException(ErrorCode.INVALID_TOKEN, "invalid token");
        }
    }
}
