package dev.satchel.runner.agent;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The files that a user attached to a message, as the model gets them: images as images, other
 * files as a hint with their path.
 */
record PromptAttachments(List<ToolResult.Image> images, String hints) {
    /** Of all images, in base64; providers refuse a request of more than about 30 MB. */
    private static final long MAX_TOTAL_CHARACTERS = 20L * 1024 * 1024;

    /** Those that models take; an SVG is text. */
    private static final Set<String> IMAGE_TYPES =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    static final String SHOWN = "Shown as an image.";
    static final String READ = "Read it with view or grep.";

    PromptAttachments {
        images = List.copyOf(images);
    }

    /**
     * Those of the message that is answered now. An image that cannot be shown is a failed step, so
     * that the person knows.
     */
    static PromptAttachments of(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException {
        List<ToolResult.Image> images = new ArrayList<>();
        StringBuilder hints = new StringBuilder();
        long room = MAX_TOTAL_CHARACTERS;
        for (RunConfig.File file : task.files()) {
            if (!file.attached()) {
                continue;
            }
            if (!isImage(file.mimeType())) {
                hints.append(hint(file, READ));
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
        return new PromptAttachments(images, hints.toString());
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
