package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedTest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Our own routes refuse an unknown field by its name; routes of other protocols ignore it. */
class UnknownFieldsTest extends ScriptedTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST  | /api/assistant/chat/stream             | {'message': 'a', 'caht': 1}   | caht",
                "POST  | /api/assistant/chats                   | {'titel': 'a'}                | titel",
                "PATCH | /api/assistant/chats/{chat}            | {'title': 'a', 'x': null}     | x",
                "POST  | /api/assistant/chats/{chat}/files/claim | {'fileIds': [], 'x': 1}      | x",
                "POST  | /api/keys                              | {'name': 'a', 'tenant': 'b'}  | tenant",
                "POST  | /api/agents                            | {'name': 'a', 'rounds': 3}    | rounds",
                "POST  | /api/agents                            | {'name': 'a', 'model': {'temperature': 1}} | model.temperature",
                "PUT   | /api/agents/{agent}                    | {'name': 'a', 'unknown': {}}  | unknown",
                "POST  | /api/agents/{agent}/runs               | {'prompt': 'a', 'temperature': 1} | temperature",
            })
    void anUnknownFieldIs400WithItsName(String method, String path, String body, String field)
            throws Exception {
        HttpResponse<String> refused = send(method, path, body);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(Json.MAPPER.readTree(refused.body()).get("detail").stringValue())
                .isEqualTo("unknown field " + field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/sessions                       | {'agent': 'helper', 'x': 1}                   | 201",
                "/api/sessions/{chat}/attachments    | {'filename': 'a', 'content': '', 'x': 1}      | 201",
                "/api/ag-ui/connect                  | {'threadId': 't', 'runId': 'r', 'tools': []}  | 200",
                "/api/agents                         | {'name': 'b', 'path': '/b', 'x': 1}           | 201",
            })
    void aRouteOfAnotherProtocolIgnoresIt(String path, String body, int status) throws Exception {
        HttpResponse<String> accepted = send("POST", path, body);

        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(status);
    }

    @Test
    void anAgentCanBeSentBackAsItWasRead() throws Exception {
        String path = "/api/agents/" + agent();

        JsonNode read = server.getJson(path);

        assertThat(server.send("PUT", path, read).statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        String full = path.replace("{agent}", agent()).replace("{chat}", server.newChat());
        return server.send(method, full, Json.MAPPER.readTree(body.replace('\'', '"')));
    }

    private String agent() throws Exception {
        String made = server.post("/api/agents", Map.of("name", "helper")).body();
        return Json.MAPPER.readTree(made).get("id").stringValue();
    }
}
