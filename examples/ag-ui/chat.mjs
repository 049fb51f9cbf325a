import { HttpAgent } from '@ag-ui/client'

const headers = { Authorization: `Bearer ${process.env.OMNIFORGE_TOKEN}` }
const agent = new HttpAgent({ url: `${process.env.OMNIFORGE_URL}/ag-ui`, threadId: 'my-thread', headers })
// A run whose connection breaks is read on under its own id.
const run = async ({ runId = crypto.randomUUID(), ...asked }) => {
  await agent.runAgent({ runId, ...asked }).catch(() => agent.runAgent({ runId, ...asked }))
  console.log(agent.messages.at(-1).content)
}
for (const content of process.argv.slice(2)) {
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
  await run({})
  for (const { id } of agent.pendingInterrupts) await run({ resume: [{ interruptId: id, status: 'resolved', payload: true }] })
}
