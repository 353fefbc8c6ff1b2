package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MarkupTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void htmlIsTextWithAddressesAndWithoutScripts() throws IOException {
        byte[] file =
                utf8(
                        """
                        <!doctype html><html><head><title>Home page</title><style>p{}</style></head><body>
                        <script>alert('no')</script><p>Some <b>bold</b>
                          text with <a href="https://example.org/x">a link</a> and <a href="javascript:x()">none</a>.</p>
                        <h1>First</h1><ul><li>one<ol><li>deep</li></ol></li><li>two</li></ul>
                        <table><tr><th>A</th><th colspan=2>B</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>
                        <pre>x
                          y</pre><img alt="a dog" src="http://evil/"></body></html>
                        """);

        Extraction found = Extraction.of("a.html", file);

        assertThat(found.header().title()).isEqualTo("Home page");
        assertThat(found.text(0))
                .isEqualTo("Some bold text with [a link](https://example.org/x) and none.");
        assertThat(found.text(1))
                .isEqualTo(
                        "# First\n\n- one\n  1. deep\n- two\n\n| A | B |  |\n| 1 | 2 | 3 |\n\nx\n  y\n\n[picture: a dog]");
    }

    @Test
    void htmlSaysItsEncoding() throws IOException {
        byte[] file =
                "<html><meta charset=\"windows-1251\"><p>Привет</p></html>"
                        .getBytes(Charset.forName("windows-1251"));

        assertThat(Extraction.of("a.htm", file).text()).isEqualTo("Привет");
    }

    @Test
    void aBookHasItsChaptersInOrder() throws IOException {
        byte[] file =
                new Zip()
                        .file("mimetype", "application/epub+zip")
                        .xml(
                                "META-INF/container.xml",
                                "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>")
                        .xml(
                                "OEBPS/book.opf",
                                """
                                <package xmlns:dc="urn:dc"><metadata><dc:title>A Book</dc:title></metadata><manifest>
                                <item id="two" href="text/two.xhtml"/><item id="one" href="text/one%20a.xhtml"/>
                                <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>
                                <spine><itemref idref="one"/><itemref idref="two"/></spine></package>
                                """)
                        .file(
                                "OEBPS/toc.ncx",
                                """
                                <!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
                                <ncx><navMap><navPoint><navLabel><text>Beginning</text></navLabel><content src="text/one%20a.xhtml#x"/></navPoint></navMap></ncx>
                                """)
                        .file(
                                "OEBPS/text/one a.xhtml",
                                "<html><body><h1>I</h1><p>Once</p></body></html>")
                        .file(
                                "OEBPS/text/two.xhtml",
                                "<html><body><h2>II</h2><p>End</p></body></html>")
                        .bytes();

        Extraction found = Extraction.of("a.epub", file);

        assertThat(found.header())
                .isEqualTo(new DocumentLine.Header(DocumentFormat.EPUB, 2, "A Book"));
        assertThat(found.parts())
                .extracting(DocumentPart::title)
                .containsExactly("Beginning", "II");
        assertThat(found.text(0)).isEqualTo("# I\n\nOnce");
    }

    @Test
    void rtfIsReadWithItsEncodingsAndNotes() throws IOException {
        byte[] file =
                utf8(
                        """
                        {\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 Gothic;}}
                        {\\info{\\title x}}{\\*\\generator y;}
                        \\pard\\outlinelevel0 Head\\par
                        \\pard caf\\'e9 \\u8364? {\\f1 \\'cf\\'f0} {\\f2 \\'93\\'fa} \\ldblquote q\\rdblquote{\\footnote note}\\par
                        {\\listtext 1.\\tab}item\\par
                        {\\v hidden}{\\deleted gone}shown\\line next\\par
                        \\trowd\\intbl a\\cell b\\cell\\row
                        \\pard {\\field{\\*\\fldinst{HYPERLINK "https://example.org"}}{\\fldrslt site}}\\par
                        {\\pict 0102ff}}
                        """
                                .replace("\n", "\r\n")
                                .replace("                        ", ""));

        assertThat(Extraction.of("a.rtf", file).text())
                .isEqualTo(
                        "# Head\n\ncafé € Пр 日 “q”[^1]\n\n1. item\n\nshown\nnext\n\n| a | b |\n\nhttps://example.org site\n\n[^1]: note");
    }

    @Test
    void notebooksHaveCellsWithOutputs() throws IOException {
        byte[] file =
                utf8(
                        """
                        {"metadata": {"cells": "no"}, "cells": [
                        {"cell_type": "markdown", "source": ["# Title\\n", "text"]},
                        {"cell_type": "code", "execution_count": 3, "source": "1/0", "outputs": [
                          {"output_type": "stream", "text": ["hi\\n"]},
                          {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": ["<Figure>"]}},
                          {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": ["\\u001b[0;31mZeroDivisionError\\u001b[0m: division by zero"]}]},
                        {"cell_type": "code", "source": "t", "outputs": [{"data": {"text/html": "<table><tr><td>1</td></tr></table>"}}]}
                        ], "nbformat": 4}
                        """);

        Extraction found = Extraction.of("a.ipynb", file);

        assertThat(found.parts())
                .extracting(DocumentPart::title)
                .containsExactly("markdown", "code [3]", "code");
        assertThat(found.text(0)).isEqualTo("# Title\ntext");
        assertThat(found.text(1))
                .isEqualTo(
                        "```\n1/0\n```\n[output]\nhi\n[output]\n<Figure>\n[picture: image/png]\n[output]\nZeroDivisionError: division by zero");
        assertThat(found.text(2)).contains("1");
    }
}
