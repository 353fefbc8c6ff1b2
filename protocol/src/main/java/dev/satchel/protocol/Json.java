package dev.satchel.protocol;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON configuration of the house. Unknown fields are ignored: old and new must talk. */
public final class Json {
    /** Deep nesting is an attack on the stack, never a real message. */
    private static final int MAX_NESTING = 200;

    public static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_NESTING)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private Json() {}
}
