// The official MCP client of npm: it signs in by itself, lists the tools, and says a few messages with `chat`.
import { createInterface } from 'node:readline'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

class SignIn {
  redirectUrl = 'http://localhost:3939/callback'
  clientMetadata = { client_name: 'npm client', redirect_uris: ['http://localhost:3939/callback'] }

  constructor(user) { this.user = user }
  clientInformation() { return this.client }
  saveClientInformation(client) { this.client = client }
  tokens() { return this.saved }
  saveTokens(tokens) { this.saved = tokens }
  saveCodeVerifier(verifier) { this.verifier = verifier }
  codeVerifier() { return this.verifier }

  // What the user does in a browser: fills the form in.
  async redirectToAuthorization(url) {
    const form = await (await fetch(url)).text()
    const action = /<form method="post" action="([^"]+)"/.exec(form)[1].replaceAll('&amp;', '&')
    const sent = await fetch(new URL(action, url), { method: 'POST', body: new URLSearchParams(this.user), redirect: 'manual' })
    this.code = new URL(sent.headers.get('location')).searchParams.get('code')
  }
}

async function connected(url, authProvider) {
  const client = new Client({ name: 'npm client', version: '1' })
  const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider })
  const first = transport()
  try {
    await client.connect(first)
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    await first.finishAuth(authProvider.code)
    await client.connect(transport())
  }
  return client
}

async function carriedOut({ url, user, messages }) {
  const client = await connected(url, new SignIn(user))
  const { tools } = await client.listTools()
  const replies = [], stages = []
  let conversation_id = null
  for (const message of messages) {
    const told = { onprogress: ({ message }) => stages.push(message) }
    const call = { name: 'chat', arguments: { message, conversation_id } }
    const { structuredContent } = await client.callTool(call, undefined, told)
    conversation_id = structuredContent.conversation_id
    replies.push(structuredContent.reply)
  }
  await client.close()
  return { tools: tools.map(tool => tool.name), replies, stages }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { number, ...command } = JSON.parse(line)
  carriedOut(command)
    .then(answer => ({ number, answer }))
    .catch(error => ({ number, failed: `${error.stack}` }))
    .then(written => process.stdout.write(`${JSON.stringify(written)}\n`))
}
