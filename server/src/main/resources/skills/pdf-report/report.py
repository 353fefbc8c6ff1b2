#!/usr/bin/env python3
"""Writes a PDF from a text in simple Markdown. Needs only the standard library."""
import argparse
import os
import re
import struct
import sys
import unicodedata
import zlib

# The widths of the letters from space to tilde, in thousandths of the size, which every reader of PDF knows.
HELVETICA = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278] + [556] * 10 + [
    278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722,
    667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584]
BOLD = [278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278] + [556] * 10 + [
    333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722,
    667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584]
FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "Helvetica-Oblique", "F4": "Courier"}
PAPERS = {"a4": (595, 842), "letter": (612, 792)}
MARGIN = 56


def letter_width(letter, font):
    if font == "F4":
        return 600
    widths = BOLD if font == "F2" else HELVETICA
    base = unicodedata.normalize("NFD", letter)[0]
    code = ord(base) - 32
    return widths[code] if 0 <= code < len(widths) else 556


def text_width(text, font, size):
    return sum(letter_width(letter, font) for letter in text) * size / 1000


class Pdf:
    """Objects of a PDF, written with their table at the end."""

    def __init__(self):
        self.objects = []

    def add(self, body):
        self.objects.append(body if isinstance(body, bytes) else body.encode("latin-1"))
        return len(self.objects)

    def stream(self, data, extra="", packed=False):
        data = data if packed else zlib.compress(data)
        head = f"<< /Length {len(data)} " + ("" if packed else "/Filter /FlateDecode ") + extra + " >>\nstream\n"
        return self.add(head.encode("latin-1") + data + b"\nendstream")

    def write(self, path, root, info):
        out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        table = len(out)
        out += f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n".encode()
        for offset in offsets:
            out += f"{offset:010d} 00000 n \n".encode()
        out += f"trailer\n<< /Size {len(offsets) + 1} /Root {root} 0 R /Info {info} 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(path, "wb") as file:
            file.write(out)


class Report:
    def __init__(self, paper):
        self.width, self.height = PAPERS[paper]
        self.pdf = Pdf()
        self.pages, self.images = [], {}
        self.missing, self.problems = set(), []
        self.new_page()

    def new_page(self):
        self.commands = []
        self.pages.append(self.commands)
        self.y = self.height - MARGIN

    def room(self, height):
        if self.y - height < MARGIN and self.y < self.height - MARGIN:
            self.new_page()

    def encoded(self, text):
        """A text of PDF. What the fonts do not have becomes a question mark."""
        out = bytearray()
        for letter in unicodedata.normalize("NFC", text):
            try:
                code = letter.encode("cp1252")
            except UnicodeEncodeError:
                self.missing.add(letter)
                code = b"?"
            out += b"\\" + code if code in (b"(", b")", b"\\") else code
        return out.decode("latin-1")

    def put(self, x, y, text, font="F1", size=10.5):
        self.commands.append(f"BT /{font} {size} Tf {x:.1f} {y:.1f} Td ({self.encoded(text)}) Tj ET")

    def spans(self, text, font):
        """Words with their fonts."""
        words, apart = [], True
        for piece in re.split(r"(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)", text):
            kind, inner = font, piece
            if piece.startswith("**") and piece.endswith("**") and len(piece) > 4:
                kind, inner = "F2", piece[2:-2]
            elif piece.startswith("*") and piece.endswith("*") and len(piece) > 2:
                kind, inner = "F3", piece[1:-1]
            elif piece.startswith("`") and piece.endswith("`") and len(piece) > 2:
                kind, inner = "F4", piece[1:-1]
            inner = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r"\1 (\2)", inner)
            glued = not apart and not inner.startswith((" ", "\t"))
            for word in inner.split():
                words.append((word, kind, glued))
                glued = False
            apart = inner.endswith((" ", "\t")) if inner else apart
        return words

    def paragraph(self, text, font="F1", size=10.5, indent=0, first="", after=6):
        space = self.width - 2 * MARGIN - indent
        line, used, leading = [], 0, size * 1.4
        lines = []
        for word, kind, glued in self.spans(text, font):
            for part in self.split(word, kind, size, space):
                gap = 0 if glued or not line else text_width(" ", kind, size)
                width = text_width(part, kind, size)
                if line and used + gap + width > space:
                    lines.append(line)
                    line, used, gap = [], 0, 0
                line.append((used + gap, part, kind))
                used += gap + width
                glued = False
        if line:
            lines.append(line)
        for number, parts in enumerate(lines):
            self.room(leading)
            self.y -= leading
            if number == 0 and first:
                self.put(MARGIN + indent - 14, self.y, first, "F1", size)
            for x, part, kind in parts:
                self.put(MARGIN + indent + x, self.y, part, kind, size)
        self.y -= after

    @staticmethod
    def split(word, font, size, space):
        """A word that is wider than a line, in pieces."""
        if text_width(word, font, size) <= space:
            return [word]
        pieces, piece = [], ""
        for letter in word:
            if piece and text_width(piece + letter, font, size) > space:
                pieces.append(piece)
                piece = ""
            piece += letter
        return pieces + [piece]

    def heading(self, level, text):
        size = {1: 18, 2: 14, 3: 12}.get(level, 11)
        self.room(size * 3)
        self.y -= size * 0.5
        self.paragraph(text.replace("**", ""), "F2", size, after=4)

    def code(self, lines):
        for line in lines:
            columns = int((self.width - 2 * MARGIN) / (0.6 * 9))
            line = line.expandtabs(4)
            for start in range(0, max(1, len(line)), columns):
                self.room(12)
                self.y -= 12
                self.put(MARGIN, self.y, line[start:start + columns], "F4", 9)
        self.y -= 6

    def table(self, rows, right):
        columns = max(len(row) for row in rows)
        rows = [row + [""] * (columns - len(row)) for row in rows]
        size, padding, space = 9.5, 6, self.width - 2 * MARGIN
        wanted = [max(text_width(row[c], "F2", size) for row in rows) + 2 * padding for c in range(columns)]
        fair = space / columns
        if sum(wanted) > space:
            small = sum(w for w in wanted if w <= fair)
            large = sum(w for w in wanted if w > fair)
            wanted = [w if w <= fair else w / large * (space - small) for w in wanted]
        for number, row in enumerate(rows):
            font = "F2" if number == 0 else "F1"
            cells = [self.wrapped(cell, font, size, width - 2 * padding) for cell, width in zip(row, wanted)]
            height = max(len(cell) for cell in cells) * size * 1.3 + 6
            self.room(height)
            x = MARGIN
            for c, cell in enumerate(cells):
                for n, line in enumerate(cell):
                    shift = wanted[c] - padding - text_width(line, font, size) if c in right else padding
                    self.put(x + shift, self.y - 3 - size - n * size * 1.3, line, font, size)
                x += wanted[c]
            self.y -= height
            weight = 1 if number == 0 else 0.3
            self.commands.append(f"{weight} w {MARGIN} {self.y:.1f} m {x:.1f} {self.y:.1f} l S")
        self.y -= 10

    def wrapped(self, text, font, size, space):
        text = re.sub(r"[*`]+", "", text)
        lines, line = [], ""
        for word in text.split():
            for part in self.split(word, font, size, max(space, 10)):
                longer = (line + " " + part).strip()
                if line and text_width(longer, font, size) > space:
                    lines.append(line)
                    longer = part
                line = longer
        return lines + [line]

    def picture(self, words, path):
        try:
            name, width, height = self.image(path)
        except (OSError, ValueError, struct.error, IndexError) as problem:
            self.problems.append(f"{path}: {problem}")
            self.paragraph(f"[picture {words or path} is missing]", "F3")
            return
        scale = min((self.width - 2 * MARGIN) / width, (self.height - 2 * MARGIN - 20) / height, 1)
        self.room(height * scale + 20)
        self.y -= height * scale
        self.commands.append(f"q {width * scale:.1f} 0 0 {height * scale:.1f} {MARGIN} {self.y:.1f} cm /{name} Do Q")
        self.y -= 6
        if words:
            self.paragraph(words, "F3", 9)

    def image(self, path):
        """Adds the file, and returns its name and its size in pixels."""
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\xff\xd8":
            width, height, colours = jpeg_size(data)
            space = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}[colours]
            extra = f"/Filter /DCTDecode /ColorSpace {space} /BitsPerComponent 8"
            body = data
        elif data[:8] == b"\x89PNG\r\n\x1a\n":
            width, height, extra, body = png_parts(data)
        else:
            raise ValueError("neither a JPEG nor a PNG file")
        name = f"I{len(self.images) + 1}"
        self.images[name] = self.pdf.stream(
            body, f"/Type /XObject /Subtype /Image /Width {width} /Height {height} {extra}", packed=True)
        return name, width, height

    def write(self, path, title, author):
        fonts = " ".join(
            f"/{name} {self.pdf.add(f'<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>')} 0 R"
            for name, font in FONTS.items())
        images = " ".join(f"/{name} {number} 0 R" for name, number in self.images.items())
        resources = self.pdf.add(f"<< /Font << {fonts} >> /XObject << {images} >> >>")
        tree = len(self.pdf.objects) + 2 * len(self.pages) + 1
        kids = []
        for number, commands in enumerate(self.pages, 1):
            words = f"{number} / {len(self.pages)}"
            x = (self.width - text_width(words, "F1", 9)) / 2
            commands.append(f"BT /F1 9 Tf {x:.1f} 30 Td ({words}) Tj ET")
            content = self.pdf.stream("\n".join(commands).encode("latin-1"))
            kids.append(self.pdf.add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {self.width} {self.height}] "
                f"/Resources {resources} 0 R /Contents {content} 0 R >>"))
        self.pdf.add(f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>")
        root = self.pdf.add(f"<< /Type /Catalog /Pages {tree} 0 R >>")
        info = self.pdf.add(f"<< /Title {hexadecimal(title)} /Author {hexadecimal(author)} /Producer (pdf-report) >>")
        self.pdf.write(path, root, info)


def hexadecimal(text):
    return "<FEFF" + text.encode("utf-16-be").hex().upper() + ">"


def jpeg_size(data):
    at = 2
    while at < len(data):
        if data[at] != 0xFF:
            raise ValueError("a damaged JPEG file")
        kind, length = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return width, height, data[at + 9]
        at += 2 + length
    raise ValueError("a JPEG file without a size")


def png_parts(data):
    at, body, palette = 8, b"", b""
    width = height = depth = colour = 0
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunk)
            if interlaced or colour in (4, 6):
                raise ValueError("a PNG file with transparency or interlacing")
        elif kind == b"PLTE":
            palette = chunk
        elif kind == b"IDAT":
            body += chunk
        at += 12 + length
    colours = 3 if colour == 2 else 1
    space = {0: "/DeviceGray", 2: "/DeviceRGB"}.get(colour) or \
        f"[/Indexed /DeviceRGB {len(palette) // 3 - 1} <{palette.hex()}>]"
    return width, height, (
        f"/Filter /FlateDecode /ColorSpace {space} /BitsPerComponent {depth} "
        f"/DecodeParms << /Predictor 15 /Colors {colours} /BitsPerComponent {depth} /Columns {width} >>"), body


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def build(report, text, folder):
    lines, at, block = text.replace("\r\n", "\n").split("\n"), 0, []

    def flush():
        if block:
            report.paragraph(" ".join(block))
            block.clear()

    while at < len(lines):
        line = lines[at]
        clean = line.strip()
        heading = re.match(r"(#{1,6})\s+(.*?)\s*#*$", clean)
        item = re.match(r"(\s*)([-*+]|\d+[.)])\s+(.*)", line)
        picture = re.match(r"!\[([^\]]*)\]\(([^)\s]+)\)$", clean)
        is_table = clean.startswith("|") and at + 1 < len(lines) and re.match(r"^\s*\|?[\s:|-]*-[\s:|-]*$", lines[at + 1])
        if clean.startswith("```"):
            flush()
            end = next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith("```")), len(lines))
            report.code(lines[at + 1:end])
            at = end
        elif not clean:
            flush()
        elif re.match(r"^(-{3,}|\*{3,}|_{3,})$", clean):
            flush()
            report.new_page()
        elif heading:
            flush()
            report.heading(len(heading.group(1)), heading.group(2))
        elif picture:
            flush()
            report.picture(picture.group(1), os.path.join(folder, picture.group(2)))
        elif is_table:
            flush()
            right = {n for n, mark in enumerate(cells(lines[at + 1])) if mark.endswith(":") and not mark.startswith(":")}
            rows = [cells(line)]
            at += 2
            while at < len(lines) and lines[at].strip().startswith("|"):
                rows.append(cells(lines[at]))
                at += 1
            report.table(rows, right)
            continue
        elif item and not block:
            words = [item.group(3)]
            while at + 1 < len(lines) and lines[at + 1].startswith("  ") and lines[at + 1].strip() \
                    and not re.match(r"\s*([-*+]|\d+[.)])\s", lines[at + 1]):
                at += 1
                words.append(lines[at].strip())
            mark = item.group(2) if item.group(2)[0].isdigit() else "\u2022"
            report.paragraph(" ".join(words), indent=18 + 7 * len(item.group(1)), first=mark, after=2)
        else:
            block.append(clean.lstrip("> ") if clean.startswith(">") else clean)
        at += 1
    flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text")
    parser.add_argument("--title", default="")
    parser.add_argument("--author", default="")
    parser.add_argument("--paper", choices=sorted(PAPERS), default="a4")
    parser.add_argument("--out", default="assets/report.pdf")
    options = parser.parse_args()
    with open(options.text, encoding="utf-8-sig") as file:
        text = file.read()
    report = Report(options.paper)
    if options.title:
        report.heading(1, options.title)
    build(report, text, os.path.dirname(options.text))
    report.write(options.out, options.title, options.author)
    print(f"{options.out}: {len(report.pages)} pages")
    for problem in report.problems:
        print("picture left out: " + problem)
    if report.missing:
        print("not in the fonts, shown as ?: " + " ".join(sorted(report.missing)[:40]))


if __name__ == "__main__":
    try:
        main()
    except (OSError, UnicodeDecodeError) as problem:
        sys.exit(str(problem))
