package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorFormat;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.dialect.DialectServices;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.upload.UploadService;
import java.time.Clock;

/** {@code /v1}: what clients of OpenAI call. */
public final class OpenAiRoutes {
    private final ChatCompletionRoutes completions;
    private final ResponseRoutes responses;
    private final OpenAiFileRoutes files;

    /** Where conversations and files are stored. */
    public record Stored(
            Database database,
            ConversationStore conversations,
            OpenAiThreadStore threads,
            BagService bags,
            UploadService uploads,
            FileDownloads downloads) {}

    /** What a client may name as its model. */
    public record Choices(ModelRegistry models, AgentService agents) {}

    public OpenAiRoutes(
            DialectServices services,
            Stored stored,
            Choices choices,
            Clock clock,
            Authentication access) {
        OpenAiModels models = new OpenAiModels(choices.models(), choices.agents());
        OpenAiFileLookup lookup =
                new OpenAiFileLookup(stored.uploads(), stored.bags(), services.threads());
        OpenAiThreads threads =
                new OpenAiThreads(
                        stored.database(),
                        stored.conversations(),
                        stored.bags(),
                        services.threads(),
                        stored.threads(),
                        clock);
        this.completions = new ChatCompletionRoutes(services, models, threads, lookup, access);
        this.responses = new ResponseRoutes(services, models, threads, lookup, access);
        this.files = new OpenAiFileRoutes(stored.uploads(), lookup, stored.downloads(), access);
    }

    public void addTo(Router router) {
        router.errorFormat("/v1", ErrorFormat.OPENAI);
        completions.addTo(router);
        responses.addTo(router);
        files.addTo(router);
    }
}
