#!/usr/bin/env python3
"""Draws a chart from a table as an SVG file. Needs only the standard library."""
import argparse
import csv
import io
import json
import math
import os
import re
import sys
from xml.sax.saxutils import escape

COLOURS = ["#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"]
TEXT = "#1f2937"
GRID = "#d1d5db"


def read_table(path):
    """The names of the columns, and the rows as lists of texts."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        text = file.read()
    if path.lower().endswith(".json"):
        rows = json.loads(text)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            sys.exit("the JSON must be a list of objects")
        names = list(dict.fromkeys(name for row in rows for name in row))
        return names, [["" if row.get(n) is None else str(row.get(n)) for n in names] for row in rows]
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t|", key=first.count)
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(c.strip() for c in row)]
    if not rows:
        sys.exit(path + " has no rows")
    names = [name.strip() for name in rows[0]]
    return names, [row + [""] * (len(names) - len(row)) for row in rows[1:]]


def has_decimal_comma(texts):
    """Whether a column writes 1.234,50 instead of 1,234.50."""
    return any(re.search(r"\.\d{3},|,\d{1,2}$|,\d{4,}$", text.strip().rstrip(" %€$£")) for text in texts)


def number(text, comma=False):
    """A number, or None. Takes thousands, 12 % and amounts with a currency sign."""
    clean = re.sub(r"[\s\u00a0\u202f'%€$£]", "", text)
    clean = clean.replace(".", "").replace(",", ".") if comma else clean.replace(",", "")
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", clean):
        return None
    value = float(clean)
    return value if math.isfinite(value) else None


def ticks(low, high):
    """Round numbers that cover a range."""
    if low == high:
        low, high = (low - 1, high + 1) if low else (0, 1)
    raw = (high - low) / 5
    power = 10 ** math.floor(math.log10(raw))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= raw)
    start = math.floor(low / step) * step
    count = math.ceil((high - start) / step - 1e-9)
    return [start + i * step for i in range(count + 1)]


def shown(value):
    text = f"{value:,.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


class Svg:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.parts = []

    def add(self, tag, content=None, **attributes):
        named = " ".join(f'{k.replace("_", "-")}="{escape(str(v), {chr(34): "&quot;"})}"' for k, v in attributes.items())
        self.parts.append(f"<{tag} {named}/>" if content is None else f"<{tag} {named}>{content}</{tag}>")

    def text(self, x, y, words, size=12, anchor="middle", **more):
        self.add("text", escape(str(words)), x=round(x, 1), y=round(y, 1), font_size=size, text_anchor=anchor, fill=TEXT, **more)

    def write(self, path, title):
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" role="img">\n'
                f"<title>{escape(title or 'Chart')}</title>\n"
                f'<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def legend(svg, names, y):
    x = 60
    for i, name in enumerate(names):
        svg.add("rect", x=x, y=y - 9, width=10, height=10, fill=COLOURS[i % len(COLOURS)])
        svg.text(x + 15, y, name, anchor="start")
        x += 30 + 7 * len(name)


def pie(svg, labels, values):
    pairs = [(label, value) for label, value in zip(labels, values) if value is not None and value > 0]
    total = sum(value for _, value in pairs)
    if not total:
        sys.exit("a pie needs numbers above zero")
    cx, cy = svg.width * 0.35, svg.height / 2 + 12
    radius = min(svg.width * 0.3, svg.height / 2 - 50)
    angle = -math.pi / 2
    for i, (label, value) in enumerate(pairs):
        colour = COLOURS[i % len(COLOURS)]
        turn = 2 * math.pi * value / total
        if len(pairs) == 1:
            svg.add("circle", cx=cx, cy=cy, r=radius, fill=colour)
        else:
            x1, y1 = cx + radius * math.cos(angle), cy + radius * math.sin(angle)
            x2, y2 = cx + radius * math.cos(angle + turn), cy + radius * math.sin(angle + turn)
            svg.add("path", d=f"M{cx:.1f},{cy:.1f} L{x1:.1f},{y1:.1f} A{radius:.1f},{radius:.1f} 0 {int(turn > math.pi)} 1 {x2:.1f},{y2:.1f} Z",
                    fill=colour, stroke="#ffffff")
        y = 60 + i * 20
        svg.add("rect", x=svg.width * 0.68, y=y - 9, width=10, height=10, fill=colour)
        svg.text(svg.width * 0.68 + 16, y, f"{label}: {shown(value)} ({100 * value / total:.1f} %)", anchor="start")
        angle += turn
    return len(pairs)


def axes(svg, kind, labels, series, options):
    left, right, top, bottom = 70, svg.width - 20, 60, svg.height - 60
    values = [v for _, column in series for v in column if v is not None]
    low, high = min(values), max(values)
    if kind != "scatter":
        low, high = min(0, low), max(0, high)
    marks = ticks(low, high)
    low, high = marks[0], marks[-1]

    def at_y(value):
        return bottom - (value - low) / (high - low) * (bottom - top)

    for mark in marks:
        svg.add("line", x1=left, x2=right, y1=round(at_y(mark), 1), y2=round(at_y(mark), 1), stroke=GRID)
        svg.text(left - 8, at_y(mark) + 4, shown(mark), anchor="end")
    drawn = 0
    if kind == "scatter":
        comma = has_decimal_comma(labels)
        xs = [number(label, comma) for label in labels]
        known = [x for x in xs if x is not None]
        if not known:
            sys.exit("the column --x has no numbers, which scatter needs")
        x_marks = ticks(min(known), max(known))

        def at_x(value):
            return left + (value - x_marks[0]) / (x_marks[-1] - x_marks[0]) * (right - left)

        for mark in x_marks:
            svg.text(at_x(mark), bottom + 18, shown(mark))
        for i, (_, column) in enumerate(series):
            for x, y in zip(xs, column):
                if x is not None and y is not None:
                    svg.add("circle", cx=round(at_x(x), 1), cy=round(at_y(y), 1), r=4, fill=COLOURS[i % len(COLOURS)])
                    drawn += 1
    else:
        slot = (right - left) / max(1, len(labels))
        every = max(1, math.ceil(len(labels) * 60 / (right - left)))
        for n, label in enumerate(labels):
            if n % every == 0:
                words = label if len(label) <= 14 else label[:13] + "…"
                svg.text(left + slot * (n + 0.5), bottom + 18, words)
        for i, (_, column) in enumerate(series):
            colour = COLOURS[i % len(COLOURS)]
            line = []
            for n, value in enumerate(column):
                if value is None:
                    line = draw_line(svg, line, colour)
                    continue
                drawn += 1
                if kind == "bar":
                    width = slot * 0.8 / len(series)
                    x = left + slot * (n + 0.1) + width * i
                    top_y, bottom_y = sorted((at_y(value), at_y(0)))
                    svg.add("rect", x=round(x, 1), y=round(top_y, 1), width=round(width, 1), height=round(bottom_y - top_y, 1), fill=colour)
                else:
                    line.append((left + slot * (n + 0.5), at_y(value)))
            draw_line(svg, line, colour)
    zero = at_y(0) if low <= 0 <= high else bottom
    svg.add("line", x1=left, x2=right, y1=round(zero, 1), y2=round(zero, 1), stroke=TEXT)
    svg.text((left + right) / 2, svg.height - 14, options.x_label or "")
    svg.text(18, (top + bottom) / 2, options.y_label or "", transform=f"rotate(-90 18 {(top + bottom) / 2:.0f})")
    if len(series) > 1:
        legend(svg, [name for name, _ in series], 46)
    return drawn


def draw_line(svg, points, colour):
    if len(points) > 1:
        svg.add("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), fill="none", stroke=colour, stroke_width=2)
    for x, y in points:
        svg.add("circle", cx=round(x, 1), cy=round(y, 1), r=3, fill=colour)
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("--kind", choices=["bar", "line", "scatter", "pie"], default="bar")
    for name in ("--x", "--y", "--title", "--x-label", "--y-label"):
        parser.add_argument(name)
    parser.add_argument("--width", type=int, default=800)
    parser.add_argument("--height", type=int, default=450)
    parser.add_argument("--out", default="assets/chart.svg")
    options = parser.parse_args()
    names, rows = read_table(options.table)
    if not rows:
        sys.exit(options.table + " has a header and no rows")

    def column(name):
        if name not in names:
            sys.exit(f"there is no column {name}; the columns are {', '.join(names)}")
        return [row[names.index(name)] for row in rows]

    x = options.x or names[0]
    wanted = [n.strip() for n in options.y.split(",")] if options.y else \
        [n for n in names if n != x and any(number(v) is not None for v in column(n))]
    if not wanted:
        sys.exit("no column has numbers; the columns are " + ", ".join(names))
    labels = [label.strip() for label in column(x)]
    series, odd = [], []
    for name in wanted:
        texts = column(name)
        comma = has_decimal_comma(texts)
        values = [number(text, comma) for text in texts]
        series.append((name, values))
        odd += [f"{name} in row {n + 2}: {text.strip()[:40]!r}" for n, text in enumerate(texts) if text.strip() and values[n] is None]
    if all(value is None for _, values in series for value in values):
        sys.exit("the columns " + ", ".join(wanted) + " have no numbers")
    svg = Svg(options.width, options.height)
    if options.title:
        svg.text(options.width / 2, 26, options.title, size=18, font_weight="bold")
    if options.kind == "pie":
        if len(series) > 1:
            sys.exit("a pie takes one column: choose it with --y")
        drawn = pie(svg, labels, series[0][1])
    else:
        drawn = axes(svg, options.kind, labels, series, options)
    svg.write(options.out, options.title)
    print(f"{options.out}: {options.kind} chart with {drawn} values of {', '.join(wanted)}")
    for cell in odd[:20]:
        print("left out, not a number: " + cell)
    if len(odd) > 20:
        print(f"left out, not a number: {len(odd) - 20} more cells")


if __name__ == "__main__":
    main()
