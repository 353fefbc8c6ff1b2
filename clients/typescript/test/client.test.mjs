// The client against a real server. ClientSuitesTest of the server starts one, and answers the messages.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import * as satchel from '../dist/index.js';
import { fileOf, filesOf, saveTo } from '../dist/node.js';
import { CuttingProxy } from './cutting-proxy.mjs';

const url = process.env.SATCHEL_URL;
const key = process.env.SATCHEL_KEY;
const client = new satchel.Satchel({ url, key });
let folder;
let proxy;
let far;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satchel-client-'));
});
after(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  proxy = await CuttingProxy.before(url);
  far = new satchel.Satchel({ url: proxy.url, key });
});
afterEach(() => proxy.close());

const go = () => fetch(process.env.SATCHEL_TEST_GO, { method: 'POST' });
const large = () => Buffer.alloc(12 << 20, Buffer.from(Array.from({ length: 251 }, (_, i) => i)));

async function file(name, content) {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function bytes(stream) {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

// --- events

test('events come in order and the result is the answer', async () => {
  const run = await client.chats.send('hello');
  const types = [];
  for await (const event of run) types.push(event.type);
  assert.deepEqual(types, ['chat', 'step', 'step', 'delta', 'delta', 'result', 'end']);
  assert.equal((await run.result()).message, 'Hello');
  const thread = await client.chats.read(run.chatId);
  assert.deepEqual(
    thread.messages.map((message) => message.role),
    ['user', 'assistant'],
  );
});

test('a cut connection goes on without repetition', async () => {
  const texts = [];
  const run = await far.chats.send('pieces');
  for await (const event of run) {
    if (event.type !== 'delta') continue;
    texts.push(event.text);
    if (texts.length === 1) {
      proxy.cut();
      await go();
    }
  }
  assert.deepEqual(texts, ['one', ' two']);
  assert.equal((await run.result()).message, 'one two');
});

test('another process goes on at a position', async () => {
  const run = await client.chats.send('pieces');
  for await (const event of run) if (event.type === 'delta') break;
  run.close();
  await go();
  const texts = [];
  for await (const event of await client.runs.eventsAfter(run.position)) {
    if (event.type === 'delta') texts.push(event.text);
  }
  assert.deepEqual(texts, [' two']);
});

test('a running answer is followed from its beginning', async () => {
  const run = await client.chats.send('pieces');
  for await (const event of run) if (event.type === 'chat') break;
  const other = await client.chats.follow(run.chatId);
  await go();
  assert.equal((await other.result()).message, 'one two');
  assert.equal(await client.chats.follow(run.chatId), undefined);
  run.close();
});

test('a signal ends the reading and not the run', async () => {
  const stop = new AbortController();
  const run = await client.chats.send('wait', { signal: stop.signal });
  await assert.rejects(
    async () => {
      for await (const event of run) if (event.type === 'delta') stop.abort();
    },
    { name: 'AbortError' },
  );
  assert.equal((await client.runs.read(run.runId)).status, 'running');
  assert.equal(await run.cancel(), true);
});

// --- asks

test('asks are answered and the run goes on', async () => {
  const run = await client.chats.send('ask');
  const waiting = await run.result();
  assert.equal(waiting.status, 'waiting');
  assert.deepEqual(
    waiting.asks.map((ask) => ask.kind),
    ['approval', 'question'],
  );
  const listed = (await client.asks()).asks.filter((ask) => ask.runId === run.runId);
  assert.equal(listed.length, 2);
  const [call, question] = waiting.asks;
  assert.equal((await run.answer(satchel.deny(call.id, 'too risky'))).status, 'waiting');
  await run.answer(satchel.allow(question.id, '2026'));
  assert.equal((await run.result()).message, 'deny too risky, allow 2026');
});

// --- files

test('files are uploaded and downloaded', async () => {
  const { id: chat } = await client.chats.create('Files');
  let progress;
  const files = [await fileOf(await file('a ü.txt', 'first')), { name: 'b".txt', content: new Blob([]) }];
  const onProgress = (done, total) => (progress = [done, total]);
  const [first, second] = await client.files.upload(chat, files, { onProgress });
  assert.deepEqual(progress, [5, 5]);
  assert.equal(String(await bytes(await client.files.download(chat, first.id))), 'first');
  const zip = await bytes(await client.files.downloadAll(chat));
  assert.equal(String(zip.subarray(0, 2)), 'PK');
  await client.files.delete(chat, first.id);
  assert.deepEqual(
    (await client.files.list(chat)).map(({ id }) => id),
    [second.id],
  );
});

test('a folder keeps its paths', async () => {
  await file('data/top.txt', '1');
  await file('data/deep/er/low.txt', '2');
  await file('data/deep/other.txt', '3');
  const { id: chat } = await client.chats.create();
  await client.files.upload(chat, await filesOf(join(folder, 'data')));
  const paths = (await client.files.list(chat)).map(({ path }) => path).sort();
  assert.deepEqual(paths, ['data/deep/er/low.txt', 'data/deep/other.txt', 'data/top.txt']);
});

test('a large upload goes on after a lost connection', async () => {
  const content = large();
  const { id: chat } = await client.chats.create();
  proxy.cutAfter(5 << 20, 'sent');
  const [added] = await far.files.upload(chat, [await fileOf(await file('large.bin', content))]);
  assert.equal(proxy.cuts, 1);
  assert.equal(added.sha256, createHash('sha256').update(content).digest('hex'));
});

test('a download goes on after a lost connection', async () => {
  const content = large();
  const { id: chat } = await client.chats.create();
  const [added] = await client.files.upload(chat, [{ name: 'large.bin', content: new Blob([content]) }]);
  proxy.cutAfter(5 << 20, 'received');
  const copy = join(folder, 'copy', 'large.bin');
  await saveTo(copy, await far.files.download(chat, added.id));
  assert.equal(proxy.cuts, 1);
  assert.ok((await readFile(copy)).equals(content));
});

test('a message has files and its answer too', async () => {
  const { id: chat } = await client.chats.create();
  const [added] = await client.files.upload(chat, [new File(['in'], 'in.txt')]);
  const run = await client.chats.send('make', { chat, files: [added.id] });
  const [made] = (await run.result()).files;
  assert.equal(made.name, 'report.csv');
  assert.equal(String(await bytes(await client.files.download(chat, made.id))), 'a,b\n1,2\n');
});

// --- refusals

test('refusals are types', async () => {
  await assert.rejects(client.chats.read('00000000-0000-4000-8000-000000000000'), (refused) => {
    assert.ok(refused instanceof satchel.NotFound);
    assert.equal(refused.code, 'not_found');
    return true;
  });
  const nobody = new satchel.Satchel({ url, key: 'sk_satchel_of_nobody' });
  await assert.rejects(nobody.chats.list(), satchel.Unauthorized);
  await assert.rejects(client.chats.create('x'.repeat(1000)), satchel.BadRequest);
  const { id: chat } = await client.chats.create();
  const huge = { name: 'huge', content: new Blob([new Uint8Array(33 << 20)]) };
  await assert.rejects(client.files.upload(chat, [huge]), satchel.TooLarge);
});

test('a busy chat refuses or queues', async () => {
  const run = await client.chats.send('wait');
  for await (const event of run) if (event.type === 'delta') break;
  await assert.rejects(client.chats.send('hello', { chat: run.chatId }), satchel.Conflict);
  const queued = await client.chats.sendOrQueue('hello', { chat: run.chatId });
  assert.equal(queued.position, 1);
  await run.cancel();
  run.close();
});

test('a run without an answer throws its reason', async () => {
  const run = await client.chats.send('fail');
  await assert.rejects(run.result(), { name: 'RunFailed', code: 'sandbox_failed' });
});

test('a cancelled run says so', async () => {
  const run = await client.chats.send('wait');
  for await (const event of run) if (event.type === 'delta') assert.equal(await run.cancel(), true);
  await assert.rejects(run.result(), { name: 'RunFailed' });
  assert.equal((await client.runs.read(run.runId)).status, 'cancelled');
});

test('a server that is not there is a lost connection', async () => {
  const away = await CuttingProxy.before(url);
  await away.close();
  await assert.rejects(new satchel.Satchel({ url: away.url, key }).chats.list(), satchel.ConnectionLost);
});
