import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'

const api = `${process.env.OMNIFORGE_URL}/ai-sdk/chat`
const headers = { Authorization: `Bearer ${process.env.OMNIFORGE_TOKEN}` }
const chat = new Chat({ id: 'my-chat', transport: new DefaultChatTransport({ api, headers }) })

for (const text of process.argv.slice(2)) {
  await chat.sendMessage({ text })
  console.log(chat.lastMessage.parts.filter(part => part.type === 'text').map(part => part.text).join(''))
}
