package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client of the official Java SDK. */
class SdkClientTest {
    private final BlockingQueue<McpSchema.ProgressNotification> progress =
            new LinkedBlockingQueue<>();

    private TestServer server;
    private String chat;
    private McpSyncClient client;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start(null);
        chat = server.newChat();
        String token = McpClient.newToken(server, chat);
        HttpClientStreamableHttpTransport transport =
                HttpClientStreamableHttpTransport.builder(server.url("").toString())
                        .endpoint("/mcp")
                        .requestBuilder(
                                HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                        .build();
        client =
                io.modelcontextprotocol.client.McpClient.sync(transport)
                        .requestTimeout(Duration.ofSeconds(30))
                        .progressConsumer(progress::add)
                        .build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void itInitializesPingsAndListsTheTools() {
        McpSchema.InitializeResult hello = client.initialize();
        client.ping();

        assertThat(hello.protocolVersion()).isEqualTo("2025-11-25");
        assertThat(client.listTools().tools())
                .extracting(McpSchema.Tool::name)
                .containsExactly(
                        "stage_asset",
                        "list_assets",
                        "view",
                        "read_file",
                        "grep",
                        "glob",
                        "list_asks",
                        "answer_asks");
    }

    @Test
    void itStagesAnAssetAndReadsIt() throws Exception {
        String asset = McpClient.asset(server, "sales.csv", "a,b\n1,2\n");
        client.initialize();

        McpSchema.CallToolResult staged =
                client.callTool(
                        McpSchema.CallToolRequest.builder("stage_asset")
                                .arguments(Map.of("id", asset))
                                .build());
        McpSchema.CallToolResult read =
                client.callTool(
                        McpSchema.CallToolRequest.builder("view")
                                .arguments(Map.of("path", "staged/" + asset + "-sales.csv"))
                                .build());

        assertThat(staged.isError()).isFalse();
        assertThat(text(read)).isEqualTo("1. a,b\n2. 1,2");
    }

    @Test
    void itReceivesTheProgressOfACall() throws Exception {
        server.upload(chat, "a.txt", "apple");
        client.initialize();

        McpSchema.CallToolResult found =
                client.callTool(
                        McpSchema.CallToolRequest.builder("grep")
                                .arguments(Map.of("pattern", "apple", "path", "a.txt"))
                                .progressToken("token-1")
                                .build());

        assertThat(text(found)).isEqualTo("uploaded/a.txt:1:apple");
        // the SDK may deliver the response before the progress that preceded it
        McpSchema.ProgressNotification heard = progress.poll(10, TimeUnit.SECONDS);
        assertThat(heard).isNotNull();
        assertThat(heard.progressToken()).isEqualTo("token-1");
    }

    private static String text(McpSchema.CallToolResult result) {
        return ((McpSchema.TextContent) result.content().getFirst()).text();
    }
}
