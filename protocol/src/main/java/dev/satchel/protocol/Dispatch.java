package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST {SANDBOX_URL}/stream}: the callback URL, its one-time tokens and the
 * prompt.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Dispatch(
        @JsonProperty("session_id") String sessionId,
        @JsonProperty("agent_url") String agentUrl,
        @JsonProperty("otp_setup") String otpSetup,
        @JsonProperty("otp_run") String otpRun,
        @JsonProperty("otp_upload") @Nullable String otpUpload,
        @JsonProperty("prompt") String prompt,
        @JsonProperty("chat_id") @Nullable String chatId,
        @JsonProperty("conversation") @Nullable List<ChatTurn> conversation,
        @JsonProperty("accepts") @Nullable List<String> accepts,
        @JsonProperty("continued") @Nullable Continued continued) {

    /**
     * Of a run that is continued; absent in the first attempt.
     *
     * @param attempt 2 or more
     * @param journal the lines that the journal of the run has
     * @param workspaceRestored true when the workspace is that of an earlier snapshot, without what
     *     the run has changed since; absent otherwise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Continued(
            @JsonProperty("attempt") int attempt,
            @JsonProperty("journal") long journal,
            @JsonProperty("workspace_restored") @Nullable Boolean workspaceRestored) {}

    /** In {@code accepts}: the caller understands {@code delta} lines. */
    public static final String ACCEPTS_DELTA = "delta";

    /** In {@code accepts}: the caller understands {@code ask} and {@code parked} lines. */
    public static final String ACCEPTS_ASK = "ask";

    /** In {@code accepts}: the caller stores {@code journal} lines and can continue the run. */
    public static final String ACCEPTS_JOURNAL = "journal";

    public Dispatch {
        conversation = conversation == null ? null : List.copyOf(conversation);
        accepts = accepts == null ? null : List.copyOf(accepts);
    }

    /** Of the first attempt. */
    public Dispatch(
            String sessionId,
            String agentUrl,
            String otpSetup,
            String otpRun,
            @Nullable String otpUpload,
            String prompt,
            @Nullable String chatId,
            @Nullable List<ChatTurn> conversation,
            @Nullable List<String> accepts) {
        this(
                sessionId,
                agentUrl,
                otpSetup,
                otpRun,
                otpUpload,
                prompt,
                chatId,
                conversation,
                accepts,
                null);
    }

    public boolean acceptsDelta() {
        return accepts != null && accepts.contains(ACCEPTS_DELTA);
    }

    /** How many lines the journal has from the attempts before. */
    public long journalLines() {
        return continued == null ? 0 : continued.journal();
    }

    public boolean acceptsAsk() {
        return accepts != null && accepts.contains(ACCEPTS_ASK);
    }

    public boolean acceptsJournal() {
        return accepts != null && accepts.contains(ACCEPTS_JOURNAL);
    }
}
