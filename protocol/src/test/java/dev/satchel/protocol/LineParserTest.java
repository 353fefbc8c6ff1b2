package dev.satchel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                    {"type":"log","level":"info"}                              | missing field: message
                    {"type":"log","level":"info","message":"m","ts":"now"}     | ts is a whole number, this is string
                    {"type":"log","level":"info","message":"m","ts":1.5}       | ts is a whole number, this is number
                    {"type":"log","level":"info","message":"m","ts":99999999999999999999} | ts is a whole number
                    {"type":"step","name":"n","status":"running"}              | missing field: id
                    {"type":"step","id":"i","status":"running"}                | missing field: name
                    {"type":"step","id":"i","name":"n"}                        | missing field: status
                    {"type":"step","id":"i","name":"n","status":"failed","error":[]} | error is a string, this is array
                    {"type":"delta"}                                           | missing field: text
                    {"type":"result","message":null}                           | missing field: message
                    {"type":"result","message":"m","stopped":1}                | stopped is a string, this is number
                    {"type":"thinking"}                                        | missing field: text
                    {"type":"output","stream":"stdout","text":"t"}             | missing field: id
                    {"type":"output","id":"i","text":"t"}                      | missing field: stream
                    {"type":"output","id":"i","stream":"stderr"}               | missing field: text
                    {"type":"usage","inputTokens":1}                           | missing field: model
                    {"type":"usage","model":"m","inputTokens":-1}              | inputTokens is not negative, this is -1
                    {"type":"usage","model":"m","outputTokens":"many"}         | outputTokens is a whole number, this is string
                    {"type":"retry","attempt":1,"delayMs":1,"message":"m"}     | missing field: code
                    {"type":"journal","n":1}                                   | missing field: entry
                    {"type":"journal","n":-1,"entry":"e"}                      | n is not negative, this is -1
                    {"type":"error","message":"m"}                             | missing field: code
                    """)
    void whatIsNoLineIsRefusedWithAReason(String line, String reason) {
        assertThatThrownBy(() -> LineParser.parse(line.getBytes(UTF_8)))
                .isInstanceOf(MalformedLineException.class)
                .isNotInstanceOf(UnknownLineException.class)
                .hasMessageStartingWith(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"type":"dance"}                                      | unknown line type: dance
                    {"type":"step","id":"i","name":"n","status":"paused"} | unknown step status: paused
                    """)
    void aLineOfALaterVersionDiffersFromAMalformedOne(String line, String reason) {
        assertThatThrownBy(() -> LineParser.parse(line.getBytes(UTF_8)))
                .isInstanceOf(UnknownLineException.class)
                .hasMessage(reason);
    }

    @Test
    void anUnknownLevelIsInfoAndAnUnknownStreamStdout() throws Exception {
        assertThat(parse("{'type':'log','level':'loud','message':'m'}"))
                .isEqualTo(new Log(LogLevel.INFO, "m", null));
        assertThat(parse("{'type':'output','id':'i','stream':'fd3','text':'t'}"))
                .isEqualTo(new Output("i", Output.Stream.STDOUT, "t", null));
    }

    @Test
    void numbersOfTokensThatAreAbsentAreZero() throws Exception {
        assertThat(parse("{'type':'usage','model':'m'}"))
                .isEqualTo(new Usage("m", null, 0, 0, 0, 0, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'log','level':'info','message':'m','ts':1",
                "{'type':'step','id':'i','name':'n','status':'running','args':{},'ts':1",
                "{'type':'step','id':'i','name':'n','status':'failed','error':'e','ts':1",
                "{'type':'delta','text':'t','ts':1",
                "{'type':'thinking','text':'t','ts':1",
                "{'type':'output','id':'i','stream':'stderr','text':'t','ts':1",
                "{'type':'usage','model':'m','provider':'p','inputTokens':1,'ts':1",
                "{'type':'retry','attempt':1,'delayMs':2,'code':'c','message':'m','ts':1",
                "{'type':'result','message':'m','notHandedOver':[],'stopped':'max_rounds','ts':1",
                "{'type':'error','code':'c','message':'m','ts':1"
            })
    void fieldsOfALaterVersionAreKept(String line) throws Exception {
        String later = line + ",'mood':{'is':'good'}}";

        ReceivedLine received = LineParser.receive(later.replace('\'', '"').getBytes(UTF_8));

        assertThat(received.line()).isEqualTo(parse(line + "}"));
        assertThat(received.unknown()).hasToString("{\"mood\":{\"is\":\"good\"}}");
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

    /** JSON with single quotes. */
    private static SandboxLine parse(String line) throws MalformedLineException {
        return LineParser.parse(line.replace('\'', '"').getBytes(UTF_8));
    }
}
