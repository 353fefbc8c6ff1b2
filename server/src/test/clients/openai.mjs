// The openai package, as its users call it: node openai.mjs BASE KEY
import OpenAI, { toFile } from 'openai';
import { obey, report } from './talk.mjs';

const [base, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL: base + '/v1', apiKey, maxRetries: 0 });

/** Reports every event of a stream, and then its end. */
async function read(stream) {
  for await (const event of stream) report({ event });
  report({ ended: true });
}

async function attempt(call) {
  try {
    report({ result: await call() });
  } catch (error) {
    report({ refused: { status: error.status, code: error.code, type: error.type, message: error.message } });
  }
}

obey({
  models: () => attempt(async () => (await client.models.list()).data),
  model: ({ id }) => attempt(() => client.models.retrieve(id)),
  complete: ({ body, headers }) => attempt(() => client.chat.completions.create(body, { headers })),
  stream: async ({ body, headers }) => {
    try {
      await read(await client.chat.completions.create({ ...body, stream: true }, { headers }));
    } catch (error) {
      report({ refused: { status: error.status, code: error.code, message: error.message } });
    }
  },
  respond: ({ body }) => attempt(() => client.responses.create(body)),
  streamResponse: async ({ body }) => read(await client.responses.create({ ...body, stream: true })),
  followResponse: async ({ id, after }) =>
    read(await client.responses.retrieve(id, { stream: true, starting_after: after })),
  response: ({ id }) => attempt(() => client.responses.retrieve(id)),
  cancel: ({ id }) => attempt(() => client.responses.cancel(id)),
  upload: ({ name, content }) =>
    attempt(async () =>
      client.files.create({ file: await toFile(Buffer.from(content), name), purpose: 'user_data' }),
    ),
  file: ({ id }) => attempt(() => client.files.retrieve(id)),
  files: () => attempt(async () => (await client.files.list()).data),
  content: ({ id }) => attempt(async () => (await client.files.content(id)).text()),
  deleteFile: ({ id }) => attempt(() => client.files.delete(id)),
});
