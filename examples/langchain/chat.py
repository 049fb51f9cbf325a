import os
import sys

from langchain_core.messages import BaseMessage, HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

url, token = f"{os.environ['OMNIFORGE_URL']}/openai/v1", SecretStr(os.environ["OMNIFORGE_TOKEN"])
model = ChatOpenAI(model="omniforge", base_url=url, api_key=token)
messages: list[BaseMessage] = []

for text in sys.argv[1:]:
    messages.append(HumanMessage(text))
    answer = model.invoke(messages)
    messages.append(answer)
    print(answer.text)
