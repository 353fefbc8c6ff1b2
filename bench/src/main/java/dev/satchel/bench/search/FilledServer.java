package dev.satchel.bench.search;

import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.turn.TurnClient;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A server whose database has messages, and what people do with it. */
final class FilledServer implements AutoCloseable {
    private final ServerProcess server;
    private final ApiClient api;
    private final TurnClient turns;
    private final MessageRows rows;
    private final WriteLoad load;
    private final List<String> chats;
    private final Vocabulary vocabulary = new Vocabulary();

    private FilledServer(ServerProcess server, MessageRows rows, List<String> chats) {
        this.server = server;
        this.api = new ApiClient(server.url());
        this.turns = new TurnClient(server.url());
        this.rows = rows;
        this.load = new WriteLoad(rows);
        this.chats = chats;
    }

    /** The caller closes the database after the server. */
    static FilledServer start(
            BenchmarkEnvironment place,
            Database database,
            int messages,
            Map<String, String> variables,
            Path data)
            throws IOException {
        MessageRows rows = new MessageRows(database);
        List<String> chats = rows.fill(messages);
        return new FilledServer(ServerProcess.start(place, variables, data), rows, chats);
    }

    /** The median of the first page of chats, in milliseconds. */
    double list(int samples) throws IOException, InterruptedException {
        Samples taken = new Samples();
        for (int i = 0; i < samples; i++) {
            taken.add(api.timed(api.request("/api/assistant/chats?limit=50").build()));
        }
        return taken.medianMillis();
    }

    /** The median of the messages of a chat, each time of another one. */
    double open(int samples) throws IOException, InterruptedException {
        Samples taken = new Samples();
        for (int i = 0; i < samples; i++) {
            String chat = chats.get(i * 7919 % chats.size());
            taken.add(api.timed(api.request("/api/assistant/chats/" + chat).build()));
        }
        return taken.medianMillis();
    }

    /** The median from the POST of a turn to its first event. */
    double turn(int samples) throws IOException, InterruptedException {
        Samples taken = new Samples();
        String chat = turns.newChat();
        for (int i = 0; i < samples; i++) {
            taken.add(turns.turn(chat, "/sh true").first());
        }
        return taken.medianMillis();
    }

    /** The 95th percentile of searches of all kinds while messages are written. */
    double search(int samples) throws Exception {
        return load.during(() -> search(samples, ServerProcess.KEY, vocabulary::query));
    }

    /** The same of a person with few chats, and only with words that are everywhere. */
    double searchAsMember(int samples) throws Exception {
        return load.during(() -> search(samples, rows.memberKey(), vocabulary::commonQuery));
    }

    private double search(int samples, String key, Supplier<String> queries)
            throws IOException, InterruptedException {
        Samples taken = new Samples();
        for (int i = 0; i < samples; i++) {
            String query = URLEncoder.encode(queries.get(), StandardCharsets.UTF_8);
            taken.add(
                    api.timed(
                            api.request("/api/search?limit=20&q=" + query)
                                    .setHeader("Authorization", "Bearer " + key)
                                    .build()));
        }
        return taken.percentileMillis(95);
    }

    /** How long each pair of messages took that was written while searches were measured. */
    double millisPerPair() {
        return load.millisPerPair();
    }

    @Override
    public void close() {
        turns.close();
        api.close();
        server.close();
    }
}
