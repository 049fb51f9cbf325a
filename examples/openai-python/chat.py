import os
import sys
from typing import Any

from openai import OpenAI

client = OpenAI(base_url=f"{os.environ['OMNIFORGE_URL']}/openai/v1", api_key=os.environ["OMNIFORGE_TOKEN"])
messages: list[Any] = []

for text in sys.argv[1:]:
    messages.append({"role": "user", "content": text})
    answer = client.chat.completions.create(model="omniforge", messages=messages).choices[0].message
    messages.append(answer)
    print(answer.content)
