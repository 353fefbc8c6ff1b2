package dev.satchel.runner.model.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.protocol.Json;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Reads {@code application/vnd.amazon.eventstream}, the framing of Bedrock. A message is its
 * length, the length of its headers, a checksum of both, the headers, the payload, and a checksum
 * of all. For one thread; it does not close the stream.
 */
public final class AwsEventReader implements EventReader {
    private static final int PRELUDE_BYTES = 12;
    private static final int MAX_MESSAGE_BYTES = 4 << 20;
    private static final int STRING_HEADER = 7;

    private final DataInputStream in;

    public AwsEventReader(InputStream in) {
        this.in = new DataInputStream(in);
    }

    @Override
    public @Nullable String next() throws IOException {
        byte[] prelude = in.readNBytes(PRELUDE_BYTES);
        if (prelude.length == 0) {
            return null;
        }
        if (prelude.length < PRELUDE_BYTES) {
            throw broken();
        }
        DataInputStream numbers = new DataInputStream(new ByteArrayInputStream(prelude));
        int length = numbers.readInt();
        int headerLength = numbers.readInt();
        int rest = length - PRELUDE_BYTES;
        if (length > MAX_MESSAGE_BYTES || headerLength < 0 || headerLength > rest - 4) {
            throw broken();
        }
        byte[] message = in.readNBytes(rest);
        if (message.length < rest || !isIntact(prelude, message)) {
            throw broken();
        }
        Map<String, String> headers = headers(message, headerLength);
        int payloadLength = rest - headerLength - 4;
        return data(headers, new String(message, headerLength, payloadLength, UTF_8));
    }

    private static boolean isIntact(byte[] prelude, byte[] message) throws IOException {
        CRC32 checksum = new CRC32();
        checksum.update(prelude);
        checksum.update(message, 0, message.length - 4);
        int sent =
                new DataInputStream(new ByteArrayInputStream(message, message.length - 4, 4))
                        .readInt();
        return (int) checksum.getValue() == sent;
    }

    /** Bedrock sends only headers of type string. */
    private static Map<String, String> headers(byte[] message, int length) throws IOException {
        Map<String, String> headers = new HashMap<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message, 0, length));
        try {
            while (in.available() > 0) {
                String name = new String(in.readNBytes(in.readUnsignedByte()), UTF_8);
                if (in.readUnsignedByte() != STRING_HEADER) {
                    throw broken();
                }
                headers.put(name, new String(in.readNBytes(in.readUnsignedShort()), UTF_8));
            }
        } catch (EOFException e) {
            throw broken();
        }
        return headers;
    }

    private static String data(Map<String, String> headers, String payload) throws IOException {
        if (!"event".equals(headers.getOrDefault(":message-type", "event"))) {
            String type = headers.getOrDefault(":exception-type", "");
            throw new ProviderErrorException(status(type), payload, null);
        }
        try {
            String bytes = Json.MAPPER.readTree(payload).path("bytes").asString("");
            return new String(Base64.getDecoder().decode(bytes), UTF_8);
        } catch (JacksonException | IllegalArgumentException e) {
            throw broken();
        }
    }

    /** The statuses that the documentation of Bedrock gives its exceptions. */
    private static int status(String exceptionType) {
        return switch (exceptionType) {
            case "validationException" -> 400;
            case "throttlingException" -> 429;
            case "modelTimeoutException" -> 408;
            case "serviceUnavailableException" -> 503;
            default -> 500;
        };
    }

    private static BrokenStreamException broken() {
        return new BrokenStreamException("The model's answer broke off.");
    }
}
