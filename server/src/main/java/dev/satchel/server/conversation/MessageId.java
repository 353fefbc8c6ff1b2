package dev.satchel.server.conversation;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

/** The id of a message, unique in its thread; a client may choose that of a user message. */
public record MessageId(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    public MessageId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a message id");
        }
    }

    public static MessageId random() {
        return new MessageId(UUID.randomUUID().toString());
    }

    /** The message that ends a run, known before it is written. */
    public static MessageId ofAnswer(RunId run) {
        byte[] name = ("answer of " + run.value()).getBytes(StandardCharsets.UTF_8);
        return new MessageId(UUID.nameUUIDFromBytes(name).toString());
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }
}
