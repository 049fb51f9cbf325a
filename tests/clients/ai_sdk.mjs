// Drives the official client of the AI SDK by commands on stdin, one JSON object a line; each is answered on stdout.
//
// A command names a chat. `open` makes the client's Chat object for it; all others call one of its methods, wait until the client is
// idle, and answer with what a page would show then.

import { createInterface } from 'node:readline'
import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'

const chats = new Map()

class Page {
  constructor({ url, token, id, messages, headers = {} }) {
    this.requests = 0
    this.cut = 0
    this.lost = 0
    this.data = []
    this.chunks = []
    this.authorization = { Authorization: `Bearer ${token}` }
    this.url = `${url}/ai-sdk/chat`
    this.chat = new Chat({
      id,
      messages,
      transport: new DefaultChatTransport({
        api: this.url,
        headers: { ...this.authorization, ...headers },
        fetch: (...request) => this.fetch(...request),
      }),
      onData: part => this.data.push(part),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    })
  }

  async fetch(...request) {
    this.requests += 1
    if (this.lost > 0) {
      this.lost -= 1
      throw new TypeError('fetch failed')
    }
    const response = await fetch(...request)
    const cut = this.cut
    this.cut = 0
    if (!response.ok || response.body == null) return response
    return new Response(response.body.pipeThrough(this.counted(cut)), response)
  }

  // Counts the events of a stream, and breaks the connection after so many; 0: never.
  counted(cut) {
    let events = 0
    return new TransformStream({
      transform: (bytes, controller) => {
        for (const line of new TextDecoder().decode(bytes).split('\n\n')) {
          if (line === '' || line.startsWith(':')) continue
          events += 1
          controller.enqueue(new TextEncoder().encode(`${line}\n\n`))
          if (line.startsWith('data: {')) this.chunks.push(JSON.parse(line.slice(6)).type)
          if (events === cut) return controller.error(new TypeError('network error'))
        }
      },
    })
  }

  async idle() {
    do await new Promise(resolve => setTimeout(resolve, 20))
    while (this.chat.status === 'submitted' || this.chat.status === 'streaming')
    return this.shown()
  }

  shown() {
    const { messages, status, error } = this.chat
    const { requests, data, chunks } = this
    return { messages, status, error: error?.message ?? null, code: error?.statusCode ?? null, requests, data, chunks }
  }

  // `cut`: after how many events the connection breaks; `lost`: how many requests never arrive.
  async send({ text, messageId, body, headers, cut = 0, lost = 0, message }) {
    this.cut = cut
    this.lost = lost
    await this.chat.sendMessage(message ?? { text, messageId }, { body, headers })
  }

  // Sends the messages again, as they are.
  async resubmit() {
    await this.chat.sendMessage()
  }

  async regenerate({ messageId }) {
    await this.chat.regenerate({ messageId })
  }

  async approve({ approved, cut = 0 }) {
    this.cut = cut
    const asked = this.chat.messages.flatMap(each => each.parts).findLast(part => part.state === 'approval-requested')
    await this.chat.addToolApprovalResponse({ id: asked.approval.id, approved })
  }

  async resume({ cut = 0 }) {
    this.cut = cut
    await this.chat.resumeStream()
  }

  // The page's own stop only hangs up; the answer itself is stopped by a request.
  async stop() {
    await fetch(`${this.url}/${encodeURIComponent(this.chat.id)}/stop`, { method: 'POST', headers: this.authorization })
  }

  // Begins to send and returns when a text is shown, while the answer goes on.
  async begin({ text }) {
    this.chat.sendMessage({ text })
    while (!this.chat.lastMessage?.parts.some(part => part.type === 'text' && this.chat.lastMessage.role === 'assistant'))
      await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function carriedOut({ chat, call, ...options }) {
  if (call === 'open') {
    const stored = options.messages === 'stored' ? await history(options) : options.messages
    chats.set(chat, new Page({ ...options, messages: stored }))
    return chats.get(chat).shown()
  }
  const page = chats.get(chat)
  if (call === 'shown') return page.shown()
  if (call !== 'idle') await page[call](options)
  return call === 'begin' || call === 'stop' ? page.shown() : page.idle()
}

async function history({ url, token, id }) {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`${url}/ai-sdk/chat/${encodeURIComponent(id)}/messages`, { headers })).json()
}

for await (const line of createInterface({ input: process.stdin })) {
  const { number, ...command } = JSON.parse(line)
  carriedOut(command)
    .then(answer => ({ number, answer }))
    .catch(error => ({ number, failed: `${error.stack}` }))
    .then(written => process.stdout.write(`${JSON.stringify(written)}\n`))
}
