package dev.satchel.server.dialect;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Says in one dialect what happens in a run. {@link RunEventTranslator} keeps the grammar:
 * everything that begins ends, once, and nothing follows the end.
 */
public interface EventEncoder {
    List<Object> begins(String chatId, String runId);

    List<Object> logs(JsonNode line);

    List<Object> textBegins(int part);

    List<Object> textGrows(int part, String delta);

    List<Object> textEnds(int part);

    List<Object> stepBegins(String id, String name, JsonNode args);

    List<Object> stepSucceeds(String id, JsonNode result);

    List<Object> stepFails(String id, String error);

    /** A file that the run handed back. */
    List<Object> handsBack(ProducedFile file);

    List<Object> succeeds(String messageId);

    List<Object> isCancelled(String reason);

    List<Object> fails(String code, String message);
}
