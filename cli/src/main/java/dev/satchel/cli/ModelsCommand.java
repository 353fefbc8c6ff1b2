package dev.satchel.cli;

import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.Model;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The models of the server. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description = "Lists the models that --model may name; * marks the default.")
final class ModelsCommand implements Callable<Integer> {
    private static final String NONE =
            "The server has no model; an offline agent runs the commands that a message spells out."
                    + " Set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, an address such as"
                    + " OPENAI_BASE_URL, or SATCHEL_MODELS_FILE for the server, and start it again."
                    + " See docs/guides/your-own-model.md.";

    private final ServerOptions server;

    ModelsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    List<Model> models = client.models();
                    if (models.isEmpty()) {
                        output.note(NONE);
                        return;
                    }
                    output.list(
                            models,
                            new Table<Model>()
                                    .column("ID", Model::id)
                                    .column("", model -> model.isDefault() ? "*" : "")
                                    .column("CONTEXT", ModelsCommand::context)
                                    .column("PROVIDER", Model::provider)
                                    .column("NAME", Model::name));
                });
    }

    private static String context(Model model) {
        Integer tokens = model.contextTokens();
        return tokens == null ? "-" : tokens.toString();
    }
}
