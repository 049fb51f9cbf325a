import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'

export function Page({ url, token }) {
  const headers = { Authorization: `Bearer ${token}` }
  const transport = new DefaultChatTransport({ api: `${url}/ai-sdk/chat`, headers })
  const { messages, sendMessage } = useChat({ id: 'my-chat', transport })
  const send = form => sendMessage({ text: form.get('text') })
  const said = messages.flatMap(each => each.parts.filter(part => part.type === 'text'))
  return (
    <form action={send}>
      {said.map((part, place) => <p key={place}>{part.text}</p>)}
      <input name="text" />
    </form>
  )
}
