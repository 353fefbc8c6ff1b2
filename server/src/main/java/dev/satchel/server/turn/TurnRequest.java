package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What starts a run in a conversation, independent of the protocol of the request.
 *
 * @param selection the agent and the model, which the chat keeps
 * @param instructions for the model in this turn only; null for none
 */
public record TurnRequest(
        Target target,
        Place place,
        Content content,
        AgentSelection selection,
        @Nullable String instructions) {
    private static final int MAX_INSTRUCTIONS = 256 * 1024;

    public TurnRequest {
        if (instructions != null) {
            Fields.atMost("instructions", instructions, MAX_INSTRUCTIONS);
        }
    }

    public TurnRequest(Target target, Place place, Content content, AgentSelection selection) {
        this(target, place, content, selection, null);
    }

    public TurnRequest(Target target, Content content) {
        this(target, content, AgentSelection.KEEP);
    }

    /** After the head. */
    public TurnRequest(Target target, Content content, AgentSelection selection) {
        this(target, new Place.AfterHead(), content, selection);
    }

    /** The same turn with instructions of the client, which add to those of the agent. */
    public TurnRequest withInstructions(@Nullable String others) {
        return new TurnRequest(target, place, content, selection, others);
    }

    /** The same turn at another place of the thread. */
    public TurnRequest at(Place other) {
        return new TurnRequest(target, other, content, selection, instructions);
    }

    /** The same request when its files are stored. */
    TurnRequest stored(Target existing, Message message) {
        return new TurnRequest(existing, place, message, selection, instructions);
    }

    /** Whether the turn may begin at another place than the head. */
    boolean isElsewhere() {
        return content instanceof Regeneration || !(place instanceof Place.AfterHead);
    }

    /** Where a new message is added to the thread. */
    public sealed interface Place {
        record AfterHead() implements Place {}

        record After(MessageId parent) implements Place {}

        /** As a first message, beside any other. */
        record First() implements Place {}
    }

    /** The conversation in which the run works. */
    public sealed interface Target {
        /** The conversation, unless the turn creates it. */
        default Optional<ConversationId> conversation() {
            return Optional.empty();
        }

        /** A conversation that the turn creates. */
        record NewConversation(@Nullable String workflowId) implements Target {}

        /** A conversation that the caller has. */
        record Existing(ConversationId id) implements Target {
            @Override
            public Optional<ConversationId> conversation() {
                return Optional.of(id);
            }
        }

        /** A conversation under an id that the client chose; its first turn creates it. */
        record CreatedIfAbsent(ConversationId id) implements Target {
            @Override
            public Optional<ConversationId> conversation() {
                return Optional.of(id);
            }
        }
    }

    /** What the run works on. */
    public sealed interface Content {}

    /** One command in the workspace. The thread does not show it. */
    public record Command(RunConfig.Command command) implements Content {}

    /** A message of the thread that is answered once more; no message of the user is added. */
    public record Regeneration(MessageId message) implements Content {}

    /**
     * A message of the user.
     *
     * @param attachments files of the conversation
     * @param uploads received files that the conversation claims and that are attached then
     * @param inlineFiles files that came inside the request, stored and attached then
     */
    public record Message(
            MessageId id,
            String text,
            List<FileId> attachments,
            List<FileId> uploads,
            List<InlineFile> inlineFiles)
            implements Content {
        private static final int MAX_LENGTH = 256 * 1024;
        private static final int MAX_ATTACHMENTS = 100;

        public Message {
            attachments = List.copyOf(attachments);
            uploads = List.copyOf(uploads);
            inlineFiles = List.copyOf(inlineFiles);
            validate(text, attachments.size() + uploads.size() + inlineFiles.size());
        }

        public static Message of(MessageId id, String text, List<FileId> attachments) {
            return new Message(id, text, attachments, List.of(), List.of());
        }

        static void validate(String text, int attachments) {
            requireText("message", text, attachments, MAX_LENGTH);
            if (attachments > MAX_ATTACHMENTS) {
                throw Fields.invalid("attachmentIds", "has more than " + MAX_ATTACHMENTS + " ids");
            }
        }
    }

    /** A text may be empty when files come with it. */
    static void requireText(String field, @Nullable String text, int files, int maxLength) {
        if (files == 0) {
            Fields.text(field, text, maxLength);
        } else {
            Fields.atMost(field, Fields.required(field, text), maxLength);
        }
    }

    /** The id that the client chose for its message, or a new one. */
    public static MessageId messageId(@Nullable String given) {
        if (given == null) {
            return MessageId.random();
        }
        if (!MessageId.isValid(given)) {
            throw Fields.invalid(
                    "userMessageId", "must be 1 to 128 letters, digits or any of . _ : -");
        }
        return new MessageId(given);
    }

    /** An id that is not well-formed is refused like one that is unknown. */
    public static List<FileId> attachments(List<String> ids) {
        return ids.stream().distinct().map(TurnRequest::attachment).toList();
    }

    private static FileId attachment(String id) {
        if (!FileId.isValid(id)) {
            throw ChatErrors.unknownAttachment(id);
        }
        return new FileId(id);
    }
}
