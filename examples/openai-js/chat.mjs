import OpenAI from 'openai'

const client = new OpenAI({ baseURL: `${process.env.OMNIFORGE_URL}/openai/v1`, apiKey: process.env.OMNIFORGE_TOKEN })
const conversation = (await client.conversations.create()).id

for (const input of process.argv.slice(2)) {
  const stream = await client.responses.create({ model: 'omniforge', input, conversation, stream: true })
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') process.stdout.write(event.delta)
  }
  console.log()
}
