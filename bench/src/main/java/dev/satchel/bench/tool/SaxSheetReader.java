package dev.satchel.bench.tool;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * A program that prints the cells of one sheet as they are stored: no formats, no limits, no JSON.
 */
final class SaxSheetReader extends DefaultHandler {
    private final List<String> strings = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder line = new StringBuilder();
    private final OutputStream out;
    private boolean isShared;

    private SaxSheetReader(OutputStream out) {
        this.out = out;
    }

    public static void main(String[] arguments)
            throws IOException, SAXException, ParserConfigurationException {
        try (OutputStream out =
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 65536);
                ZipFile zip = new ZipFile(arguments[0])) {
            SaxSheetReader reader = new SaxSheetReader(out);
            for (String name : List.of("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")) {
                try (InputStream in = zip.getInputStream(zip.getEntry(name))) {
                    SAXParserFactory.newInstance().newSAXParser().parse(in, reader);
                }
            }
        }
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
        text.setLength(0);
        if (name.equals("c")) {
            isShared = "s".equals(attributes.getValue("t"));
        }
    }

    @Override
    public void characters(char[] characters, int start, int length) {
        text.append(characters, start, length);
    }

    @Override
    public void endElement(String uri, String local, String name) throws SAXException {
        switch (name) {
            case "t" -> strings.add(text.toString());
            case "v" -> {
                boolean isText = isShared;
                line.append(
                        isText ? strings.get(Integer.parseInt(text, 0, text.length(), 10)) : text);
                line.append('\t');
            }
            case "row" -> {
                try {
                    out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw new SAXException(e);
                }
                line.setLength(0);
            }
            default -> {
                // everything else only encloses cells
            }
        }
    }
}
