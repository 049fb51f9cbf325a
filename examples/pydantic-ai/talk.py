import os
import sys

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

url, token = f"{os.environ['OMNIFORGE_URL']}/openai/v1", os.environ["OMNIFORGE_TOKEN"]
agent = Agent(OpenAIChatModel("omniforge", provider=OpenAIProvider(base_url=url, api_key=token)))
messages: list[ModelMessage] = []

for text in sys.argv[1:]:
    result = agent.run_sync(text, message_history=messages)
    messages = result.all_messages()
    print(result.output)
