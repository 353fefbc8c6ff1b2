package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The response of {@code GET {agent_url}/config}: all parameters of one run. Never cached, never
 * logged.
 *
 * @param permissions what the tools may do, by name or by a prefix before {@code *}: {@code allow},
 *     {@code ask} or {@code deny}; absent when everything is allowed
 * @param tools the names of the tools that the agent has, or beginnings of names before {@code *};
 *     absent when it has all
 * @param onAsk what happens when a person would be asked: {@code park}, {@code deny} or {@code
 *     fail}; absent for the first
 * @param answers what people have answered to the asks of this run; absent without any
 * @param keepWorkspace true when the server reads the workspace of a run without a chat afterwards,
 *     by the id of the run; absent otherwise
 * @param journal of a run that is continued: its journal, or the beginning of it
 * @param journalMore true when the rest of the journal is at {@code {agent_url}/journal}; absent
 *     otherwise
 * @param afterJournal of a run that is continued: the types of the lines that its log has after the
 *     last line of the journal
 * @param mcpServers the MCP servers that bring tools, by name; absent without any
 * @param skills the skills of the agent in the versions that this run uses; absent without any
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
        @JsonProperty("limits") @Nullable Limits limits,
        @JsonProperty("known_outputs") @Nullable List<KnownOutput> knownOutputs,
        @JsonProperty("keep_workspace") @Nullable Boolean keepWorkspace,
        @JsonProperty("tools") @Nullable List<String> tools,
        @JsonProperty("permissions") @Nullable Map<String, String> permissions,
        @JsonProperty("on_ask") @Nullable String onAsk,
        @JsonProperty("answers") @Nullable List<Answer> answers,
        @JsonProperty("journal") @Nullable List<JournalLine> journal,
        @JsonProperty("journal_more") @Nullable Boolean journalMore,
        @JsonProperty("after_journal") @Nullable List<String> afterJournal,
        @JsonProperty("mcp_servers") @Nullable Map<String, McpServer> mcpServers,
        @JsonProperty("skills") @Nullable List<Skill> skills) {

    /** Of a run that is not continued. */
    public RunConfig(
            String sessionId,
            String prompt,
            List<ChatTurn> conversation,
            @Nullable String chatId,
            String workspaceId,
            @Nullable String workflowId,
            @Nullable String systemPrompt,
            int maxRounds,
            @Nullable Model model,
            @Nullable Network network,
            @Nullable Assets assets,
            @Nullable Command command,
            @Nullable Limits limits,
            @Nullable List<KnownOutput> knownOutputs,
            @Nullable Boolean keepWorkspace,
            @Nullable List<String> tools,
            @Nullable Map<String, String> permissions,
            @Nullable String onAsk,
            @Nullable List<Answer> answers) {
        this(
                sessionId,
                prompt,
                conversation,
                chatId,
                workspaceId,
                workflowId,
                systemPrompt,
                maxRounds,
                model,
                network,
                assets,
                command,
                limits,
                knownOutputs,
                keepWorkspace,
                tools,
                permissions,
                onAsk,
                answers,
                null,
                null,
                null,
                null,
                null);
    }

    /** A line of the journal, as the run wrote it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record JournalLine(
            @JsonProperty("n") long n,
            @JsonProperty("entry") String entry,
            @JsonProperty("more") @Nullable Boolean more) {}

    /** The same configuration of a run that is continued. */
    public RunConfig continued(JournalPage earlier, List<String> shown) {
        return with(earlier.journal(), earlier.more(), shown, mcpServers, skills);
    }

    /** The same configuration with MCP servers; without any the field is absent. */
    public RunConfig withMcpServers(Map<String, McpServer> servers) {
        return with(journal, journalMore, afterJournal, servers.isEmpty() ? null : servers, skills);
    }

    /** The same configuration with skills; without any the field is absent. */
    public RunConfig withSkills(List<Skill> others) {
        return with(
                journal, journalMore, afterJournal, mcpServers, others.isEmpty() ? null : others);
    }

    private RunConfig with(
            @Nullable List<JournalLine> earlier,
            @Nullable Boolean more,
            @Nullable List<String> shown,
            @Nullable Map<String, McpServer> servers,
            @Nullable List<Skill> others) {
        return new RunConfig(
                sessionId,
                prompt,
                conversation,
                chatId,
                workspaceId,
                workflowId,
                systemPrompt,
                maxRounds,
                model,
                network,
                assets,
                command,
                limits,
                knownOutputs,
                keepWorkspace,
                tools,
                permissions,
                onAsk,
                answers,
                earlier,
                more,
                shown,
                servers,
                others);
    }

    public RunConfig {
        permissions =
                permissions == null
                        ? null
                        : Collections.unmodifiableMap(new TreeMap<>(permissions));
        tools = tools == null ? null : List.copyOf(tools);
        answers = answers == null ? null : List.copyOf(answers);
        conversation = List.copyOf(conversation);
        knownOutputs = knownOutputs == null ? null : List.copyOf(knownOutputs);
        journal = journal == null ? null : List.copyOf(journal);
        afterJournal = afterJournal == null ? null : List.copyOf(afterJournal);
        mcpServers =
                mcpServers == null ? null : Collections.unmodifiableMap(new TreeMap<>(mcpServers));
        skills = skills == null ? null : List.copyOf(skills);
    }

    /**
     * A folder that the sandbox has as {@code /root/skills/<name>}, which commands cannot change.
     * Its archive is a zip at {@code {agent_url}/skills/<name>}, which needs the run token.
     *
     * @param version the number that people see
     * @param description for the model: what the skill is for
     * @param sha256 of the archive; the same hash has the same files
     * @param files how many files it has
     * @param bytes the size of its files together
     */
    public record Skill(
            @JsonProperty("name") String name,
            @JsonProperty("version") long version,
            @JsonProperty("description") String description,
            @JsonProperty("sha256") String sha256,
            @JsonProperty("files") int files,
            @JsonProperty("bytes") long bytes) {}

    /**
     * One MCP server. It has an address, or a command line that runs in the sandbox.
     *
     * @param type {@code http} or {@code stdio}
     * @param headers of every request; {@code secret:<name>} in a value stands for the value of a
     *     credential
     * @param credential the name of the credential that is sent as {@code Authorization: Bearer}
     * @param env variables of the command, besides those of the sandbox
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record McpServer(
            @JsonProperty("type") String type,
            @JsonProperty("url") @Nullable String url,
            @JsonProperty("headers") @Nullable Map<String, String> headers,
            @JsonProperty("credential") @Nullable String credential,
            @JsonProperty("command") @Nullable String command,
            @JsonProperty("args") @Nullable List<String> args,
            @JsonProperty("env") @Nullable Map<String, String> env) {
        public static final String HTTP = "http";
        public static final String STDIO = "stdio";

        /** Stands in the value of a header for the value of a credential. */
        public static final Pattern SECRET =
                Pattern.compile("\\bsecret:([a-z0-9][a-z0-9._-]{0,63})");

        public McpServer {
            headers = headers == null ? null : Collections.unmodifiableMap(new TreeMap<>(headers));
            args = args == null ? null : List.copyOf(args);
            env = env == null ? null : Collections.unmodifiableMap(new TreeMap<>(env));
        }

        /** The names of the credentials that its requests contain. */
        public Set<String> credentialNames() {
            Set<String> names = new TreeSet<>();
            if (credential != null) {
                names.add(credential);
            }
            if (headers != null) {
                for (String value : headers.values()) {
                    SECRET.matcher(value).results().forEach(found -> names.add(found.group(1)));
                }
            }
            return names;
        }

        /** A server at an address. */
        public static McpServer http(
                String url, Map<String, String> headers, @Nullable String credential) {
            return new McpServer(HTTP, url, headers, credential, null, null, null);
        }

        /** A server that is started in the sandbox. */
        public static McpServer stdio(String command, List<String> args, Map<String, String> env) {
            return new McpServer(STDIO, null, null, null, command, args, env);
        }
    }

    /**
     * The model; absent for the default of the runner. Every field may be absent.
     *
     * @param id the model's id in the registry of the operator; absent for a model that a tenant
     *     describes. Only with an id may the address be in a private network without being listed
     *     in {@code SATCHEL_PRIVATE_HOSTS}, and only then is {@code apiKeyEnv} read
     * @param apiKeyEnv the variable of the runner's environment that has the key
     * @param contextTokens how many tokens a request and its answer may have together
     * @param maxOutputTokens how many tokens an answer may have
     * @param thinking {@code off}, {@code low}, {@code medium}, {@code high} or a number of tokens;
     *     absent for what is usual with the provider
     * @param fallback the model that is asked when this one does not answer after all tries
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Model(
            @JsonProperty("id") @Nullable String id,
            @JsonProperty("provider") @Nullable String provider,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("base_url") @Nullable String baseUrl,
            @JsonProperty("api_key") @Nullable String apiKey,
            @JsonProperty("api_key_env") @Nullable String apiKeyEnv,
            @JsonProperty("context_tokens") @Nullable Integer contextTokens,
            @JsonProperty("max_output_tokens") @Nullable Integer maxOutputTokens,
            @JsonProperty("thinking") @Nullable String thinking,
            @JsonProperty("fallback") @Nullable Model fallback) {
        public Model(
                @Nullable String provider,
                @Nullable String name,
                @Nullable String baseUrl,
                @Nullable String apiKey) {
            this(null, provider, name, baseUrl, apiKey, null, null, null, null, null);
        }

        /** Only the id, which the server completes from its registry. */
        public static Model ofRegistry(String id) {
            return new Model(id, null, null, null, null, null, null, null, null, null);
        }

        @Override
        public String toString() { // without the key, which must not be logged
            return "Model[id=" + id + ", provider=" + provider + ", name=" + name + "]";
        }
    }

    /** Hosts that the sandbox may connect to; absent or empty for no network. */
    public record Network(@JsonProperty("allow") List<String> allow) {
        public Network {
            allow = List.copyOf(allow);
        }
    }

    /**
     * What a person has answered to one {@code ask} line.
     *
     * @param decision {@code allow} or {@code deny}
     * @param text the answer to a question, or the reason of a decision
     * @param remember {@code run} when the decision holds for every later call of the tool in this
     *     run
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Answer(
            @JsonProperty("ask_id") String askId,
            @JsonProperty("tool") String tool,
            @JsonProperty("decision") String decision,
            @JsonProperty("text") @Nullable String text,
            @JsonProperty("remember") @Nullable String remember) {
        public static final String ALLOW = "allow";
        public static final String DENY = "deny";
        public static final String FOR_RUN = "run";

        @JsonIgnore
        public boolean isAllowed() {
            return decision.equals(ALLOW);
        }
    }

    /** One command line to run instead of an agent; the message of the result is its outcome. */
    public record Command(
            @JsonProperty("line") String line, @JsonProperty("timeout_ms") long timeoutMs) {}

    /** What one write-back may hold; absent from a server that does not tell. */
    public record Limits(
            @JsonProperty("max_output_files") int maxOutputFiles,
            @JsonProperty("max_file_bytes") long maxFileBytes,
            @JsonProperty("max_output_bytes") long maxOutputBytes) {}

    /**
     * A file of {@code assets/} that an earlier run handed in or, with {@code left_out}, named as
     * not handed over; the path is relative to {@code assets/}. The hash is absent when the size is
     * enough, because the last run handed in everything.
     */
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record KnownOutput(
            @JsonProperty("path") String path,
            @JsonInclude(JsonInclude.Include.ALWAYS) @JsonProperty("size") long size,
            @JsonProperty("sha256") @Nullable String sha256,
            @JsonProperty("left_out") boolean leftOut) {}

    /**
     * The bag as one signed zip; absent when the bag is empty.
     *
     * @param inWorkspace true when the server has copied the files into the workspace, so that the
     *     runner need not fetch the zip; absent otherwise
     * @param more true when the workspace has more files of the bag than are listed, which happens
     *     only in the workspace; absent otherwise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Assets(
            @JsonProperty("url") String url,
            @JsonProperty("expires_at") long expiresAt,
            @JsonProperty("files") List<File> files,
            @JsonProperty("in_workspace") @Nullable Boolean inWorkspace,
            @JsonProperty("more") @Nullable Boolean more) {
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
