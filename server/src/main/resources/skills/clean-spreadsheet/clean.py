#!/usr/bin/env python3
"""Cleans a table and says what it changed. Needs only the standard library."""
import argparse
import csv
import datetime
import io
import os
import re
import sys
import zipfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
MAX_PART = 500_000_000
DATE_FORMATS = set(range(14, 23)) | {45, 46, 47}


def read_text(path):
    with open(path, "rb") as file:
        data = file.read()
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        text = data.decode("latin-1")
    lines = [line for line in text.split("\n")[:50] if line.strip()]
    delimiter = max(",;\t|", key=lambda d: sum(min(line.count(d), 1000) for line in lines))
    return [row for row in csv.reader(io.StringIO(text), delimiter=delimiter)]


class Workbook:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path)
        book = self.part("xl/workbook.xml")
        targets = {link.get("Id"): link.get("Target") for link in self.part("xl/_rels/workbook.xml.rels")}
        self.sheets = {}
        for sheet in book.iter(MAIN + "sheet"):
            target = targets[sheet.get(LINK)]
            self.sheets[sheet.get("name")] = target.lstrip("/") if target.startswith("/") else "xl/" + target
        properties = book.find(MAIN + "workbookPr")
        self.from_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self.strings = []
        if "xl/sharedStrings.xml" in self.zip.namelist():
            for item in self.part("xl/sharedStrings.xml").iter(MAIN + "si"):
                self.strings.append("".join(text.text or "" for text in item.iter(MAIN + "t")))
        self.dates = self.date_styles()

    def part(self, name):
        if self.zip.getinfo(name).file_size > MAX_PART:
            sys.exit(name + " of the spreadsheet is too large")
        return ElementTree.fromstring(self.zip.read(name))

    def date_styles(self):
        if "xl/styles.xml" not in self.zip.namelist():
            return set()
        styles = self.part("xl/styles.xml")
        own = {int(f.get("numFmtId")): f.get("formatCode", "") for f in styles.iter(MAIN + "numFmt")}
        cells = styles.find(MAIN + "cellXfs")
        found = set()
        for number, cell in enumerate([] if cells is None else cells):
            kind = int(cell.get("numFmtId", "0"))
            code = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", own.get(kind, ""))
            if kind in DATE_FORMATS or re.search(r"[dmyhDMYH]", code):
                found.add(number)
        return found

    def rows(self, name):
        rows = []
        for row in self.part(self.sheets[name]).iter(MAIN + "row"):
            number = int(row.get("r", len(rows) + 1))
            if number > 2_000_000:
                sys.exit("the sheet has a row with the number " + str(number))
            while len(rows) < number - 1:
                rows.append([])
            values = []
            for cell in row.iter(MAIN + "c"):
                column = column_number(cell.get("r")) if cell.get("r") else len(values)
                while len(values) < column:
                    values.append("")
                values.append(self.value(cell))
            rows.append(values)
        return rows

    def value(self, cell):
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(text.text or "" for text in cell.iter(MAIN + "t"))
        found = cell.find(MAIN + "v")
        text = "" if found is None else found.text or ""
        if kind == "s":
            return self.strings[int(text)] if text else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(text, text)
        if kind == "n" and text:
            if int(cell.get("s", "0")) in self.dates:
                return self.date(float(text))
            number = float(text)
            return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
        return text

    def date(self, days):
        start = datetime.datetime(1904, 1, 1) if self.from_1904 else datetime.datetime(1899, 12, 30)
        try:
            moment = start + datetime.timedelta(seconds=round(days * 86400))
        except OverflowError:
            return repr(days)
        if days < 1:
            return moment.strftime("%H:%M:%S")
        return moment.strftime("%Y-%m-%d" if moment.time() == datetime.time() else "%Y-%m-%d %H:%M:%S")


def column_number(reference):
    number = 0
    for letter in re.match(r"[A-Z]{1,3}", reference).group():
        number = number * 26 + ord(letter) - 64
    return number - 1


def find_header(rows):
    """The first row that has as many cells as most rows have, or nearly."""
    widths = sorted(sum(1 for cell in row if cell) for row in rows if any(row))
    usual = widths[len(widths) // 2]
    for number, row in enumerate(rows):
        filled = [cell for cell in row if cell]
        if len(filled) >= max(1, usual * 0.8) and not all(is_number(cell) for cell in filled):
            return number
    return next(number for number, row in enumerate(rows) if any(row))


def is_number(text):
    return re.fullmatch(r"[+-]?\d[\d.,']*", text) is not None


def as_numbers(values):
    """All values as plain numbers, or None when one is none or the form is not clear."""
    stripped = [re.sub(r"[\s\u00a0\u202f']|^[€$£]|[€$£]$", "", value) for value in values]
    if any(re.fullmatch(r"0\d+", value) for value in stripped):
        return None  # codes such as 00123
    plain = r"[+-]?\d+(\.\d+)?"
    points = r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?"
    commas = r"[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?"
    if all(re.fullmatch(plain + "|" + points, value) for value in stripped):
        ambiguous = all(re.fullmatch(r"[+-]?\d{1,3},\d{3}|[+-]?\d+", value) for value in stripped) and any("," in v for v in stripped)
        return None if ambiguous else [value.replace(",", "") for value in stripped]
    if all(re.fullmatch(commas, value) for value in stripped):
        return [value.replace(".", "").replace(",", ".") for value in stripped]
    return None


def as_dates(values):
    """All values as ISO dates, or None; the second is the reason when days and months cannot be told apart."""
    forms = [(r"\d{4}-\d{1,2}-\d{1,2}", "%Y-%m-%d"), (r"\d{4}/\d{1,2}/\d{1,2}", "%Y/%m/%d"), (r"\d{1,2}\.\d{1,2}\.\d{4}", "%d.%m.%Y")]
    for pattern, form in forms:
        if all(re.fullmatch(pattern, value) for value in values):
            return parsed(values, form), None
    if all(re.fullmatch(r"\d{1,2}[/-]\d{1,2}[/-]\d{4}", value) for value in values):
        values = [value.replace("-", "/") for value in values]
        firsts = [int(value.split("/")[0]) for value in values]
        seconds = [int(value.split("/")[1]) for value in values]
        if max(firsts) > 12 >= max(seconds):
            return parsed(values, "%d/%m/%Y"), None
        if max(seconds) > 12 >= max(firsts):
            return parsed(values, "%m/%d/%Y"), None
        return None, "days or months may come first"
    return None, None


def parsed(values, form):
    try:
        return [datetime.datetime.strptime(value, form).strftime("%Y-%m-%d") for value in values]
    except ValueError:
        return None


def unique(names):
    taken, result = set(), []
    for number, name in enumerate(names, 1):
        name = name or f"column {number}"
        candidate, n = name, 2
        while candidate.casefold() in taken:
            candidate, n = f"{name} {n}", n + 1
        taken.add(candidate.casefold())
        result.append(candidate)
    return result


def clean(rows, header, keep_duplicates, say):
    width = max((len(row) for row in rows), default=0)
    rows = [[" ".join(cell.replace("\u00a0", " ").split()) for cell in row] + [""] * (width - len(row)) for row in rows]
    if not any(any(row) for row in rows):
        sys.exit("the table is empty")
    start = header - 1 if header else find_header(rows)
    if not 0 <= start < len(rows):
        sys.exit("there is no row " + str(header))
    above = sum(1 for row in rows[:start] if any(row))
    if above:
        say(f"removed {above} rows above the header in row {start + 1}")
    names, body = rows[start], rows[start + 1:]
    filled = [row for row in body if any(row)]
    if len(filled) < len(body):
        say(f"removed {len(body) - len(filled)} empty rows")
    kept = [c for c in range(width) if names[c] or any(row[c] for row in filled)]
    if len(kept) < width:
        say(f"removed {width - len(kept)} empty columns")
    given = [names[c] for c in kept]
    names = unique(given)
    for old, new in zip(given, names):
        if old != new:
            say(f"named the column {old!r} {new!r}")
    body = [[row[c] for c in kept] for row in filled]
    if not keep_duplicates:
        seen = set()
        single = [row for row in body if not (tuple(row) in seen or seen.add(tuple(row)))]
        if len(single) < len(body):
            say(f"removed {len(body) - len(single)} rows that appear twice")
        body = single
    numeric = set()
    for c, name in enumerate(names):
        values = [row[c] for row in body if row[c]]
        if not values:
            continue
        changed = as_numbers(values)
        if changed is not None:
            numeric.add(c)
            kind = "numbers"
        else:
            changed, problem = as_dates(values)
            kind = "dates"
            if problem:
                say(f"left the dates in {name!r} as they are: {problem}")
        if changed is None:
            if any(is_number(value) for value in values):
                say(f"left {name!r} as text: not every value is a number of one clear form")
            continue
        different = sum(1 for old, new in zip(values, changed) if old != new)
        if different:
            say(f"wrote {different} {kind} in {name!r} in one form")
        following = iter(changed)
        for row in body:
            if row[c]:
                row[c] = next(following)
    return names, body, numeric


def letters(number):
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def write_xlsx(path, names, body, numeric):
    def cell(row, column, value, is_numeric):
        place = f"{letters(column)}{row}"
        if value == "":
            return ""
        if is_numeric:
            return f'<c r="{place}"><v>{value.lstrip("+")}</v></c>'
        clean_value = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", value)
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(clean_value)}</t></is></c>'

    lines = ['<row r="1">' + "".join(cell(1, c, name, False) for c, name in enumerate(names)) + "</row>"]
    for number, row in enumerate(body, 2):
        lines.append(f'<row r="{number}">' + "".join(cell(number, c, value, c in numeric) for c, value in enumerate(row)) + "</row>")
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    main = MAIN.strip("{}")
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                               f'<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}sheet.main+xml"/>'
                               f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Table" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in parts.items():
            out.writestr(name, head + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("--sheet")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--header", type=int)
    parser.add_argument("--keep-duplicates", action="store_true")
    parser.add_argument("--out", default="assets/clean.csv")
    options = parser.parse_args()
    if zipfile.is_zipfile(options.table):
        book = Workbook(options.table)
        if options.list:
            print("\n".join(book.sheets))
            return
        sheet = options.sheet or next(iter(book.sheets))
        if sheet not in book.sheets:
            sys.exit(f"there is no sheet {sheet}; the sheets are {', '.join(book.sheets)}")
        rows = book.rows(sheet)
        if len(book.sheets) > 1:
            print(f"read the sheet {sheet!r} of {len(book.sheets)}")
    else:
        rows = read_text(options.table)
    names, body, numeric = clean(rows, options.header, options.keep_duplicates, print)
    folder = os.path.dirname(options.out)
    if folder:
        os.makedirs(folder, exist_ok=True)
    if options.out.lower().endswith(".xlsx"):
        write_xlsx(options.out, names, body, numeric)
    else:
        with open(options.out, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([names] + body)
    print(f"{options.out}: {len(body)} rows, {len(names)} columns")


if __name__ == "__main__":
    try:
        main()
    except (OSError, KeyError, ValueError, AttributeError, ElementTree.ParseError, zipfile.BadZipFile) as problem:
        sys.exit(f"the table cannot be read: {problem}")
