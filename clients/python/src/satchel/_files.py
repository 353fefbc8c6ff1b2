"""Uploads and downloads, none of them whole in memory."""

import base64
import os
import uuid

from ._http import Backoff, quoted, repeat
from .errors import ApiError, ConnectionLost

RESUMABLE_BYTES = 8 << 20  # from this size on an upload can be continued
FORM_FILES = 100
CLAIMED_FILES = 100  # the most that the server takes in one request
BLOCK = 1 << 16
_TUS = {"Tus-Resumable": "1.0.0"}


class Files:
    """The files of chats."""

    def __init__(self, http):
        self._http = http

    def list(self, chat):
        return self._http.get(_path(chat))["files"]

    def upload(self, chat, paths, folder="", progress=None):
        """Adds files of the disk; large ones by uploads that go on after a lost connection. `progress(sent, total)`."""
        given = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
        return self._put(chat, [(path, folder) for path in given], progress)

    def upload_folder(self, chat, folder, progress=None):
        """Adds all files below a folder, which keep their paths. Links are not followed."""
        root = os.path.abspath(os.fspath(folder))
        name = os.path.basename(root)
        found = []
        for directory, folders, files in os.walk(root):
            folders.sort()
            below = os.path.relpath(directory, root)
            target = name if below == "." else "/".join([name] + below.split(os.sep))
            paths = (os.path.join(directory, file) for file in sorted(files))
            found += [(path, target) for path in paths if os.path.isfile(path) and not os.path.islink(path)]
        return self._put(chat, found, progress)

    def download(self, chat, file, target=None, progress=None):
        """The bytes of a file. With a target they are saved under that path, and None is returned."""
        return self._get(_path(chat) + "/" + quoted(file), target, progress)

    def download_all(self, chat, target, progress=None):
        """Saves everything as one zip archive."""
        self._get("/api/assistant/chats/%s/files.zip" % quoted(chat), target, progress)

    def delete(self, chat, file):
        self._http.write("DELETE", _path(chat) + "/" + quoted(file))

    def _put(self, chat, files, progress):
        sent = _Progress(progress, sum(os.path.getsize(path) for path, _ in files))
        added, claims, forms = [], [], {}
        for path, folder in files:
            if os.path.getsize(path) >= RESUMABLE_BYTES:
                claims.append(self._resumable(path, folder, sent))
            else:
                forms.setdefault(folder, []).append(path)
        for folder, paths in forms.items():
            for some in _groups(paths):
                added += self._form(chat, some, folder, sent)
        for at in range(0, len(claims), CLAIMED_FILES):
            ids = {"fileIds": claims[at : at + CLAIMED_FILES]}
            added += self._http.write("POST", _path(chat) + "/claim", ids)["files"]
        return added

    def _form(self, chat, paths, folder, progress):
        path = _path(chat) + ("?folder=" + quoted(folder) if folder else "")
        key = str(uuid.uuid4())

        def attempt():
            form = _Form(paths)
            headers = {
                "Idempotency-Key": key,
                "Content-Type": form.content_type,
                "Content-Length": str(form.length),
            }
            with self._http.send("POST", path, headers, form.blocks()) as answer:
                return answer.json()["files"]

        added = repeat(attempt)
        progress.add(sum(os.path.getsize(path) for path in paths))
        return added

    def _resumable(self, path, folder, progress):
        """Returns the id of the upload."""
        size = os.path.getsize(path)
        values = {"filename": os.path.basename(path), "folder": folder}
        encoded = [n + " " + base64.b64encode(v.encode()).decode() for n, v in values.items() if v]
        headers = dict(_TUS)
        headers["Upload-Length"] = str(size)
        headers["Upload-Metadata"] = ",".join(encoded)
        headers["Idempotency-Key"] = str(uuid.uuid4())

        def create():
            with self._http.send("POST", "/api/uploads", headers) as answer:
                return self._http.relative(answer.headers["Location"])

        upload = repeat(create)
        backoff = Backoff()
        backoff.succeeded()
        offset, lost = 0, False
        while offset < size:
            try:
                before = offset
                if lost:
                    offset = self._offset(upload)
                    progress.add(offset - before)
                offset = self._send_rest(upload, path, offset, size, progress)
            except (ConnectionLost, ApiError) as e:
                if isinstance(e, ApiError) and e.status != 409 and not e.temporary:
                    raise
                if offset > before:
                    backoff.succeeded()
                backoff.failed(e if isinstance(e, ConnectionLost) else ConnectionLost(str(e)))
                lost = True
        return upload.rpartition("/")[2]

    def _send_rest(self, upload, path, offset, size, progress):
        headers = dict(_TUS)
        headers["Upload-Offset"] = str(offset)
        headers["Content-Type"] = "application/offset+octet-stream"
        headers["Content-Length"] = str(size - offset)
        with open(path, "rb") as file:
            file.seek(offset)
            with self._http.send("PATCH", upload, headers, _blocks(file, size - offset)) as answer:
                stored = int(answer.headers["Upload-Offset"])
        progress.add(stored - offset)
        return stored

    def _offset(self, upload):
        with self._http.send("HEAD", upload, _TUS) as answer:
            return int(answer.headers["Upload-Offset"])

    def _get(self, path, target, progress):
        if target is None:
            return repeat(lambda: self._bytes(path))
        target = os.fspath(target)
        os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
        draft = target + ".part"
        try:
            with open(draft, "wb") as file:
                self._save(path, file, progress)
            os.replace(draft, target)  # the name holds the whole file, or what it held before
        finally:
            if os.path.exists(draft):
                os.remove(draft)
        return None

    def _bytes(self, path):
        with self._http.send("GET", path) as answer:
            return answer.read()

    def _save(self, path, file, progress):
        backoff, tag = Backoff(), None
        while True:
            at = file.tell()
            headers = {"Range": "bytes=%d-" % at, "If-Range": tag} if tag and at else {}
            try:
                with self._http.send("GET", path, headers) as answer:
                    if answer.status != 206:  # all of it, also when it has changed meanwhile
                        file.seek(0)
                        file.truncate()
                    tag = answer.headers.get("ETag")
                    self._copy(answer, file, progress)
                    return
            except (ConnectionLost, ApiError) as e:
                if tag is None and file.tell():
                    raise  # without a tag the rest could be that of another file
                backoff.failed(e)

    def _copy(self, answer, file, progress):
        length = answer.headers.get("Content-Length")
        total = file.tell() + int(length) if length else -1
        while True:
            block = answer.read(BLOCK)
            if not block:
                break
            file.write(block)
            if progress:
                progress(file.tell(), total)
        if total >= 0 and file.tell() < total:
            raise ConnectionLost("the file was cut short")


class _Form:
    """Files of the disk as one multipart/form-data body."""

    def __init__(self, paths):
        boundary = "satchel-" + uuid.uuid4().hex
        self.content_type = "multipart/form-data; boundary=" + boundary
        self._end = ("--%s--\r\n" % boundary).encode()
        self._parts = []
        for path in paths:
            name = os.path.basename(path).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            head = '--%s\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n' % (boundary, name)
            self._parts.append((head.encode(), path, os.path.getsize(path)))
        self.length = sum(len(head) + size + 2 for head, _, size in self._parts) + len(self._end)

    def blocks(self):
        for head, path, size in self._parts:
            yield head
            with open(path, "rb") as file:
                yield from _blocks(file, size)
            yield b"\r\n"
        yield self._end


class _Progress:
    def __init__(self, listener, total):
        self._listener = listener
        self._total = total
        self._sent = 0

    def add(self, count):
        self._sent += count
        if self._listener:
            self._listener(self._sent, self._total)


def _path(chat):
    return "/api/assistant/chats/%s/files" % quoted(chat)


def _blocks(file, size):
    """So many bytes, and no more if the file grows meanwhile."""
    while size > 0:
        block = file.read(min(BLOCK, size))
        if not block:
            raise ConnectionLost("%s became shorter while it was sent" % file.name)
        size -= len(block)
        yield block


def _groups(paths):
    """As many files for one form as are small together."""
    group, size = [], 0
    for path in paths:
        if group and (len(group) == FORM_FILES or size + os.path.getsize(path) > RESUMABLE_BYTES):
            yield group
            group, size = [], 0
        group.append(path)
        size += os.path.getsize(path)
    if group:
        yield group
