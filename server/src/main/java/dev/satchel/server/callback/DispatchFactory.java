package dev.satchel.server.callback;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.approval.RunApprovals;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.bag.WorkspaceCopies.DispatchedFile;
import dev.satchel.server.bag.WorkspaceCopies.DispatchedFiles;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageReplay;
import dev.satchel.server.file.FileId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.skill.SkillReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates what a sandbox receives for its run: the dispatch and the configuration. */
public final class DispatchFactory {
    private final CallbackUrls urls;
    private final MessageReplay replay;
    private final BagService bags;
    private final WorkspaceCopies copies;
    private final RunApprovals approvals;
    private final int maxRounds;

    /** {@code maxRounds} is for runs whose agent names no number. */
    public DispatchFactory(
            CallbackUrls urls,
            MessageReplay replay,
            BagService bags,
            WorkspaceCopies copies,
            RunApprovals approvals,
            int maxRounds) {
        this.urls = urls;
        this.replay = replay;
        this.bags = bags;
        this.copies = copies;
        this.approvals = approvals;
        this.maxRounds = maxRounds;
    }

    /** {@code continued} is null in the first attempt of a run. */
    public Dispatch dispatch(
            Run run, RunTokens.Minted tokens, Dispatch.@Nullable Continued continued) {
        return new Dispatch(
                run.id().value(),
                urls.base(run.id()),
                tokens.setup(),
                tokens.run(),
                tokens.upload(),
                run.prompt(),
                chatId(run),
                run.isHeadless() ? null : history(run),
                run.isJournaled()
                        ? List.of(
                                Dispatch.ACCEPTS_DELTA,
                                Dispatch.ACCEPTS_JOURNAL,
                                Dispatch.ACCEPTS_ASK)
                        : List.of(Dispatch.ACCEPTS_DELTA),
                continued);
    }

    RunConfig config(Run run) {
        RunConfig config =
                new RunConfig(
                        run.id().value(),
                        run.prompt(),
                        history(run),
                        chatId(run),
                        run.tenant().value(),
                        null,
                        run.setup().systemPrompt(),
                        run.setup().maxRounds() > 0 ? run.setup().maxRounds() : maxRounds,
                        run.setup().model(),
                        run.setup().allowedHosts().isEmpty()
                                ? null
                                : new RunConfig.Network(run.setup().allowedHosts()),
                        assets(run),
                        run.setup().command(),
                        limits(),
                        bags.knownOutputs(run),
                        run.isHeadless() ? true : null,
                        run.setup().tools(),
                        approvals.permissions(run),
                        run.setup().onAsk(),
                        approvals.answers(run));
        return config.withMcpServers(run.setup().mcpServers())
                .withSkills(run.setup().skills().stream().map(SkillReference::config).toList());
    }

    private RunConfig.Limits limits() {
        BagLimits limits = bags.limits();
        return new RunConfig.Limits(
                limits.maxOutputFiles(), limits.maxFileBytes(), limits.maxBagBytes());
    }

    /** Absent without files. */
    private RunConfig.@Nullable Assets assets(Run run) {
        Set<FileId> attached = attachedNow(run);
        DispatchedFiles dispatched =
                copies.dispatched(run.conversation(), run.generation(), attached);
        if (dispatched.files().isEmpty()) {
            return null;
        }
        CallbackUrls.ZipUrl link = urls.zip(run);
        return new RunConfig.Assets(
                link.url(),
                link.expiresAt().toEpochMilli(),
                dispatched.files().stream()
                        .map(file -> file(file, run.isHeadless() || attached.contains(file.id())))
                        .toList(),
                dispatched.inWorkspace() ? true : null,
                dispatched.more() ? true : null);
    }

    /** With a path only if it is not the name. */
    private static RunConfig.File file(DispatchedFile file, boolean attached) {
        return new RunConfig.File(
                file.name(),
                file.size(),
                file.sha256(),
                file.mimeType(),
                attached,
                file.name().equals(file.path()) ? null : file.path());
    }

    /**
     * The files of the message. From the message, since the row of a file names only the first
     * message it is attached to.
     */
    private Set<FileId> attachedNow(Run run) {
        MessageId message = run.userMessageId();
        return message == null
                ? Set.of()
                : replay.attachmentsOf(run.conversation(), message).stream()
                        .map(attachment -> new FileId(attachment.id()))
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private List<ChatTurn> history(Run run) {
        MessageId message = run.userMessageId();
        return message == null ? List.of() : replay.before(run.conversation(), message);
    }

    private static @Nullable String chatId(Run run) {
        ConversationId chat = run.chat();
        return chat == null ? null : chat.value();
    }
}
