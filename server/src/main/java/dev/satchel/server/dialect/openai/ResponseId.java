package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.conversation.RunId;

/**
 * The id of a response: the run, and after which of its lines it begins. A run that was answered
 * has one response before the answer and one after it.
 */
record ResponseId(RunId run, long after) {
    private static final String PREFIX = "resp_";

    static ResponseId parse(String text) {
        String[] parts =
                text.startsWith(PREFIX)
                        ? text.substring(PREFIX.length()).split("_", 2)
                        : new String[] {""};
        boolean hasLine = parts.length == 2;
        if (!RunId.isValid(parts[0]) || (hasLine && !parts[1].matches("[0-9]{1,18}"))) {
            throw unknown();
        }
        return new ResponseId(new RunId(parts[0]), hasLine ? Long.parseLong(parts[1]) : 0);
    }

    static SatchelException unknown() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such response");
    }

    String text() {
        return PREFIX + run.value() + (after == 0 ? "" : "_" + after);
    }
}
