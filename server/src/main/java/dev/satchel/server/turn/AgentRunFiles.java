package dev.satchel.server.turn;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.http.multipart.MultipartReader;
import dev.satchel.http.multipart.Part;
import dev.satchel.server.access.Caller;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadClaims;
import dev.satchel.server.upload.UploadReceiver;
import dev.satchel.server.upload.UploadService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files that a headless run is given. Those of a form are uploads first, as are copies of
 * assets, so that the run claims all its files at once, and what a failure leaves expires.
 */
public final class AgentRunFiles {
    private static final long MULTIPART_OVERHEAD = 1L << 20;
    private static final int MAX_FIELD_BYTES = 1 << 20;

    private final UploadService uploads;
    private final UploadClaims claims;
    private final AssetService assets;
    private final BagService bags;

    public AgentRunFiles(
            UploadService uploads, UploadClaims claims, AssetService assets, BagService bags) {
        this.uploads = uploads;
        this.claims = claims;
        this.assets = assets;
        this.bags = bags;
    }

    /**
     * A request, and the uploads of its form.
     *
     * @param uploads are among the files of the request
     */
    record Received(AgentRunRequest request, List<Upload> uploads) {
        Received {
            uploads = List.copyOf(uploads);
        }
    }

    /** Reads a request: JSON, or a form with files. */
    Received read(Exchange exchange, Caller caller) throws IOException {
        String type = exchange.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.startsWith("multipart/")) {
            return new Received(exchange.readJson(AgentRunRequest.class), List.of());
        }
        Form form = new Form();
        try (UploadReceiver receiver = receiver(caller)) {
            MultipartReader parts =
                    MultipartReader.of(
                            exchange, uploads.limits().maxBagBytes() + MULTIPART_OVERHEAD);
            for (Optional<Part> part = parts.next(); part.isPresent(); part = parts.next()) {
                Optional<String> filename = part.get().filename();
                if (filename.isPresent()) {
                    receiver.receive(filename.get(), part.get().content());
                    form.hasFiles = true;
                } else {
                    form.add(part.get().field(), text(part.get()));
                }
            }
            form.requireValid();
            List<Upload> stored = receiver.commit();
            return new Received(form.request(ids(stored)), stored);
        }
    }

    /** Puts the files of a request into the bag of the run and returns them in their order. */
    List<BagFile> claim(Caller caller, RunId run, AgentRunRequest request) throws IOException {
        List<Asset> wanted =
                request.assetIds().stream().map(id -> assets.get(caller.tenant(), id)).toList();
        List<Upload> copies = wanted.isEmpty() ? List.of() : copy(caller, wanted);
        List<String> all = new ArrayList<>(request.fileIds());
        all.addAll(ids(copies));
        try {
            claims.intoRun(caller, run, UploadClaims.files(all));
        } catch (SatchelException refusal) {
            discard(copies);
            throw refusal;
        }
        return bags.list(new BagId.OfConversation(RunConversationStore.idOf(run)));
    }

    /** Deletes uploads of a request that was refused, unless the run has claimed them. */
    void discard(List<Upload> received) {
        uploads.remove(received);
    }

    private List<Upload> copy(Caller caller, List<Asset> wanted) throws IOException {
        try (UploadReceiver receiver = receiver(caller)) {
            for (Asset asset : wanted) {
                receiver.copy(asset.file());
            }
            return receiver.commit();
        }
    }

    private static List<String> ids(List<Upload> uploads) {
        return uploads.stream().map(upload -> upload.id().value()).toList();
    }

    private UploadReceiver receiver(Caller caller) {
        return uploads.receive(caller, UploadService.newSession());
    }

    private static String text(Part part) throws IOException {
        byte[] bytes = part.content().readNBytes(MAX_FIELD_BYTES + 1);
        if (bytes.length > MAX_FIELD_BYTES) {
            throw Fields.invalid(part.field(), "is longer than " + MAX_FIELD_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The fields of a form; ids may be repeated. */
    private static final class Form {
        private @Nullable String prompt;
        private @Nullable String onDisconnect;
        private @Nullable String model;
        private @Nullable String onAsk;
        private final List<String> fileIds = new ArrayList<>();
        private final List<String> assetIds = new ArrayList<>();
        private boolean hasFiles;

        void add(String field, String value) {
            switch (field) {
                case "prompt" -> prompt = once(field, prompt, value);
                case "onDisconnect" -> onDisconnect = once(field, onDisconnect, value);
                case "model" -> model = once(field, model, value);
                case "onAsk" -> onAsk = once(field, onAsk, value);
                case "fileIds" -> fileIds.add(value);
                case "assetIds" -> assetIds.add(value);
                default -> throw Fields.unknown(field);
            }
        }

        /** Before the files are stored, whose ids are not known yet. */
        void requireValid() {
            AgentRunRequest _ = request(hasFiles ? List.of("a file of the form") : List.of());
        }

        /** The files of the form come after those that it names. */
        AgentRunRequest request(List<String> files) {
            List<String> all = new ArrayList<>(fileIds);
            all.addAll(files);
            return new AgentRunRequest(prompt, onDisconnect, all, assetIds, model, onAsk);
        }

        private static String once(String field, @Nullable String before, String value) {
            if (before != null) {
                throw Fields.invalid(field, "is given twice");
            }
            return value;
        }
    }
}
