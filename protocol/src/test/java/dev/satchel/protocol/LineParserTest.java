package dev.satchel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.SandboxLine.StepEnded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    not json                                                   | not JSON
                    {"type":"log"                                              | not JSON
                    {"type":"result","message":"a"} {"type":"result"}          | not JSON
                    [1]                                                        | a line is a JSON object, this is array
                    "text"                                                     | a line is a JSON object, this is string
                    null                                                       | a line is a JSON object, this is null
                    {}                                                         | missing field: type
                    {"type":7}                                                 | type is a string, this is number
                    {"type":"log","message":"m"}                               | missing field: level
                    {"type":"log","level":"loud","message":"m"}                | unknown log level: loud
                    {"type":"log","level":"info"}                              | missing field: message
                    {"type":"log","level":"info","message":"m","ts":"now"}     | ts is a whole number, this is string
                    {"type":"log","level":"info","message":"m","ts":1.5}       | ts is a whole number, this is number
                    {"type":"log","level":"info","message":"m","ts":99999999999999999999} | ts is a whole number
                    {"type":"step","name":"n","status":"running"}              | missing field: id
                    {"type":"step","id":"i","status":"running"}                | missing field: name
                    {"type":"step","id":"i","name":"n"}                        | missing field: status
                    {"type":"step","id":"i","name":"n","status":"paused"}      | unknown step status: paused
                    {"type":"step","id":"i","name":"n","status":"failed","error":[]} | error is a string, this is array
                    {"type":"delta"}                                           | missing field: text
                    {"type":"result","message":null}                           | missing field: message
                    {"type":"error","message":"m"}                             | missing field: code
                    """)
    void whatIsNoLineIsRefusedWithAReason(String line, String reason) {
        assertThatThrownBy(() -> LineParser.parse(line.getBytes(UTF_8)))
                .isInstanceOf(MalformedLineException.class)
                .isNotInstanceOf(UnknownLineTypeException.class)
                .hasMessageStartingWith(reason);
    }

    @Test
    void anUnknownTypeDiffersFromAMalformedLine() {
        assertThatThrownBy(() -> LineParser.parse("{\"type\":\"usage\"}".getBytes(UTF_8)))
                .isInstanceOf(UnknownLineTypeException.class)
                .hasMessage("unknown line type: usage");
    }

    @Test
    void anErrorMessageQuotesOnlyTheBeginningOfTheInput() {
        String type = "x".repeat(1000);
        assertThatThrownBy(() -> LineParser.parse(("{\"type\":\"" + type + "\"}").getBytes(UTF_8)))
                .hasMessage("unknown line type: " + "x".repeat(40) + "…");
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] line = "{\"type\":\"result\",\"message\":\"x\"}".getBytes(UTF_8);
        line[line.length - 3] = (byte) 0xff;

        assertThatThrownBy(() -> LineParser.parse(line)).isInstanceOf(MalformedLineException.class);
    }

    @Test
    void nestingThatWouldExhaustTheStackIsRefused() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String line =
                "{\"type\":\"step\",\"id\":\"i\",\"name\":\"n\",\"status\":\"running\",\"args\":"
                        + deep
                        + "}";

        assertThatThrownBy(() -> LineParser.parse(line.getBytes(UTF_8)))
                .isInstanceOf(MalformedLineException.class);
    }

    @Test
    void anyJsonMayBeAStepsResult() throws Exception {
        String line =
                "{\"type\":\"step\",\"id\":\"i\",\"name\":\"n\",\"status\":\"succeeded\",\"result\":[1,\"a\"]}";

        StepEnded step = (StepEnded) LineParser.parse(line.getBytes(UTF_8));

        assertThat(step.result()).hasToString("[1,\"a\"]");
    }
}
