package dev.satchel.cli;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.ClientJson;
import dev.satchel.client.model.Agent;
import dev.satchel.client.model.AgentModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Saved agents. */
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description =
                "Lists and changes saved agents. Files have the JSON format that show prints.")
final class AgentsCommand implements Callable<Integer> {
    private static final String AGENT = "AGENT";

    private final ServerOptions server;

    AgentsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls();
    }

    @Command(description = "Lists the agents by name.")
    int ls() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.agents().list(),
                            new Table<Agent>()
                                    .column("ID", Agent::id)
                                    .column(
                                            "CHANGED",
                                            agent -> HumanFormat.dateTime(agent.updatedAt()))
                                    .column("MODEL", AgentsCommand::model)
                                    .column("NAME", Agent::name));
                });
    }

    @Command(description = "Prints an agent as JSON.")
    int show(@Parameters(paramLabel = AGENT) String agent)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Agent found = IdResolver.agent(client, agent);
                    String pretty =
                            ClientJson.MAPPER
                                    .writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(found);
                    output.value(found, pretty);
                });
    }

    @Command(description = "Saves a new agent from a JSON file and prints its id.")
    int create(@Parameters(paramLabel = "FILE", description = "- reads standard input") Path file)
            throws IOException, InterruptedException {
        ObjectNode spec = read(file);
        return server.perform(
                (client, output) -> {
                    Agent made = client.agents().create(spec);
                    output.value(made, made.id());
                });
    }

    @Command(description = "Replaces an agent by the content of a JSON file.")
    int update(
            @Parameters(paramLabel = AGENT) String agent,
            @Parameters(paramLabel = "FILE", description = "- reads standard input") Path file)
            throws IOException, InterruptedException {
        ObjectNode spec = read(file);
        return server.perform(
                (client, output) -> {
                    Agent found = IdResolver.agent(client, agent);
                    Agent replaced = client.agents().replace(found.id(), spec);
                    output.value(replaced, replaced.id());
                });
    }

    @Command(description = "Deletes an agent; its runs stay readable.")
    int rm(@Parameters(paramLabel = AGENT) String agent) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Agent found = IdResolver.agent(client, agent);
                    client.agents().delete(found.id());
                    output.value(Map.of("id", found.id(), "deleted", true), found.name());
                });
    }

    private static ObjectNode read(Path file) throws IOException {
        byte[] json = ArgumentReader.readBytes(file);
        try {
            return ClientJson.MAPPER.readValue(json, ObjectNode.class);
        } catch (JacksonException e) {
            throw new CliException(
                    ExitCode.WRONG_USE, file + " is not an agent: " + e.getOriginalMessage());
        }
    }

    private static String model(Agent agent) {
        AgentModel model = agent.model();
        String name = model.id() == null ? model.name() : model.id();
        return Objects.requireNonNullElse(name, "-");
    }
}
