package dev.satchel.server.conversation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

public enum Role {
    @JsonProperty("user")
    USER,
    @JsonProperty("assistant")
    ASSISTANT;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Role of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
