import com.fasterxml.jackson.databind.ObjectMapper;

import dev.satchel.generated.ApiClient;
import dev.satchel.generated.ApiException;
import dev.satchel.generated.api.AgentsApi;
import dev.satchel.generated.api.ConversationsApi;
import dev.satchel.generated.api.FilesApi;
import dev.satchel.generated.api.SessionsApi;
import dev.satchel.generated.model.BagFiles;
import dev.satchel.generated.model.Chat;
import dev.satchel.generated.model.ChatWithMessages;
import dev.satchel.generated.model.CreateChatRequest;
import dev.satchel.generated.model.EndBlock;
import dev.satchel.generated.model.StepBlock;
import dev.satchel.generated.model.TextBlock;
import dev.satchel.generated.model.TurnRequest;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Uses the generated Java client. Arguments: the address of a server and an API key. */
final class Client {
    private Client() {}

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        client.setRequestInterceptor(
                request -> request.header("Authorization", "Bearer " + arguments[1]));
        ConversationsApi conversations = new ConversationsApi(client);
        FilesApi files = new FilesApi(client);

        Chat chat = conversations.createChat(new CreateChatRequest().title("Java"), null);
        Path path = Files.createTempDirectory("satchel-client-").resolve("hello.txt");
        Files.writeString(path, "hello");
        BagFiles added = files.uploadFiles(chat.getId(), List.of(path.toFile()), null, null);
        File content = files.downloadFile(chat.getId(), added.getFiles().getFirst().getId());
        File events =
                conversations.sendMessage(
                        new TurnRequest().chatId(chat.getId()).message("go"), null);
        ChatWithMessages read = conversations.getChat(chat.getId(), null, null, null, null);

        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("title", read.getTitle());
        seen.put("file", added.getFiles().getFirst().getName());
        seen.put("content", Files.readString(content.toPath()));
        seen.put("streamed", Files.readString(events.toPath()).contains("\"type\":\"end\""));
        seen.put(
                "blocks",
                read.getMessages().stream()
                        .map(message -> message.getContent().stream().map(Client::type).toList())
                        .toList());
        seen.put(
                "session",
                new SessionsApi(client).getSession(chat.getId()).getSession().getStatus());
        seen.put("agents", new AgentsApi(client).listAgents().getAgents().size());
        seen.put("problem", problem(conversations));
        System.out.println(new ObjectMapper().writeValueAsString(seen));
    }

    private static String problem(ConversationsApi conversations) throws Exception {
        try {
            conversations.getChat(new UUID(0, 0), null, null, null, null);
            return "";
        } catch (ApiException e) {
            return new ObjectMapper().readTree(e.getResponseBody()).get("code").asText();
        }
    }

    private static String type(dev.satchel.generated.model.ContentBlock block) {
        return switch (block.getActualInstance()) {
            case TextBlock text -> text.getType().toString();
            case StepBlock step -> step.getType().toString();
            case EndBlock end -> end.getType().toString();
            default -> throw new IllegalStateException();
        };
    }
}
