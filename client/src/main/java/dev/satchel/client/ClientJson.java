package dev.satchel.client;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * How the wire is read and written: unknown fields are passed over, so that an old client talks to
 * a new server; moments are milliseconds.
 */
public final class ClientJson {
    public static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .addModule(
                            new SimpleModule()
                                    .setDeserializerModifier(ServerObjectReader.modifier()))
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                    .disable(DateTimeFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS)
                    .disable(DateTimeFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS)
                    .changeDefaultVisibility(
                            visibility ->
                                    visibility.withIsGetterVisibility(
                                            JsonAutoDetect.Visibility.NONE))
                    .changeDefaultPropertyInclusion(
                            inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
                    .build();

    private ClientJson() {}
}
