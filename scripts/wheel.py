"""Builds the wheel of the client for Python without pip: wheel.py PROJECT LICENCE FOLDER."""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

project, licence, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
text = (project / "pyproject.toml").read_text()


def field(name):
    return re.search(r'^%s = "(.*)"$' % re.escape(name), text, re.M).group(1)


distribution = "%s-%s" % (field("name").replace("-", "_"), field("version"))
info = distribution + ".dist-info"
metadata = """Metadata-Version: 2.1
Name: %s
Version: %s
Summary: %s
License: Apache-2.0
Requires-Python: %s
Description-Content-Type: text/markdown

%s""" % (
    field("name"),
    field("version"),
    field("description"),
    field("requires-python"),
    (project / "README.md").read_text(),
)
wheel = "Wheel-Version: 1.0\nGenerator: satchel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"

sources = project / "src"
files = {
    path.relative_to(sources).as_posix(): path.read_bytes()
    for path in sorted(sources.rglob("*"))
    if path.is_file() and "__pycache__" not in path.parts and ".egg-info" not in str(path)
}
files[info + "/LICENSE"] = licence.read_bytes()
files[info + "/METADATA"] = metadata.encode()
files[info + "/WHEEL"] = wheel.encode()
record = ""
for name, content in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record += "%s,sha256=%s,%d\n" % (name, digest, len(content))
files[info + "/RECORD"] = (record + "%s/RECORD,,\n" % info).encode()

with zipfile.ZipFile(folder / (distribution + "-py3-none-any.whl"), "w", zipfile.ZIP_DEFLATED) as archive:
    for name, content in files.items():
        entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, content)
