package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

public enum LogLevel {
    @JsonProperty("debug")
    DEBUG,
    @JsonProperty("info")
    INFO,
    @JsonProperty("warn")
    WARN,
    @JsonProperty("error")
    ERROR
}
