package dev.satchel.server.agent;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.skill.SkillService;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Saved agents of a tenant. */
public final class AgentService {
    private final Database database;
    private final AgentStore store;
    private final ChatAgentStore chats;
    private final AccessStore tenants;
    private final ModelRegistry models;
    private final SkillService skills;
    private final int maxRounds;
    private final Clock clock;

    /** The rows of agents, of what chats have chosen, and of tenants. */
    public record Stores(AgentStore agents, ChatAgentStore chats, AccessStore tenants) {}

    /** {@code maxRounds} is for agents that name no number. */
    public AgentService(
            Database database,
            Stores stores,
            ModelRegistry models,
            SkillService skills,
            int maxRounds,
            Clock clock) {
        this.database = database;
        this.store = stores.agents();
        this.chats = stores.chats();
        this.tenants = stores.tenants();
        this.models = models;
        this.skills = skills;
        this.maxRounds = maxRounds;
        this.clock = clock;
    }

    public List<Agent> list(Caller caller) {
        return database.read(tx -> store.list(tx, caller.tenant()));
    }

    public Agent get(Caller caller, AgentId id) {
        return database.read(tx -> get(tx, caller, id));
    }

    public Agent get(Transaction tx, Caller caller, AgentId id) {
        return store.require(tx, caller.tenant(), id);
    }

    /** A page of the versions of an agent below a number, the newest first. */
    List<Agent> versions(Caller caller, AgentId id, long before, int limit) {
        return database.read(tx -> store.versions(tx, get(tx, caller, id), before, limit));
    }

    public Agent create(Caller caller, AgentSpec spec) {
        requireKnownModel(spec);
        Agent agent = newAgent(caller, spec, "");
        database.change(
                tx -> {
                    requireFreeName(tx, agent);
                    skills.requireKnown(tx, agent.tenant(), spec.skills());
                    store.insert(tx, agent);
                });
        return agent;
    }

    /**
     * An agent without a number of rounds gets none if the request sends back the one that it read.
     * What clients have stored with it stays unless the request names it.
     */
    public Agent replace(Caller caller, AgentId id, AgentSpec spec) {
        requireKnownModel(spec);
        return change(
                caller,
                id,
                before -> {
                    boolean isSentBack =
                            before.spec().maxRounds() == AgentSpec.DEFAULT_ROUNDS
                                    && spec.maxRounds() == maxRounds;
                    AgentSpec changed = isSentBack ? spec.withDefaultRounds() : spec;
                    AgentNotes notes = spec.notes();
                    return changed.with(
                            before.spec().notes().with(notes.description(), notes.config()));
                });
    }

    /** Changes what an update names, and nothing else. */
    Agent update(Caller caller, AgentId id, AgentUpdate update) {
        return change(caller, id, before -> knownModel(update.apply(before.spec())));
    }

    /** A new version with the values of an earlier one. */
    Agent activate(Caller caller, AgentId id, long version) {
        return database.write(
                tx -> {
                    tenants.lockTenant(tx, caller.tenant());
                    Agent now = get(tx, caller, id);
                    return now.version() == version
                            ? now
                            : change(tx, now, requireVersion(tx, now, version).spec());
                });
    }

    Agent version(Caller caller, AgentId id, long version) {
        return database.read(tx -> requireVersion(tx, get(tx, caller, id), version));
    }

    private Agent requireVersion(Transaction tx, Agent agent, long version) {
        return store.version(tx, agent, version)
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "Version not found"));
    }

    private Agent change(Caller caller, AgentId id, Function<Agent, AgentSpec> changed) {
        return database.write(
                tx -> {
                    tenants.lockTenant(tx, caller.tenant()); // no two get the same version
                    Agent before = get(tx, caller, id);
                    return change(tx, before, changed.apply(before));
                });
    }

    private Agent change(Transaction tx, Agent before, AgentSpec spec) {
        Agent after = before.with(spec, before.path(), clock.millis());
        requireFreeName(tx, after);
        skills.requireKnown(tx, after.tenant(), spec.skills());
        store.update(tx, after);
        return after;
    }

    /** A name that is no id of the registry is that of a model of the default provider. */
    private AgentSpec knownModel(AgentSpec spec) {
        String id = spec.model().id();
        return id == null || models.find(id).isPresent()
                ? spec
                : spec.with(spec.name(), spec.systemPrompt(), new AgentModel(null, null, id, null));
    }

    /** Creates the agent with this name, or its next version. */
    Agent deploy(Caller caller, AgentSpec named, String path) {
        AgentSpec spec = knownModel(named);
        return database.write(
                tx -> {
                    tenants.lockTenant(tx, caller.tenant());
                    skills.requireKnown(tx, caller.tenant(), spec.skills());
                    Optional<Agent> before = store.findByName(tx, caller.tenant(), spec.name());
                    if (before.isPresent()) {
                        Agent after = before.get().with(spec, path, clock.millis());
                        store.update(tx, after);
                        return after;
                    }
                    Agent created = newAgent(caller, spec, path);
                    store.insert(tx, created);
                    return created;
                });
    }

    public Optional<Agent> find(Caller caller, String name) {
        if (name.indexOf('\0') >= 0) { // not a valid name, and PostgreSQL refuses it
            return Optional.empty();
        }
        return database.read(tx -> store.findByName(tx, caller.tenant(), name));
    }

    Agent named(Caller caller, String name) {
        return find(caller, name).orElseThrow(AgentService::noSuchAgent);
    }

    /** The rounds of the agent's runs: its own number, or the setting. */
    int maxRounds(Agent agent) {
        int own = agent.spec().maxRounds();
        return own == AgentSpec.DEFAULT_ROUNDS ? maxRounds : own;
    }

    private void requireKnownModel(AgentSpec spec) {
        String id = spec.model().id();
        if (id != null) {
            models.require("model", id);
        }
    }

    /** Its chats go on with the default agent. */
    public void delete(Caller caller, AgentId id) {
        database.change(
                tx -> {
                    tenants.lockTenant(tx, caller.tenant());
                    if (!store.delete(tx, caller.tenant(), id, clock.millis())) {
                        throw noSuchAgent();
                    }
                    if (chats.findDefault(tx, caller.tenant()).filter(id::equals).isPresent()) {
                        chats.clearDefault(tx, caller.tenant());
                    }
                });
    }

    /** The agent of the chats that name none; empty if there is none. */
    Optional<Agent> defaultAgent(Caller caller) {
        return database.read(
                tx ->
                        chats.findDefault(tx, caller.tenant())
                                .flatMap(id -> store.find(tx, caller.tenant(), id)));
    }

    /** Sets the agent of the chats that name none; null for none. */
    void setDefault(Caller caller, @Nullable AgentId id) {
        database.change(
                tx -> {
                    tenants.lockTenant(tx, caller.tenant());
                    if (id == null) {
                        chats.clearDefault(tx, caller.tenant());
                    } else {
                        chats.saveDefault(tx, caller.tenant(), get(tx, caller, id).id());
                    }
                });
    }

    public static SatchelException noSuchAgent() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such agent");
    }

    private Agent newAgent(Caller caller, AgentSpec spec, String path) {
        long now = clock.millis();
        return new Agent(AgentId.random(), caller.tenant(), spec, 1, path, now, now);
    }

    private void requireFreeName(Transaction tx, Agent agent) {
        tenants.lockTenant(tx, agent.tenant()); // one change of names at a time
        if (store.nameTaken(tx, agent.tenant(), agent.id(), agent.spec().name())) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "name is taken: there is an agent called " + agent.spec().name());
        }
    }
}
