import type { ServerContext } from '../../platform/context'
import { conversationOfCall } from '../../platform/effects/callKey'
import { reserveCredits, settleCredits } from '../billing/credits'
import type { ChatModel, Written } from '../models/chatModel'
import type { Models } from '../models/models'
import { ENVIRONMENT_MODEL } from '../models/providers/catalogue'
import { openWithFallback } from '../models/withFallback'
import { STOPPED } from './answering/answerQuestions'
import { readAnswerSettings } from './answering/settings'

/** The model that a call of a service may ask; null: there is none. */
export type ModelOfCall = (key: string) => Promise<ChatModel | null>

/** That of the conversation's chatbot, else the environment's. What it is asked is paid for. */
export function modelOfCall(context: Pick<ServerContext, 'db' | 'clock'>, models: Models): ModelOfCall {
  const { clock } = context
  return async (key) => {
    const conversation = await conversationOfCall(context, key)
    if (!conversation) return null
    const { db, project_id: projectId, chatbot_id: chatbotId, started_by, visitor_hash, gid } = conversation
    const settings = await readAnswerSettings(db, { projectId, chatbotId })
    const chosen = await openWithFallback(models, projectId, settings)
    const model = chosen.model ?? (await models.open(projectId, ENVIRONMENT_MODEL))
    if (!model) return null
    async function paid<Value>(ask: () => Promise<Written<Value>>): Promise<Written<Value>> {
      const amount = model?.model.credits ?? 0
      const visitor = started_by === null ? (visitor_hash?.toString('hex') ?? gid) : null
      const reserved = await reserveCredits(db, { projectId, chatbotId, visitor, key, amount, at: clock() })
      if (!reserved.ok) return { ok: false, error: STOPPED[reserved.reason] }
      let used = 0
      try {
        const written = await ask()
        if (written.ok) used = amount
        return written
      } finally {
        await settleCredits(db, { projectId, key, amount: used, at: clock() })
      }
    }
    return {
      write: (prompt) => paid(() => model.write(prompt)),
      fill: (prompt, schema) => paid(() => model.fill(prompt, schema)),
    }
  }
}
