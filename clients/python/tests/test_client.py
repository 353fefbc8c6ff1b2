"""The client against a real server. ClientSuitesTest of the server starts one, and answers the messages."""

import ast
import hashlib
import os
import pathlib
import tempfile
import threading
import unittest
import urllib.request

import satchel
from cutting_proxy import CuttingProxy

URL = os.environ["SATCHEL_URL"]
KEY = os.environ["SATCHEL_KEY"]
GO = os.environ["SATCHEL_TEST_GO"]


def go():
    """Lets the agent go on."""
    urllib.request.urlopen(urllib.request.Request(GO, method="POST")).close()


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.client = satchel.Satchel(URL, KEY)
        self.proxy = CuttingProxy(URL)
        self.addCleanup(self.proxy.close)
        self.far = satchel.Satchel(self.proxy.url, KEY)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def large(self):
        return self.file("large.bin", bytes(range(256)) * (12 << 12))  # 12 MiB

    # --- events

    def test_events_come_in_order_and_the_result_is_the_answer(self):
        with self.client.chats.send("hello") as run:
            events = list(run)
        self.assertEqual([event["type"] for event in events], ["chat", "step", "step", "delta", "delta", "result", "end"])
        self.assertEqual(run.result().message, "Hello")
        thread = self.client.chats.read(run.chat_id)
        self.assertEqual([message["role"] for message in thread["messages"]], ["user", "assistant"])

    def test_a_cut_connection_goes_on_without_repetition(self):
        texts = []
        with self.far.chats.send("pieces") as run:
            for event in run:
                if event["type"] == "delta":
                    texts.append(event["text"])
                    if texts == ["one"]:
                        self.proxy.cut()
                        go()
        self.assertEqual(texts, ["one", " two"])
        self.assertEqual(run.result().message, "one two")

    def test_another_process_goes_on_at_a_position(self):
        with self.client.chats.send("pieces") as run:
            for event in run:
                if event["type"] == "delta":
                    break
        go()
        with self.client.runs.events(after=run.position) as rest:
            texts = [event["text"] for event in rest if event["type"] == "delta"]
        self.assertEqual(texts, [" two"])

    def test_a_running_answer_is_followed_from_its_beginning(self):
        with self.client.chats.send("pieces") as run:
            next(run)
            with self.client.chats.follow(run.chat_id) as other:
                go()
                self.assertEqual(other.result().message, "one two")
        self.assertIsNone(self.client.chats.follow(run.chat_id))

    def test_another_thread_ends_the_reading(self):
        with self.client.chats.send("wait") as run:
            closer = threading.Thread(target=run.close)
            for event in run:
                if event["type"] == "delta":
                    closer.start()
            closer.join()
        self.assertEqual(self.client.runs.read(run.run_id)["status"], "running")
        self.assertTrue(run.cancel())

    # --- asks

    def test_asks_are_answered_and_the_run_goes_on(self):
        with self.client.chats.send("ask") as run:
            waiting = run.result()
            self.assertEqual(waiting.status, "waiting")
            self.assertEqual([ask["kind"] for ask in waiting.asks], ["approval", "question"])
            listed = [ask["askId"] for ask in self.client.asks()["asks"] if ask["runId"] == run.run_id]
            self.assertCountEqual(listed, [ask["id"] for ask in waiting.asks])
            call, question = waiting.asks
            self.assertEqual(run.answer(satchel.deny(call["id"], "too risky"))["status"], "waiting")
            run.answer(satchel.allow(question["id"], "2026"))
            self.assertEqual(run.result().message, "deny too risky, allow 2026")

    # --- files

    def test_files_are_uploaded_and_downloaded(self):
        chat = self.client.chats.create("Files")["id"]
        progress = []
        paths = [self.file("a ü.txt", b"first"), self.file('b".txt', b"")]
        added = self.client.files.upload(chat, paths, progress=lambda sent, total: progress.append((sent, total)))
        self.assertEqual(progress[-1], (5, 5))
        self.assertEqual(self.client.files.download(chat, added[0]["id"]), b"first")
        self.client.files.download_all(chat, self.folder / "all.zip")
        self.assertEqual((self.folder / "all.zip").read_bytes()[:2], b"PK")
        self.client.files.delete(chat, added[0]["id"])
        self.assertEqual([file["id"] for file in self.client.files.list(chat)], [added[1]["id"]])

    def test_a_folder_keeps_its_paths(self):
        self.file("data/top.txt", b"1")
        self.file("data/deep/er/low.txt", b"2")
        self.file("data/deep/other.txt", b"3")
        chat = self.client.chats.create()["id"]
        self.client.files.upload_folder(chat, self.folder / "data")
        names = sorted(file["path"] for file in self.client.files.list(chat))
        self.assertEqual(names, ["data/deep/er/low.txt", "data/deep/other.txt", "data/top.txt"])

    def test_a_large_upload_goes_on_after_a_lost_connection(self):
        path = self.large()
        chat = self.client.chats.create()["id"]
        self.proxy.cut_after(5 << 20, "sent")
        (added,) = self.far.files.upload(chat, path)
        self.assertEqual(self.proxy.cuts, 1)
        self.assertEqual(added["sha256"], hashlib.sha256(path.read_bytes()).hexdigest())

    def test_a_download_goes_on_after_a_lost_connection(self):
        path = self.large()
        chat = self.client.chats.create()["id"]
        (added,) = self.client.files.upload(chat, path)
        self.proxy.cut_after(5 << 20, "received")
        self.far.files.download(chat, added["id"], self.folder / "copy" / "large.bin")
        self.assertEqual(self.proxy.cuts, 1)
        self.assertEqual((self.folder / "copy" / "large.bin").read_bytes(), path.read_bytes())

    def test_a_message_has_files_and_its_answer_too(self):
        chat = self.client.chats.create()["id"]
        (added,) = self.client.files.upload(chat, self.file("in.txt", b"in"))
        with self.client.chats.send("make", chat=chat, files=[added["id"]]) as run:
            (made,) = run.result().files
        self.assertEqual(made["name"], "report.csv")
        self.assertEqual(self.client.files.download(chat, made["id"]), b"a,b\n1,2\n")

    # --- refusals

    def test_refusals_are_types(self):
        with self.assertRaises(satchel.NotFound) as unknown:
            self.client.chats.read("00000000-0000-4000-8000-000000000000")
        self.assertEqual(unknown.exception.code, "not_found")
        with self.assertRaises(satchel.Unauthorized):
            satchel.Satchel(URL, "sk_satchel_of_nobody").chats.list()
        with self.assertRaises(satchel.BadRequest):
            self.client.chats.create("x" * 1000)
        with self.assertRaises(satchel.TooLarge):
            self.client.files.upload(self.client.chats.create()["id"], self.file("huge", b"0" * (33 << 20)))

    def test_a_busy_chat_refuses_or_queues(self):
        with self.client.chats.send("wait") as run:
            next(run)
            with self.assertRaises(satchel.Conflict):
                self.client.chats.send("hello", chat=run.chat_id)
            queued = self.client.chats.send("hello", chat=run.chat_id, when_busy="queue")
            self.assertEqual(queued["position"], 1)
            run.cancel()

    def test_a_run_without_an_answer_raises_its_reason(self):
        with self.client.chats.send("fail") as run:
            with self.assertRaises(satchel.RunFailed) as failed:
                run.result()
        self.assertEqual(failed.exception.code, "sandbox_failed")

    def test_a_cancelled_run_says_so(self):
        with self.client.chats.send("wait") as run:
            for event in run:
                if event["type"] == "delta":
                    self.assertTrue(run.cancel())
            with self.assertRaises(satchel.RunFailed):
                run.result()
        self.assertEqual(self.client.runs.read(run.run_id)["status"], "cancelled")

    def test_the_sources_are_those_of_python_3_9(self):
        for source in pathlib.Path(satchel.__file__).parent.glob("*.py"):
            ast.parse(source.read_text(), feature_version=(3, 9))

    def test_a_server_that_is_not_there_is_a_lost_connection(self):
        away = CuttingProxy(URL)
        away.close()
        with self.assertRaises(satchel.ConnectionLost):
            satchel.Satchel(away.url, KEY).chats.list()


if __name__ == "__main__":
    unittest.main()
