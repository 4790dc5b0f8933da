import { addConnection, updateAiSettings } from '../../../server/contracts/ai'
import { askChatbot } from '../../../server/contracts/answers'
import { createChatbot } from '../../../server/contracts/chatbots'
import { listProjects } from '../../../server/contracts/projects'
import { addText } from '../../../server/contracts/sources'
import type { TestClient } from '../../support/client'
import { type ModelAnswer, startModelServer } from '../../support/modelServer'

const ASKED_AT_ONCE = 4
const MOST_QUESTIONS = 5_000

/** What a model may write that takes its readers long. */
const ANSWERS: ModelAnswer[] = ['\n', '[', '**a ', '<a ', '![](', ' '].map(
  (piece) => `The shop opens at nine. ${piece.repeat(30_000)} [1]`,
)

/** A project's own model server, which answers each question with as much as it can. */
export const modelCase = {
  name: 'hostile model',
  async start({ client }: { baseUrl: string; client: TestClient }) {
    const server = await startModelServer()
    server.answers(...Array.from({ length: 50 }, () => ANSWERS).flat())
    const pgid = (await client.call(listProjects)).projects[0]?.gid ?? ''
    const { chatbot } = await client.call(createChatbot, { params: { pgid }, body: { name: 'Talker' } })
    const params = { pgid, cgid: chatbot.gid }
    const { connection } = await client.call(addConnection, {
      params: { pgid },
      body: {
        provider: 'openai-compatible',
        base_url: server.settings.baseUrl,
        key: server.settings.apiKey ?? 'key',
        models: [{ name: 'small', supports_actions: false }],
      },
    })
    const [model] = connection.models
    if (model) await client.call(updateAiSettings, { params, body: { model_id: model.id } })
    await client.call(addText, { params, body: { title: 'Hours', markdown: 'The shop opens at nine.' } })
    let going = true
    let asked = 0
    const asking = async () => {
      while (going && asked++ < MOST_QUESTIONS) {
        const path = askChatbot.path.replace(':pgid', pgid).replace(':cgid', chatbot.gid)
        await client.send('POST', path, { question: `When does the shop open? ${asked}`, before: [] }).catch(() => null)
      }
    }
    const questions = Array.from({ length: ASKED_AT_ONCE }, asking)
    return {
      async stop() {
        going = false
        await Promise.all(questions)
        await server.close()
      },
    }
  },
}
