"""Uses the generated Python client. Arguments: the address of a server and an API key."""

import json
import sys
import tempfile
from pathlib import Path

from satchel_client import (
    AgentsApi,
    ApiClient,
    ApiException,
    Configuration,
    ConversationsApi,
    CreateChatRequest,
    FilesApi,
    SessionsApi,
    TurnRequest,
)

address, key = sys.argv[1:]
client = ApiClient(Configuration(host=address, access_token=key))
conversations = ConversationsApi(client)
files = FilesApi(client)

chat = conversations.create_chat(CreateChatRequest(title="Python"))
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "hello.txt")
    path.write_text("hello")
    added = files.upload_files(chat.id, file=[str(path)])
content = files.download_file(chat.id, added.files[0].id)
events = conversations.send_message(TurnRequest(chat_id=chat.id, message="go"))
read = conversations.get_chat(chat.id)
session = SessionsApi(client).get_session(chat.id)
agents = AgentsApi(client).list_agents()
try:
    conversations.get_chat("00000000-0000-0000-0000-000000000000")
    problem = None
except ApiException as error:
    problem = json.loads(error.body)["code"]

print(
    json.dumps(
        {
            "title": read.title,
            "file": added.files[0].name,
            "content": bytes(content).decode(),
            "streamed": b'"type":"end"' in events,
            "blocks": [[block.actual_instance.type for block in message.content] for message in read.messages],
            "session": session.session.status,
            "agents": len(agents.agents),
            "problem": problem,
        }
    )
)
