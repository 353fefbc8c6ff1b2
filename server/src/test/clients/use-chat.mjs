// useChat of @ai-sdk/react in a page of its own: node use-chat.mjs VERSION BASE KEY CHAT [resume]
import { JSDOM } from 'jsdom';
import { obey, report } from './talk.mjs';

const [version, base, key, id, resume] = process.argv.slice(2);
const page = new JSDOM('<!doctype html><div id="root"></div>', { url: base });
globalThis.window = page.window;
globalThis.document = page.window.document;
Object.defineProperty(globalThis, 'navigator', { value: page.window.navigator });

const { createElement, useEffect, useState } = await import('react');
const { createRoot } = await import('react-dom/client');
const { useChat } = await import('@ai-sdk/react-' + version);
const { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } = await import(
  'ai-' + version
);

const api = base + '/api/ai-sdk/chat';
const headers = { Authorization: 'Bearer ' + key };
const transport = new DefaultChatTransport({ api, headers });
const before = await (await fetch(`${api}/${id}/messages`, { headers })).json();
let chat;
let show;

function Page() {
  const [shows, setShows] = useState(0);
  show = () => setShows((before) => before + 1); // a render of its own, which reads what is newest
  chat = useChat({
    id,
    transport,
    messages: before,
    resume: resume === 'resume',
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => report({ failed: error.message }),
    onFinish: ({ isAbort, isDisconnect, isError }) =>
      report({ finished: true, isAbort, isDisconnect, isError }),
    onData: (part) => report({ data: part }),
  });
  useEffect(() => report({ status: chat.status, messages: chat.messages }));
  useEffect(() => {
    if (shows > 0) report({ shown: chat.status, messages: chat.messages });
  }, [shows]);
  return null;
}

createRoot(document.getElementById('root')).render(createElement(Page));
obey({
  send: ({ text, files, body, messageId }) => chat.sendMessage({ text, files, messageId }, { body }),
  regenerate: () => chat.regenerate(),
  resume: () => chat.resumeStream(),
  decide: ({ id, approved, reason }) => chat.addToolApprovalResponse({ id, approved, reason }),
  leave: () => chat.stop(), // as a page that is closed: the connection ends, the run goes on
  stop: () => fetch(`${api}/${id}/stop`, { method: 'POST', headers }),
  show: () => show(),
});
