// The client of @a2a-js/sdk: node a2a.mjs BASE KEY
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { obey, report } from './talk.mjs';

const [base, key] = process.argv.slice(2);
const fetchImpl = (url, init) =>
  fetch(url, { ...init, headers: { ...init?.headers, Authorization: 'Bearer ' + key } });
const factory = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }),
);
let client = await factory.createFromUrl(base);

const message = ({ id, text, contextId, taskId, parts }) => ({
  message: {
    messageId: id ?? crypto.randomUUID(),
    role: 1,
    contextId: contextId ?? '',
    taskId: taskId ?? '',
    parts: parts ?? [{ content: { $case: 'text', value: text }, filename: '', mediaType: '' }],
    extensions: [],
    referenceTaskIds: [],
  },
  tenant: '',
});

async function attempt(call) {
  try {
    report({ result: await call() });
  } catch (error) {
    report({ refused: { name: error.name, message: error.message } });
  }
}

async function read(stream) {
  try {
    for await (const event of stream) report({ event });
    report({ ended: true });
  } catch (error) {
    report({ refused: { name: error.name, message: error.message } });
  }
}

obey({
  card: () => attempt(() => client.getAgentCard()),
  use: ({ path }) =>
    attempt(async () => {
      client = await factory.createFromUrl(base + path + '/.well-known/agent-card.json', '');
      return true;
    }),
  send: (order) => attempt(() => client.sendMessage(message(order))),
  sendRaw: ({ text, name, content }) =>
    attempt(() =>
      client.sendMessage(
        message({
          parts: [
            { content: { $case: 'text', value: text }, filename: '', mediaType: '' },
            {
              content: { $case: 'raw', value: Buffer.from(content) },
              filename: name,
              mediaType: 'text/plain',
            },
          ],
        }),
      ),
    ),
  stream: (order) => read(client.sendMessageStream(message(order))),
  follow: ({ id }) => read(client.resubscribeTask({ id, tenant: '' })),
  get: ({ id }) => attempt(() => client.getTask({ id, tenant: '' })),
  cancel: ({ id }) => attempt(() => client.cancelTask({ id, tenant: '' })),
});
