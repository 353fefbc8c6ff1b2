package dev.satchel.cli;

import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.SearchHit;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds messages and files. */
@Command(
        name = "search",
        mixinStandardHelpOptions = true,
        description =
                "Finds messages, chats and files that have all words. An argument with spaces is a"
                        + " phrase, and repor* finds words that begin so.")
final class SearchCommand implements Callable<Integer> {
    private static final int SNIPPET = 90;

    private final ServerOptions server;

    @Parameters(paramLabel = "WORD", arity = "1..*")
    private List<String> words = List.of();

    @Option(
            names = "--in",
            paramLabel = "WHERE",
            defaultValue = "messages,files",
            description = "messages, files or both: ${DEFAULT-VALUE}")
    private String in = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = ServerOptions.LIMIT)
    private int limit = 20;

    SearchCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String query = query();
                    List<SearchHit> hits = client.search().find(query, in, limit);
                    if (hits.isEmpty()) {
                        output.note("nothing found for " + query);
                    }
                    output.list(
                            hits,
                            new Table<SearchHit>()
                                    .column("KIND", SearchHit::kind)
                                    .column("ID", SearchCommand::id)
                                    .column("WHEN", hit -> HumanFormat.dateTime(hit.at()))
                                    .column("NAME", SearchCommand::name)
                                    .column("TEXT", SearchCommand::text));
                });
    }

    /** An argument of several words is a phrase. */
    private String query() {
        return words.stream()
                .map(word -> word.contains(" ") ? '"' + word.replace("\"", " ") + '"' : word)
                .collect(Collectors.joining(" "));
    }

    /** What other commands take: the chat of a message, else the file. */
    private static String id(SearchHit hit) {
        String file = hit.fileId();
        return Objects.requireNonNullElse(file == null ? hit.chatId() : file, "");
    }

    private static String name(SearchHit hit) {
        Integer page = hit.page();
        String name = HumanFormat.abbreviate(hit.name(), 40);
        return page == null ? name : name + " p. " + page;
    }

    private static String text(SearchHit hit) {
        if (hit.kind().equals("chat")) {
            return "";
        }
        return HumanFormat.abbreviate(hit.snippet().strip().replaceAll("\\s+", " "), SNIPPET);
    }
}
