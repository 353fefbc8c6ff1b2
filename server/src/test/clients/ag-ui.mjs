// HttpAgent of @ag-ui/client: node ag-ui.mjs BASE KEY THREAD
import {
  buildResumeArray,
  HttpAgent,
  runHttpRequest,
  transformHttpEventStream,
} from '@ag-ui/client';
import { obey, report } from './talk.mjs';

const [base, key, threadId] = process.argv.slice(2);
const url = base + '/api/ag-ui';

class Agent extends HttpAgent {
  connect(input) {
    return transformHttpEventStream(
      runHttpRequest(() => this.fetch(url + '/connect', this.requestInit(input))),
    );
  }
}

const agent = new Agent({ url, threadId, headers: { Authorization: 'Bearer ' + key } });
const watch = {
  onEvent: ({ event }) => report({ event }),
  onMessagesChanged: ({ messages }) => report({ messages }),
  onRunFailed: ({ error }) => report({ failed: error.message }),
};

async function follow(running) {
  await running.catch((error) => report({ threw: String(error) }));
  report({ settled: true, messages: agent.messages });
}

obey({
  run: ({ id, content, forwardedProps }) => {
    agent.addMessage({ id, role: 'user', content });
    return follow(agent.runAgent({ forwardedProps }, watch));
  },
  again: ({ id, content }) => {
    const kept = agent.messages.slice(0, agent.messages.findIndex((it) => it.id === id));
    agent.setMessages([...kept, { id, role: 'user', content }]);
    return follow(agent.runAgent({}, watch));
  },
  resume: ({ responses }) =>
    follow(agent.runAgent({ resume: buildResumeArray(agent.pendingInterrupts, responses) }, watch)),
  connect: () => follow(agent.connectAgent({}, watch)),
  abort: () => agent.abortRun(),
});
