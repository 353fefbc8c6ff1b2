package dev.satchel.documents.xml;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.io.IOException;
import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Walks through XML of strangers: without document type definitions, entities of their own or
 * external parts, and with a bounded depth. Elements are known by their local names, since the
 * namespaces of a format differ between its editions. Closing it closes the stream.
 */
public final class XmlCursor implements AutoCloseable {
    private static final int MAX_DEPTH = 400;
    private static final int LONGEST_NUMBER = 9;
    private static final int MAX_TEXT_CHARS = 16 * 1024 * 1024;
    private static final XMLInputFactory FACTORY = factory();

    private final InputStream in;
    private final XMLStreamReader xml;
    private int event;
    private int depth;
    private String name = "";

    /** A document type definition is skipped: a plain one only names a standard. */
    public XmlCursor(InputStream in) throws DocumentException {
        this.in = in;
        try {
            this.xml = FACTORY.createXMLStreamReader(in);
        } catch (XMLStreamException e) {
            throw broken(e);
        }
    }

    /** Goes to the next start, end or text; false at the end of the document. */
    public boolean next() throws DocumentException {
        try {
            while (xml.hasNext()) {
                event = xml.next();
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        name = xml.getLocalName();
                        if (++depth > MAX_DEPTH) {
                            throw new DocumentException(
                                    Failure.Code.BOMB,
                                    "The file is nested more than " + MAX_DEPTH + " levels deep.");
                        }
                        return true;
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        name = xml.getLocalName();
                        depth--;
                        return true;
                    }
                    case XMLStreamConstants.CHARACTERS,
                            XMLStreamConstants.CDATA,
                            XMLStreamConstants.SPACE -> {
                        return true;
                    }
                    case XMLStreamConstants.ENTITY_REFERENCE ->
                            throw new DocumentException(
                                    Failure.Code.BOMB,
                                    "The file declares entities of its own, which could grow"
                                            + " without end.");
                    default -> {
                        // comments, instructions for programs and a DOCTYPE are not text
                    }
                }
            }
            return false;
        } catch (XMLStreamException e) {
            throw broken(e);
        }
    }

    public boolean isStart() {
        return event == XMLStreamConstants.START_ELEMENT;
    }

    public boolean isStart(String element) {
        return event == XMLStreamConstants.START_ELEMENT && name.equals(element);
    }

    public boolean isEnd() {
        return event == XMLStreamConstants.END_ELEMENT;
    }

    public boolean isEnd(String element) {
        return event == XMLStreamConstants.END_ELEMENT && name.equals(element);
    }

    public boolean isText() {
        return !isStart() && !isEnd();
    }

    /** The local name of the element that starts or ends here. */
    public String name() {
        return name;
    }

    /** The namespace of the element that starts or ends here. */
    public String namespace() {
        String uri = xml.getNamespaceURI();
        return uri == null ? "" : uri;
    }

    /** The number of open elements; a start counts its element, an end does not. */
    public int depth() {
        return depth;
    }

    /** Appends the characters here. One text of a document does not grow without end. */
    public void appendTo(StringBuilder text) throws DocumentException {
        if (text.length() > MAX_TEXT_CHARS) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The file has one paragraph of more than " + MAX_TEXT_CHARS + " characters.");
        }
        text.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
    }

    /** The attribute with this local name, whatever its namespace. */
    public @Nullable String attribute(String localName) {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            if (xml.getAttributeLocalName(i).equals(localName)) {
                return xml.getAttributeValue(i);
            }
        }
        return null;
    }

    /** The attribute {@code r:id} or another one that names a relationship. */
    public @Nullable String relationship(String localName) {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            String uri = xml.getAttributeNamespace(i);
            if (xml.getAttributeLocalName(i).equals(localName)
                    && uri != null
                    && uri.endsWith("/relationships")) {
                return xml.getAttributeValue(i);
            }
        }
        return null;
    }

    /** A number in an attribute; the other one if it is missing or no number. */
    public int number(String localName, int otherwise) {
        String value = attribute(localName);
        if (value == null || value.isEmpty() || value.length() > LONGEST_NUMBER) {
            return otherwise;
        }
        for (int i = value.charAt(0) == '-' ? 1 : 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return otherwise;
            }
        }
        return value.equals("-") ? otherwise : Integer.parseInt(value);
    }

    /** Whether an attribute that is on by default says off. */
    public boolean isOff(String localName) {
        String value = attribute(localName);
        return value != null && (value.equals("0") || value.equals("false") || value.equals("off"));
    }

    /** Goes to the end of the element that starts here. */
    public void skip() throws DocumentException {
        int inside = depth;
        while (depth >= inside && next()) {
            // every element below goes by
        }
    }

    /** The text of the element that starts here, with that of all elements in it. */
    public String text() throws DocumentException {
        StringBuilder text = new StringBuilder();
        int inside = depth;
        while (next() && depth >= inside) {
            if (isText()) {
                appendTo(text);
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        try {
            xml.close();
        } catch (XMLStreamException e) {
            throw broken(e);
        } finally {
            in.close();
        }
    }

    private static DocumentException broken(XMLStreamException e) {
        Throwable cause = e.getNestedException();
        if (cause instanceof DocumentException known) {
            return known;
        }
        String message = String.valueOf(e.getMessage());
        int detail = message.indexOf("Message: ");
        return new DocumentException(
                Failure.Code.BROKEN,
                "The XML inside the file is damaged: "
                        + (detail < 0 ? message : message.substring(detail + 9)).strip());
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        // tables in tables are deeper than the limit of the JDK; ours is above
        factory.setProperty("jdk.xml.maxElementDepth", "0");
        return factory;
    }
}
