package dev.satchel.server.conversation;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The errors of chats and turns. */
public final class ChatErrors {
    private ChatErrors() {}

    /** The same for an unknown chat, a deleted one and one of another tenant. */
    public static SatchelException noSuchChat() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such chat");
    }

    public static SatchelException noSuchMessage() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such message in this chat");
    }

    public static SatchelException notOfUser() {
        return new SatchelException(
                ErrorCode.INVALID_REQUEST,
                "only a message of the user can be answered again: give the id of the message that"
                        + " this one answers, its parentId");
    }

    public static SatchelException unknownAttachment(String id) {
        String shown = id.length() > 64 ? id.substring(0, 64) + "…" : id;
        return new SatchelException(
                ErrorCode.UNKNOWN_ATTACHMENT,
                "attachment " + shown + " is not a file of this chat");
    }

    public static SatchelException turnInProgress(Conversation busy) {
        Map<String, Object> details = new LinkedHashMap<>();
        MessageId message = busy.activeMessageId();
        RunId run = busy.activeRunId();
        if (message != null && run != null) {
            details.put("activeMessageId", message.value());
            details.put("runId", run.value());
        }
        return new SatchelException(
                        ErrorCode.TURN_IN_PROGRESS, "a turn of this chat is still running")
                .withDetails(details);
    }

    public static SatchelException messageExists(String chatId) {
        return new SatchelException(
                        ErrorCode.CONFLICT,
                        "this chat already has a message with this userMessageId")
                .withDetails(Map.of("chatId", chatId));
    }
}
