package dev.satchel.runner.agent;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The files that a user attached to a message, as the model gets them: images as images, other
 * files as a hint with their path.
 */
record PromptAttachments(List<ToolResult.Image> images, String hints) {
    /** Providers accept 5 MiB of base64 for one image. */
    private static final int MAX_IMAGE_BYTES = 5 * 1024 * 1024 / 4 * 3;

    /** Of all images; providers refuse a request of more than about 30 MB. */
    private static final int MAX_TOTAL_BYTES = 4 * MAX_IMAGE_BYTES;

    PromptAttachments {
        images = List.copyOf(images);
    }

    /** Those of the message that is answered now. */
    static PromptAttachments of(List<RunConfig.File> files, SafeDirectory workspace) {
        List<ToolResult.Image> images = new ArrayList<>();
        StringBuilder hints = new StringBuilder();
        long room = MAX_TOTAL_BYTES;
        for (RunConfig.File file : files) {
            if (!file.attached()) {
                continue;
            }
            Optional<ToolResult.Image> image =
                    file.size() <= room ? image(file, workspace) : Optional.empty();
            room -= image.isPresent() ? file.size() : 0;
            image.ifPresent(images::add);
            hints.append(hint(file, image.isPresent()));
        }
        return new PromptAttachments(images, hints.toString());
    }

    static String hint(RunConfig.File file, boolean shown) {
        String where =
                "\n[Attached: %s (%s, %d bytes) at %s/%s. "
                        .formatted(
                                file.name(),
                                file.mimeType(),
                                file.size(),
                                Sandbox.WORKSPACE,
                                file.workspacePath());
        return where + (shown ? "Shown as an image.]" : "Read it with view or grep.]");
    }

    /** Empty when the file is not an image that models accept, or cannot be read. */
    static Optional<ToolResult.Image> image(RunConfig.File file, SafeDirectory workspace) {
        if (!file.mimeType().toLowerCase(Locale.ROOT).startsWith("image/")) {
            return Optional.empty();
        }
        try (OpenFile open = workspace.open(new WorkspacePath(file.workspacePath()))) {
            if (open.stat().size() > MAX_IMAGE_BYTES) {
                return Optional.empty();
            }
            byte[] bytes = Channels.newInputStream(open.channel()).readNBytes(MAX_IMAGE_BYTES);
            return imageType(bytes)
                    .map(
                            type ->
                                    new ToolResult.Image(
                                            type, Base64.getEncoder().encodeToString(bytes)));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty(); // the hint still names the file
        }
    }

    /** By content, because a provider refuses an image with the wrong type. */
    private static Optional<String> imageType(byte[] bytes) {
        if (startsWith(bytes, 0, "\u0089PNG\r\n")) {
            return Optional.of("image/png");
        }
        if (startsWith(bytes, 0, "\u00ff\u00d8\u00ff")) {
            return Optional.of("image/jpeg");
        }
        if (startsWith(bytes, 0, "GIF8")) {
            return Optional.of("image/gif");
        }
        boolean webp = startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP");
        return webp ? Optional.of("image/webp") : Optional.empty();
    }

    /** Each character of {@code magic} is one byte. */
    private static boolean startsWith(byte[] bytes, int offset, String magic) {
        if (bytes.length < offset + magic.length()) {
            return false;
        }
        for (int i = 0; i < magic.length(); i++) {
            if ((bytes[offset + i] & 0xff) != magic.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
