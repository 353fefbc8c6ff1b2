package dev.satchel.documents.mail;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;

/** Text of mail: a part for each message, and one for each attachment with its name and size. */
public final class MailReader implements DocumentReader {
    private static final int MAX_DEPTH = 50;
    private static final int MAX_LINE = 1024 * 1024;
    private static final int MAX_HEADERS = 5000;

    private static final MimeConfig CONFIG =
            MimeConfig.custom()
                    .setMaxLineLen(MAX_LINE)
                    .setMaxHeaderLen(MAX_LINE)
                    .setMaxHeaderCount(MAX_HEADERS)
                    .setMaxContentLen(-1)
                    .setStrictParsing(false)
                    .build();

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        MimeTokenStream tokens = new MimeTokenStream(CONFIG);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            tokens.parse(in);
            read(tokens, new MailParts(out), out);
        } catch (MimeException e) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The message is damaged: " + e.getMessage());
        }
    }

    private static void read(MimeTokenStream tokens, MailParts parts, PartWriter out)
            throws IOException, MimeException {
        Deque<MailMessage> messages = new ArrayDeque<>();
        MailHeaders headers = new MailHeaders();
        boolean isHeaderWritten = false;
        int depth = 0;
        EntityState state = tokens.getState();
        while (state != EntityState.T_END_OF_STREAM) {
            out.checkTime();
            switch (state) {
                case T_START_MESSAGE -> {
                    messages.push(new MailMessage());
                    depth++;
                }
                case T_START_HEADER -> headers = new MailHeaders();
                case T_FIELD -> headers.add(tokens.getField());
                case T_END_HEADER -> {
                    if (!messages.isEmpty() && messages.peek().takeHeaders(headers)) {
                        if (!isHeaderWritten) {
                            out.header(DocumentFormat.EML, null, headers.get("subject"));
                            isHeaderWritten = true;
                        }
                    }
                }
                case T_START_MULTIPART -> {
                    depth++;
                    if (!messages.isEmpty()) {
                        messages.peek().enter(tokens.getBodyDescriptor().getSubType());
                    }
                }
                case T_END_MULTIPART -> {
                    depth--;
                    if (!messages.isEmpty()) {
                        messages.peek().leave();
                    }
                }
                case T_BODY -> {
                    if (!messages.isEmpty()) {
                        parts.body(messages.peek(), headers, tokens);
                    }
                }
                case T_END_MESSAGE -> {
                    depth--;
                    if (!messages.isEmpty()) {
                        parts.end(messages.pop());
                    }
                }
                default -> {
                    // preambles and epilogues are not shown
                }
            }
            if (depth > MAX_DEPTH) {
                throw new DocumentException(
                        Failure.Code.BOMB,
                        "The message has parts that are nested more than "
                                + MAX_DEPTH
                                + " levels deep.");
            }
            state = tokens.next();
        }
        parts.writeAttachments();
    }
}
