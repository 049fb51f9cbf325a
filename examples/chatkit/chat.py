import os
import sys

import httpx
from chatkit.types import AssistantMessageItem, ThreadItemDoneEvent, ThreadStreamEvent
from pydantic import TypeAdapter

headers = {"Authorization": f"Bearer {os.environ['OMNIFORGE_TOKEN']}"}
for text in sys.argv[1:]:
    said = {"content": [{"type": "input_text", "text": text}], "attachments": [], "inference_options": {}}
    body = {"type": "threads.create", "params": {"input": said}}
    answer = httpx.post(f"{os.environ['OMNIFORGE_URL']}/chatkit", headers=headers, json=body, timeout=60)
    for line in answer.text.split("data: ")[1:]:
        event = TypeAdapter[ThreadStreamEvent](ThreadStreamEvent).validate_json(line.strip())
        if isinstance(event, ThreadItemDoneEvent) and isinstance(event.item, AssistantMessageItem):
            print(event.item.content[0].text)
