// Drives AG-UI's official client by commands on stdin, one JSON object a line; each is answered on stdout.
//
// A command names a page. `open` makes the client's HttpAgent for it; all others run it, and answer with what a page would show then.

import { createInterface } from 'node:readline'
import { HttpAgent } from '@ag-ui/client'

// The client tells of each error on the console, too.
console.error = console.warn = () => {}
// When a connection breaks it cancels the stream that broke, and nobody takes the refusal; a browser only logs it.
process.on('unhandledRejection', () => {})

const pages = new Map()

class Page {
  constructor({ url, token, id, messages = [], headers = {} }) {
    this.cut = 0
    this.lost = 0
    this.events = []
    this.authorization = { Authorization: `Bearer ${token}` }
    this.url = `${url}/ag-ui`
    this.agent = new HttpAgent({
      url: this.url,
      threadId: id,
      initialMessages: messages,
      headers: { ...this.authorization, ...headers },
      fetch: (...request) => this.fetch(...request),
    })
    this.agent.subscribe({
      onEvent: ({ event }) => void this.events.push(event.type),
      onRunFinishedEvent: ({ event }) => void (this.outcome = event.outcome),
      onRunErrorEvent: ({ event }) => void (this.error = { message: event.message, code: event.code }),
    })
  }

  async fetch(...request) {
    if (this.lost > 0) {
      this.lost -= 1
      throw new TypeError('fetch failed')
    }
    const response = await fetch(...request)
    const cut = this.cut
    this.cut = 0
    return cut === 0 || !response.ok ? response : new Response(response.body.pipeThrough(cutting(cut)), response)
  }

  // A run, tried again with its own id as often as it fails.
  async run({ text, message, runId, resume, state, forwardedProps, cut = 0, lost = 0, tries = 1 }) {
    this.cut = cut
    this.lost = lost
    if (text !== undefined) this.agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
    if (message !== undefined) this.agent.addMessage(message)
    if (state !== undefined) this.agent.setState(state)
    const id = runId ?? crypto.randomUUID()
    for (let left = tries; left > 0; left -= 1) {
      this.error = this.outcome = this.result = undefined
      try {
        this.result = (await this.agent.runAgent({ runId: id, resume, forwardedProps })).result
        break
      } catch (error) {
        this.error = { message: error.message, status: error.status, code: error.payload?.code, payload: error.payload }
      }
    }
    return this.shown()
  }

  // Answers the one open question.
  async answer({ payload, status = 'resolved', text, interruptId, ...options }) {
    const [asked] = this.agent.pendingInterrupts
    return this.run({ ...options, text, resume: [{ interruptId: interruptId ?? asked.id, status, ...(status === 'resolved' && { payload }) }] })
  }

  // The client's own abort only hangs up; the answer itself is stopped by a request.
  async stop() {
    await fetch(`${this.url}/threads/${encodeURIComponent(this.agent.threadId)}/stop`, { method: 'POST', headers: this.authorization })
    return this.shown()
  }

  // Begins a run and returns when a text is shown, while the answer goes on.
  async begin({ text }) {
    this.begun = this.run({ text })
    while (this.agent.messages.at(-1)?.role !== 'assistant') await new Promise(resolve => setTimeout(resolve, 20))
    return this.shown()
  }

  async ended() {
    return this.begun
  }

  shown() {
    const { messages, state, pendingInterrupts } = this.agent
    const { events, outcome, result } = this
    return { messages, state, pendingInterrupts, events, outcome: outcome?.type ?? null, result, error: this.error ?? null }
  }
}

// Breaks the connection after so many events.
function cutting(cut) {
  let events = 0
  return new TransformStream({
    transform: (bytes, controller) => {
      for (const line of new TextDecoder().decode(bytes).split('\n\n')) {
        if (line === '' || line.startsWith(':')) continue
        events += 1
        controller.enqueue(new TextEncoder().encode(`${line}\n\n`))
        if (events === cut) return controller.error(new TypeError('network error'))
      }
    },
  })
}

async function carriedOut({ page, call, ...options }) {
  if (call === 'open') {
    pages.set(page, new Page(options))
    return pages.get(page).shown()
  }
  return pages.get(page)[call](options)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { number, ...command } = JSON.parse(line)
  carriedOut(command)
    .then(answer => ({ number, answer }))
    .catch(error => ({ number, failed: `${error.stack}` }))
    .then(written => process.stdout.write(`${JSON.stringify(written)}\n`))
}
