package dev.satchel.runner.agent;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.document.AttachedDocuments;
import dev.satchel.runner.document.DocumentSummaries;
import dev.satchel.runner.document.DocumentSummary;
import dev.satchel.runner.model.ChatHistory;
import dev.satchel.runner.model.ModelProvider.PdfLimits;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.UnscaledImageLoader;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The files that a user attached to a message, as the model gets them: images as images, small PDFs
 * as they are if the model takes them, other files as a hint with their path.
 */
record PromptAttachments(
        List<ToolResult.Image> images, List<ChatHistory.Document> documents, String hints) {
    /** Of all images, in base64; providers refuse a request of more than about 30 MB. */
    private static final long MAX_TOTAL_CHARACTERS = 20L * 1024 * 1024;

    /** Those that models take; an SVG is text. */
    private static final Set<String> IMAGE_TYPES =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    static final String SHOWN = "Shown as an image.";
    static final String SENT = "You have it as a document.";
    static final String READ = "Read it with view or grep.";

    PromptAttachments {
        images = List.copyOf(images);
        documents = List.copyOf(documents);
    }

    /**
     * Those of the message that is answered now. An image that cannot be shown is a failed step, so
     * that the person knows.
     */
    static PromptAttachments of(
            AgentTask task, AttachedDocuments settings, PdfLimits taken, StepRecorder steps)
            throws IOException, InterruptedException {
        List<ToolResult.Image> images = new ArrayList<>();
        List<ChatHistory.Document> documents = new ArrayList<>();
        StringBuilder hints = new StringBuilder();
        long room = MAX_TOTAL_CHARACTERS;
        int pages = Math.min(settings.pdfPages(), taken.maxPages());
        int bytes = Math.min(settings.pdfBytes(), taken.maxBytes());
        Map<WorkspacePath, DocumentSummary> summaries = summaries(task, settings);
        String picturesUnread = task.tools().documents().picturesUnread();
        for (RunConfig.File file : task.files()) {
            if (!file.attached()) {
                continue;
            }
            if (!isImage(file.mimeType())) {
                DocumentSummary summary = summaries.get(path(file.workspacePath()));
                String how = summary == null ? READ : summary.hint(picturesUnread);
                int pdf = summary == null ? 0 : summary.pdfPages();
                if (pdf > 0 && pdf <= pages && file.size() <= Math.min(bytes, room / 4 * 3)) {
                    documents.add(document(file, pdf, how, task));
                    pages -= pdf;
                    bytes -= (int) file.size();
                    room -= documents.getLast().base64().length();
                } else {
                    hints.append(hint(file, how));
                }
                continue;
            }
            try {
                ImageLoader.Loaded loaded = load(file, task.context(), room);
                images.add(loaded.image());
                room -= loaded.image().base64().length();
                hints.append(hint(file, (SHOWN + " " + loaded.change()).strip()));
            } catch (InvalidArgumentException e) {
                String problem = String.valueOf(e.getMessage());
                fail(file, problem, steps);
                hints.append(hint(file, problem));
            }
        }
        return new PromptAttachments(images, documents, hints.toString());
    }

    private static Map<WorkspacePath, DocumentSummary> summaries(
            AgentTask task, AttachedDocuments settings) throws InterruptedException {
        List<WorkspacePath> paths =
                task.files().stream()
                        .filter(file -> file.attached() && !isImage(file.mimeType()))
                        .map(file -> path(file.workspacePath()))
                        .filter(path -> !path.isRoot())
                        .toList();
        return new DocumentSummaries(task.context().workspace(), task.tools().documents())
                .read(paths, settings.hintTime());
    }

    private static ChatHistory.Document document(
            RunConfig.File file, int pages, String how, AgentTask task) throws IOException {
        try (OpenFile open = task.context().workspace().open(path(file.workspacePath()))) {
            String base64 =
                    UnscaledImageLoader.read(open, "application/pdf", (int) file.size()).base64();
            return new ChatHistory.Document(
                    file.name(), pages, base64, hint(file, SENT + " " + how), hint(file, how));
        }
    }

    /** The root where the path is not valid. */
    private static WorkspacePath path(String given) {
        try {
            return new WorkspacePath(given);
        } catch (IllegalArgumentException _) {
            return WorkspacePath.ROOT;
        }
    }

    private static void fail(RunConfig.File file, String problem, StepRecorder steps)
            throws IOException, InterruptedException {
        steps.step(
                "view",
                Json.MAPPER.createObjectNode().put("path", file.workspacePath()),
                _ -> ToolResult.failure(problem));
    }

    /** What the model reads about a file; {@code more} says how it gets the content. */
    static String hint(RunConfig.File file, String more) {
        return "\n[Attached: %s (%s, %d bytes) at %s/%s. %s]"
                .formatted(
                        file.name(),
                        file.mimeType(),
                        file.size(),
                        Sandbox.WORKSPACE,
                        file.workspacePath(),
                        more);
    }

    static boolean isImage(String mimeType) {
        return IMAGE_TYPES.contains(mimeType.toLowerCase(Locale.ROOT));
    }

    /**
     * Loads an image in at most so many characters of base64.
     *
     * @throws InvalidArgumentException says why it cannot be shown
     */
    static ImageLoader.Loaded load(RunConfig.File file, ToolContext context, long room)
            throws IOException, InterruptedException, InvalidArgumentException {
        WorkspacePath path = path(file);
        ImageLoader.Loaded loaded;
        try (OpenFile open = context.workspace().open(path)) {
            loaded = context.images().load(path, open);
        } catch (ClosedByInterruptException _) {
            throw new InterruptedException();
        } catch (NoSuchFileException | UnsafePathException | IrregularFileException _) {
            throw new InvalidArgumentException(
                    "Cannot display image %s: it is not in the workspace.".formatted(file.name()));
        }
        if (loaded.image().base64().length() > room) {
            throw new InvalidArgumentException(
                    "Cannot display image %s: there are too many images in one message. Show it with view."
                            .formatted(file.name()));
        }
        return loaded;
    }

    private static WorkspacePath path(RunConfig.File file) throws InvalidArgumentException {
        try {
            return new WorkspacePath(file.workspacePath());
        } catch (IllegalArgumentException _) {
            throw new InvalidArgumentException("The file has no valid path.");
        }
    }
}
