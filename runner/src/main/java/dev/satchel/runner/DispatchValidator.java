package dev.satchel.runner;

import dev.satchel.http.Fields;
import dev.satchel.protocol.Dispatch;
import java.net.URI;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Validates a dispatch; an error names the field. */
final class DispatchValidator {
    private static final int MAX_URL = 2_048;
    private static final int MAX_TOKEN = 4_096;

    private DispatchValidator() {}

    /** Returns the dispatch with an id, and an address without a trailing slash. */
    static Dispatch validate(Dispatch given) {
        String upload = given.otpUpload();
        return new Dispatch(
                id(given.sessionId()),
                address(Fields.text("agent_url", given.agentUrl(), MAX_URL)),
                token("otp_setup", given.otpSetup()),
                token("otp_run", given.otpRun()),
                upload == null ? null : token("otp_upload", upload),
                Fields.required("prompt", given.prompt()),
                given.chatId(),
                given.conversation(),
                given.accepts(),
                given.continued());
    }

    private static String id(@Nullable String given) {
        return given == null ? UUID.randomUUID().toString() : given;
    }

    private static String address(String given) {
        try {
            URI uri = URI.create(given);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (web && uri.getHost() != null && plain && uri.getRawUserInfo() == null) {
                return given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw Fields.invalid("agent_url", "is not a plain http(s) address");
    }

    /** A token must be valid in a header. */
    private static String token(String field, @Nullable String given) {
        String token = Fields.text(field, given, MAX_TOKEN);
        if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw Fields.invalid(field, "holds characters that no token has");
        }
        return token;
    }
}
