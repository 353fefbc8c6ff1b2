package dev.satchel.runner.agent;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.RunConfig;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The earlier turns of a conversation as the model gets them. A message of the person has the names
 * of its files, and the newest images among them are shown. What the agent did in a turn stands
 * before the next message of the person, so that the model does not take it for a way to answer.
 */
final class EarlierTurns {
    /** One message. */
    record Turn(boolean fromUser, String text, List<ToolResult.Image> images) {
        Turn {
            images = List.copyOf(images);
        }
    }

    private final AgentTask task;
    private int imagesLeft;
    private long charactersLeft; // in base64

    private EarlierTurns(AgentTask task, LoopSettings.ImageSettings images) {
        this.task = task;
        imagesLeft = images.earlier();
        charactersLeft = images.earlierBytes() / 3 * 4;
    }

    /** The messages that are not empty, from the first of the person on. */
    static List<Turn> of(AgentTask task, LoopSettings.ImageSettings shown)
            throws IOException, InterruptedException {
        Map<ChatTurn, List<ToolResult.Image>> images = new EarlierTurns(task, shown).images();
        List<Turn> turns = new ArrayList<>();
        String done = "";
        for (ChatTurn turn : task.history()) {
            boolean fromUser = turn.role().equals("user");
            String text = turn.content();
            if (fromUser) {
                text = done + text + attachments(turn, task, images.getOrDefault(turn, List.of()));
                done = "";
            } else {
                done += done(turn);
            }
            if (!text.isBlank() && (fromUser || !turns.isEmpty())) {
                turns.add(new Turn(fromUser, text, images.getOrDefault(turn, List.of())));
            }
        }
        return turns;
    }

    /** What the agent did since the last message of the person; empty without steps. */
    static String doneBefore(AgentTask task) {
        String done = "";
        for (ChatTurn turn : task.history()) {
            done = turn.role().equals("user") ? "" : done + done(turn);
        }
        return done;
    }

    private static String done(ChatTurn turn) {
        StringBuilder text = new StringBuilder();
        if (!turn.steps().isEmpty()) {
            text.append("[Your steps before this message]\n");
            turn.steps().forEach(step -> text.append("- ").append(step).append('\n'));
        }
        if (!turn.attachments().isEmpty()) {
            text.append("[You handed over: ").append(names(turn)).append("]\n");
        }
        return text.isEmpty() ? "" : text.append('\n').toString();
    }

    private static String names(ChatTurn turn) {
        return turn.attachments().stream()
                .map(ChatTurn.Attachment::name)
                .collect(Collectors.joining(", "));
    }

    private static String attachments(
            ChatTurn turn, AgentTask task, List<ToolResult.Image> images) {
        StringBuilder hints = new StringBuilder();
        for (ChatTurn.Attachment attachment : turn.attachments()) {
            boolean isShown = !images.isEmpty() && PromptAttachments.isImage(attachment.mimeType());
            hints.append(
                    find(attachment, task)
                            .map(
                                    file ->
                                            PromptAttachments.hint(
                                                    file,
                                                    isShown
                                                            ? PromptAttachments.SHOWN
                                                            : PromptAttachments.READ))
                            .orElse("\n[Attached: " + attachment.name() + "]"));
        }
        return hints.toString();
    }

    /**
     * The newest images, until the bytes are used up. All of a message, or none, so that its hints
     * are right.
     */
    private Map<ChatTurn, List<ToolResult.Image>> images()
            throws IOException, InterruptedException {
        Map<ChatTurn, List<ToolResult.Image>> images = new HashMap<>();
        for (ChatTurn turn : task.history().reversed()) {
            List<RunConfig.File> files = turn.role().equals("user") ? imageFiles(turn) : List.of();
            if (files.size() > imagesLeft) {
                continue;
            }
            List<ToolResult.Image> loaded = load(files);
            long characters = loaded.stream().mapToLong(image -> image.base64().length()).sum();
            if (characters > charactersLeft) {
                break;
            }
            if (!loaded.isEmpty()) {
                images.put(turn, loaded);
                imagesLeft -= files.size();
                charactersLeft -= characters;
            }
        }
        return images;
    }

    /** All, or none when one cannot be shown; its own turn said why. */
    private List<ToolResult.Image> load(List<RunConfig.File> files)
            throws IOException, InterruptedException {
        List<ToolResult.Image> loaded = new ArrayList<>();
        try {
            for (RunConfig.File file : files) {
                loaded.add(PromptAttachments.load(file, task.context(), Long.MAX_VALUE).image());
            }
        } catch (InvalidArgumentException _) {
            return List.of();
        }
        return loaded;
    }

    private List<RunConfig.File> imageFiles(ChatTurn turn) {
        List<RunConfig.File> files = new ArrayList<>();
        for (ChatTurn.Attachment attachment : turn.attachments()) {
            if (PromptAttachments.isImage(attachment.mimeType())) {
                find(attachment, task).ifPresent(files::add);
            }
        }
        return files;
    }

    /** The same version of the file in the workspace. */
    private static Optional<RunConfig.File> find(ChatTurn.Attachment attachment, AgentTask task) {
        return task.files().stream()
                .filter(file -> file.name().equals(attachment.name()))
                .filter(
                        file ->
                                attachment.sha256() == null
                                        || file.sha256().equals(attachment.sha256()))
                .findFirst();
    }
}
