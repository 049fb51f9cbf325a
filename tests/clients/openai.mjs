// Drives OpenAI's own client by commands on stdin, one JSON object a line; each is answered on stdout.
//
// `completions` sends all that was said in a chat again with each message, `responses` names the response before. Both stream.

import { createInterface } from 'node:readline'
import OpenAI from 'openai'

const chats = new Map()

const ways = {
  async completions(client, chat, text) {
    chat.messages.push({ role: 'user', content: text })
    const request = { model: 'omniforge', messages: chat.messages, stream: true }
    let answer = ''
    for await (const chunk of await client.chat.completions.create(request)) answer += chunk.choices[0].delta.content ?? ''
    chat.messages.push({ role: 'assistant', content: answer })
    return answer
  },

  async responses(client, chat, text) {
    const request = { model: 'omniforge', input: text, previous_response_id: chat.previous }
    const response = await client.responses.stream(request).finalResponse()
    chat.previous = response.id
    return response.output_text
  },
}

async function carryOut({ way, chat, url, token, text, retries }) {
  const key = `${way} ${chat}`
  if (!chats.has(key)) chats.set(key, { messages: [], previous: null })
  const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: token, maxRetries: retries })
  try {
    return { text: await ways[way](client, chats.get(key), text) }
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error
    return { error: { name: error.constructor.name, status: error.status, code: error.code } }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line)
  carryOut(command).then(
    answer => console.log(JSON.stringify({ number: command.number, answer })),
    error => console.log(JSON.stringify({ number: command.number, failed: String(error.stack) })),
  )
}
