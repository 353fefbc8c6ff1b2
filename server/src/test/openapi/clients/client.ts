// Uses the generated TypeScript client. Arguments: the address of a server and an API key.
import { AgentsApi, Configuration, ConversationsApi, FilesApi, ResponseError, SessionsApi } from "./generated/index.js";

declare const process: { argv: string[] };

const [basePath, key] = process.argv.slice(2);
const configuration = new Configuration({ basePath, accessToken: key });
const conversations = new ConversationsApi(configuration);
const files = new FilesApi(configuration);

const chat = await conversations.createChat({ createChatRequest: { title: "TypeScript" } });
const added = await files.uploadFiles({ id: chat.id, file: [new File(["hello"], "hello.txt")] });
const content = await files.downloadFile({ id: chat.id, fileId: added.files[0].id });
const events = await conversations.sendMessage({ turnRequest: { chatId: chat.id, message: "go" } });
const read = await conversations.getChat({ id: chat.id });
const session = await new SessionsApi(configuration).getSession({ id: chat.id });
const agents = await new AgentsApi(configuration).listAgents();
const problem = await conversations
  .getChat({ id: "00000000-0000-0000-0000-000000000000" })
  .catch((error: ResponseError) => error.response.json());

console.log(
  JSON.stringify({
    title: read.title,
    file: added.files[0].name,
    content: await content.text(),
    streamed: (await events.text()).includes('"type":"end"'),
    blocks: read.messages.map((message) => message.content.map((block) => block.type)),
    session: session.session.status,
    agents: agents.agents.length,
    problem: problem.code,
  }),
);
