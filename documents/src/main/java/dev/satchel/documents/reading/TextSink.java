package dev.satchel.documents.reading;

import java.io.IOException;

/** Where text that flows goes. */
public interface TextSink {
    void heading(int level, String text) throws IOException;

    /** Where paragraphs, list items and tables go. */
    TextBlocks blocks() throws IOException;

    /** Takes a footnote, and gives the sign that stands for it in the text. */
    String footnote(String text) throws IOException;
}
