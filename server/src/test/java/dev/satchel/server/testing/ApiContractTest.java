package dev.satchel.server.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.testing.ApiContract.Response;
import org.junit.jupiter.api.Test;

class ApiContractTest {
    private static final String JSON = "application/json";

    @Test
    void aDocumentedResponsePasses() {
        accepts(
                "GET",
                "/api/me",
                200,
                JSON,
                "{'workspaceId': 'default', 'userId': 'owner', 'name': 'Ada', 'role': 'owner',"
                        + " 'scopes': [], 'limits': {'workspace': {}, 'user': {}}}");
        accepts("HEAD", "/api/me", 200, JSON, "");
        accepts("DELETE", "/api/assets/x", 204, "", "");
        accepts("GET", "/api/sessions/x/files/a/b.txt", 200, "text/plain", "any bytes");
        accepts(
                "GET",
                "/api/runs/x/trace",
                200,
                "application/x-ndjson",
                "{'type': 'delta', 'text': ''}");
        accepts("GET", "/nowhere", 404, "application/problem+json", PROBLEM);
        accepts(
                "GET",
                "/v1/nowhere",
                404,
                JSON,
                "{'error': {'message': 'no', 'type': 't', 'param': null, 'code': 'c'}}");
    }

    @Test
    void aViolationNamesTheRouteAndTheProblem() {
        refuses("GET", "/api/me", 418, JSON, "{}", "GET /api/me → 418", "not documented");
        refuses("GET", "/api/me", 200, "text/html", "", "content type is not one of");
        refuses("GET", "/api/me", 200, JSON, "{}", "workspaceId");
        refuses("GET", "/api/me", 200, JSON, "{'workspaceId': 'a', 'extra': 1}", "extra");
        refuses("GET", "/api/me", 200, JSON, "oops", "not JSON");
        refuses("GET", "/nowhere", 200, JSON, "{}", "the operation is not documented");
        refuses("DELETE", "/api/assets/x", 204, "", "text", "the document has no body");
        refuses(
                "GET",
                "/api/runs/x/trace",
                200,
                "application/x-ndjson",
                "{'type': 'delta'}",
                "text");
        refuses("GET", "/api/sessions/x", 404, JSON, PROBLEM, "requestId");
        refuses("GET", "/v1/nowhere", 404, JSON, PROBLEM, "error");
    }

    private static final String PROBLEM =
            "{'type': 'about:blank', 'title': 'Not found', 'status': 404, 'detail': 'no',"
                    + " 'code': 'not_found', 'requestId': 'r', 'error': 'no', 'statusCode': 404}";

    private static void accepts(
            String method, String path, int status, String contentType, String body) {
        assertThatCode(() -> ApiContract.check(response(method, path, status, contentType, body)))
                .doesNotThrowAnyException();
    }

    private static void refuses(
            String method,
            String path,
            int status,
            String contentType,
            String body,
            String... message) {
        assertThatThrownBy(
                        () -> ApiContract.check(response(method, path, status, contentType, body)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(message);
    }

    private static Response response(
            String method, String path, int status, String contentType, String body) {
        return new Response(method, path, status, contentType, body.replace('\'', '"'));
    }
}
