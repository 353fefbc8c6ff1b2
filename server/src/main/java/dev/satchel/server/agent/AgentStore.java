package dev.satchel.server.agent;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Rows of agents. The row of a deleted agent stays for its runs; its name is free again. */
public final class AgentStore {
    private static final String LIVE =
            " FROM agent WHERE tenant_id = :tenant AND deleted_at IS NULL";

    private static final String NAME_TAKEN =
            "SELECT COUNT(*)" + LIVE + " AND name = :name AND id <> :id";

    private static final String INSERT =
            """
            INSERT INTO agent (id, tenant_id, name, system_prompt, model, variables, script, max_rounds,
                               allowed_hosts, tools, permissions, mcp_servers, skills, notes, version, path,
                               created_at, updated_at)
            VALUES (:id, :tenant, :name, :systemPrompt, :model, :variables, :script, :maxRounds,
                    :allowedHosts, :tools, :permissions, :mcpServers, :skills, :notes, :version, :path,
                    :created, :updated)
            """;

    private static final String UPDATE =
            """
            UPDATE agent
               SET name = :name, system_prompt = :systemPrompt, model = :model, variables = :variables,
                   script = :script, max_rounds = :maxRounds, allowed_hosts = :allowedHosts,
                   tools = :tools, permissions = :permissions, mcp_servers = :mcpServers, skills = :skills,
                   notes = :notes, version = :version, path = :path, updated_at = :updated
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL
            """;

    private static final String INSERT_VERSION =
            """
            INSERT INTO agent_version (agent_id, version, spec, path, created_at)
            VALUES (:id, :version, :spec, :path, :at)
            """;

    private static final String VERSIONS =
            """
            SELECT * FROM agent_version WHERE agent_id = :id AND version < :before
             ORDER BY version DESC LIMIT :limit
            """;

    private static final String DELETE =
            """
            UPDATE agent SET deleted_at = :now
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL
            """;

    private static final String LIST = "SELECT *" + LIVE + " ORDER BY name, id";

    private static final String FIND = "SELECT *" + LIVE + " AND id = :id";

    private static final String NAME_OF = "SELECT name FROM agent WHERE id = :id";

    private static final String NAMING_SKILL =
            "SELECT name" + LIVE + " AND skills LIKE :skill ORDER BY name";

    private static final String FIND_BY_NAME = "SELECT *" + LIVE + " AND name = :name";

    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};
    private static final TypeReference<Map<String, String>> VARIABLES = new TypeReference<>() {};
    private static final TypeReference<Map<String, RunConfig.McpServer>> MCP_SERVERS =
            new TypeReference<>() {};

    /** Whether another agent of the tenant has this name. */
    boolean nameTaken(Transaction tx, TenantId tenant, AgentId id, String name) {
        return tx.query(NAME_TAKEN)
                        .bind("tenant", tenant.value())
                        .bind("name", name)
                        .bind("id", id.value())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    void insert(Transaction tx, Agent agent) {
        bind(tx.update(INSERT), agent).bind("created", agent.createdAt()).execute();
        insertVersion(tx, agent);
    }

    void update(Transaction tx, Agent agent) {
        bind(tx.update(UPDATE), agent).execute();
        insertVersion(tx, agent);
    }

    private static void insertVersion(Transaction tx, Agent agent) {
        tx.update(INSERT_VERSION)
                .bind("id", agent.id().value())
                .bind("version", agent.version())
                .bind("spec", Json.MAPPER.writeValueAsString(agent.spec()))
                .bind("path", agent.path())
                .bind("at", agent.updatedAt())
                .execute();
    }

    /** The agent as it was in a version. */
    Optional<Agent> version(Transaction tx, Agent agent, long number) {
        return versions(tx, agent, number + 1, 1).stream()
                .filter(found -> found.version() == number)
                .findFirst();
    }

    /** The agent as it was in its versions below a number, the newest first. */
    List<Agent> versions(Transaction tx, Agent agent, long before, int limit) {
        return tx.query(VERSIONS)
                .bind("id", agent.id().value())
                .bind("before", before)
                .bind("limit", limit)
                .map(
                        (row, _) ->
                                new Agent(
                                        agent.id(),
                                        agent.tenant(),
                                        Json.MAPPER.readValue(
                                                row.getString("spec"), AgentSpec.class),
                                        row.getLong("version"),
                                        row.getString("path"),
                                        agent.createdAt(),
                                        row.getLong("created_at")))
                .list();
    }

    boolean delete(Transaction tx, TenantId tenant, AgentId id, long now) {
        return tx.update(DELETE)
                        .bind("id", id.value())
                        .bind("tenant", tenant.value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    List<Agent> list(Transaction tx, TenantId tenant) {
        return tx.query(LIST).bind("tenant", tenant.value()).map((row, _) -> agent(row)).list();
    }

    /** The names of the agents that name a skill, in order. */
    public List<String> naming(Transaction tx, TenantId tenant, String skill) {
        return tx.query(NAMING_SKILL)
                .bind("tenant", tenant.value())
                .bind("skill", "%\"" + skill + "\"%")
                .mapTo(String.class)
                .list();
    }

    public Optional<Agent> find(Transaction tx, TenantId tenant, AgentId id) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .map((row, _) -> agent(row))
                .findOne();
    }

    /** Refuses an unknown agent, a deleted one and one of another tenant alike. */
    public Agent require(Transaction tx, TenantId tenant, AgentId id) {
        return find(tx, tenant, id).orElseThrow(AgentService::noSuchAgent);
    }

    /** The name that an agent had when it was deleted. */
    public String nameOfDeleted(Transaction tx, AgentId id) {
        return tx.query(NAME_OF)
                .bind("id", id.value())
                .mapTo(String.class)
                .findOne()
                .orElse(id.value());
    }

    Optional<Agent> findByName(Transaction tx, TenantId tenant, String name) {
        return tx.query(FIND_BY_NAME)
                .bind("tenant", tenant.value())
                .bind("name", name)
                .map((row, _) -> agent(row))
                .findOne();
    }

    private static Update bind(Update update, Agent agent) {
        AgentSpec spec = agent.spec();
        List<String> tools = spec.tools();
        return update.bind("id", agent.id().value())
                .bind("tenant", agent.tenant().value())
                .bind("name", spec.name())
                .bind("systemPrompt", spec.systemPrompt())
                .bind("model", Json.MAPPER.writeValueAsString(spec.model()))
                .bind("variables", Json.MAPPER.writeValueAsString(spec.variables()))
                .bind("script", spec.script())
                .bind("maxRounds", spec.maxRounds())
                .bind("allowedHosts", Json.MAPPER.writeValueAsString(spec.allowedHosts()))
                .bind("tools", tools == null ? null : Json.MAPPER.writeValueAsString(tools))
                .bind("permissions", Json.MAPPER.writeValueAsString(spec.permissions()))
                .bind("mcpServers", Json.MAPPER.writeValueAsString(spec.mcpServers()))
                .bind("skills", Json.MAPPER.writeValueAsString(spec.skills()))
                .bind("notes", notes(spec.notes()))
                .bind("version", agent.version())
                .bind("path", agent.path())
                .bind("updated", agent.updatedAt());
    }

    private static @Nullable String notes(AgentNotes notes) {
        return notes.equals(AgentNotes.NONE) ? null : Json.MAPPER.writeValueAsString(notes);
    }

    private static AgentNotes notes(ResultSet row) throws SQLException {
        String notes = row.getString("notes");
        return notes == null ? AgentNotes.NONE : Json.MAPPER.readValue(notes, AgentNotes.class);
    }

    private static Agent agent(ResultSet row) throws SQLException {
        String tools = row.getString("tools");
        return new Agent(
                new AgentId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                new AgentSpec(
                        row.getString("name"),
                        row.getString("system_prompt"),
                        Json.MAPPER.readValue(row.getString("model"), AgentModel.class),
                        Json.MAPPER.readValue(row.getString("variables"), VARIABLES),
                        row.getString("script"),
                        row.getInt("max_rounds"),
                        Json.MAPPER.readValue(row.getString("allowed_hosts"), STRINGS),
                        tools == null ? null : Json.MAPPER.readValue(tools, STRINGS),
                        Json.MAPPER.readValue(row.getString("permissions"), VARIABLES),
                        Json.MAPPER.readValue(row.getString("mcp_servers"), MCP_SERVERS),
                        Json.MAPPER.readValue(row.getString("skills"), STRINGS),
                        notes(row)),
                row.getLong("version"),
                row.getString("path"),
                row.getLong("created_at"),
                row.getLong("updated_at"));
    }
}
