package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response of {@code GET {agent_url}/config}: all parameters of one run. Never cached, never
 * logged.
 *
 * @param keepWorkspace true when the server reads the workspace of a run without a chat afterwards,
 *     by the id of the run; absent otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunConfig(
        @JsonProperty("session_id") String sessionId,
        @JsonProperty("prompt") String prompt,
        @JsonProperty("conversation") List<ChatTurn> conversation,
        @JsonProperty("chat_id") @Nullable String chatId,
        @JsonProperty("workspace_id") String workspaceId,
        @JsonProperty("workflow_id") @Nullable String workflowId,
        @JsonProperty("system_prompt") @Nullable String systemPrompt,
        @JsonProperty("max_rounds") int maxRounds,
        @JsonProperty("model") @Nullable Model model,
        @JsonProperty("network") @Nullable Network network,
        @JsonProperty("assets") @Nullable Assets assets,
        @JsonProperty("command") @Nullable Command command,
        @JsonProperty("keep_workspace") @Nullable Boolean keepWorkspace) {

    public RunConfig {
        conversation = List.copyOf(conversation);
    }

    /** The model; absent for the default of the runner. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Model(
            @JsonProperty("provider") @Nullable String provider,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("base_url") @Nullable String baseUrl,
            @JsonProperty("api_key") @Nullable String apiKey) {
        @Override
        public String toString() { // without the key, which must not be logged
            return "Model[provider=" + provider + ", name=" + name + "]";
        }
    }

    /** Hosts that the sandbox may connect to; absent or empty for no network. */
    public record Network(@JsonProperty("allow") List<String> allow) {
        public Network {
            allow = List.copyOf(allow);
        }
    }

    /** One command line to run instead of an agent; the message of the result is its outcome. */
    public record Command(
            @JsonProperty("line") String line, @JsonProperty("timeout_ms") long timeoutMs) {}

    /**
     * The bag as one signed zip; absent when the bag is empty.
     *
     * @param inWorkspace true when the server has copied the files into the workspace, so that the
     *     runner need not fetch the zip; absent otherwise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Assets(
            @JsonProperty("url") String url,
            @JsonProperty("expires_at") long expiresAt,
            @JsonProperty("files") List<File> files,
            @JsonProperty("in_workspace") @Nullable Boolean inWorkspace) {
        public Assets {
            files = List.copyOf(files);
        }
    }

    /**
     * One file of the bag.
     *
     * @param attached whether it is attached to this message
     * @param path where it was copied to in the workspace; absent when that is its name
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record File(
            @JsonProperty("name") String name,
            @JsonProperty("size") long size,
            @JsonProperty("sha256") String sha256,
            @JsonProperty("mimeType") String mimeType,
            @JsonProperty("attached") boolean attached,
            @JsonProperty("path") @Nullable String path) {
        /** The path in the workspace. */
        public String workspacePath() {
            return path == null ? name : path;
        }
    }
}
