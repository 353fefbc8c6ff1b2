package dev.satchel.documents.mail;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.markup.HtmlText;
import dev.satchel.documents.reading.OnePartSink;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextBlocks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.jsoup.Jsoup;

/** Writes messages when they have been read, and the attachments after them. */
final class MailParts {
    private static final int MAX_BODY = 32 * 1024 * 1024;
    private static final int MAX_ATTACHMENTS = 10_000;
    private static final List<String> SHOWN =
            List.of("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject");

    private final PartWriter out;
    private final List<Attachment> attachments = new ArrayList<>();
    private int messages;

    private record Attachment(String name, String type, long size) {}

    MailParts(PartWriter out) {
        this.out = out;
    }

    /** The body of a part: text of the message, or an attachment. */
    void body(MailMessage message, MailHeaders headers, MimeTokenStream tokens) throws IOException {
        BodyDescriptor descriptor = tokens.getBodyDescriptor();
        String type = String.valueOf(descriptor.getMimeType()).toLowerCase(Locale.ROOT);
        String name = headers.filename();
        boolean isHtml = type.equals("text/html");
        boolean isText = (isHtml || type.equals("text/plain")) && !headers.isAttachment();
        try (InputStream in = tokens.getDecodedInputStream()) {
            if (isText && name == null) {
                byte[] bytes = in.readNBytes(MAX_BODY);
                if (in.read() >= 0) {
                    throw new DocumentException(
                            Failure.Code.TOO_LARGE,
                            "The message has a text of more than %d bytes, which is the limit."
                                    .formatted(MAX_BODY));
                }
                String text = new String(bytes, MailHeaders.charset(descriptor.getCharset()));
                if (!isHtml || !message.hasPlainText()) {
                    message.add(isHtml, text);
                }
                return;
            }
            long size = in.transferTo(OutputStream.nullOutputStream());
            if (attachments.size() >= MAX_ATTACHMENTS) {
                throw new DocumentException(
                        Failure.Code.TOO_LARGE,
                        "The message has more than " + MAX_ATTACHMENTS + " attachments.");
            }
            attachments.add(new Attachment(name == null ? "(no name)" : name, type, size));
        }
    }

    void end(MailMessage message) throws IOException {
        MailHeaders headers = message.headers();
        out.begin(DocumentPart.Kind.MESSAGE, ++messages, headers.get("subject"));
        for (String name : SHOWN) {
            String value = headers.get(name.toLowerCase(Locale.ROOT));
            if (!value.isEmpty()) {
                out.append(name).append(": ").append(value).append('\n');
            }
        }
        for (MailMessage.Body body : message.bodies()) {
            out.append("\n");
            if (body.isHtml()) {
                TextBlocks blocks = new TextBlocks(out);
                new HtmlText(new OnePartSink(blocks)).write(Jsoup.parse(body.text()).body());
            } else {
                out.append(body.text().replace("\r\n", "\n").stripTrailing());
            }
            out.append("\n");
        }
        out.end();
    }

    void writeAttachments() throws IOException {
        int number = 0;
        for (Attachment attachment : attachments) {
            out.begin(DocumentPart.Kind.ATTACHMENT, ++number, attachment.name());
            out.append(
                    attachment.name()
                            + ", "
                            + attachment.type()
                            + ", "
                            + attachment.size()
                            + " bytes");
            out.end();
        }
    }
}
