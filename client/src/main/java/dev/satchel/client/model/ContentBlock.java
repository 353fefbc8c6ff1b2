package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One piece of a message. */
@JsonTypeInfo(
        use = JsonTypeInfo.Id.NAME,
        property = "type",
        defaultImpl = ContentBlock.Unknown.class)
@JsonSubTypes({
    @JsonSubTypes.Type(value = ContentBlock.Text.class, name = "text"),
    @JsonSubTypes.Type(value = ContentBlock.Step.class, name = "step"),
    @JsonSubTypes.Type(value = ContentBlock.End.class, name = "end")
})
public sealed interface ContentBlock {

    record Text(String text) implements ContentBlock {}

    /**
     * What one step did, from its first line to its last. If {@code truncated}, the trace of the
     * run has its values whole.
     */
    record Step(
            String id,
            String name,
            String status,
            @Nullable JsonNode args,
            @Nullable JsonNode result,
            @Nullable String error,
            @Nullable Long durationMs,
            @Nullable Boolean truncated,
            @Nullable Long originalSize)
            implements ContentBlock {}

    /** Closes the message of a turn that did not succeed. */
    record End(String status, String code, String message) implements ContentBlock {}

    /** From a newer server; unknown to this client. */
    record Unknown() implements ContentBlock {}
}
