import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import { reserveCredits, settleCredits } from '../billing/credits'
import type { ChatModel, Models, Written } from '../models/models'
import { ENVIRONMENT_MODEL } from '../models/providers/catalogue'
import { openWithFallback } from '../models/withFallback'
import { STOPPED } from './answering/answerQuestions'
import { readAnswerSettings } from './answering/settings'

/** The model for a call; null: there is none. */
export type ModelOfCall<Context> = (context: Context) => Promise<ChatModel | null>

/** The model of the conversation's chatbot, otherwise the environment's. Its use is charged. */
export function modelOfCall(
  context: Pick<ServerContext, 'db' | 'clock'>,
  models: Models,
): ModelOfCall<Pick<CallContext, 'project' | 'chatbot' | 'conversation' | 'idempotencyKey'>> {
  const { clock } = context
  return async ({ project, chatbot, conversation, idempotencyKey: key }) => {
    const [projectId, chatbotId] = [project.id, chatbot.id]
    const db = context.db.forProject(projectId)
    const settings = await readAnswerSettings(db, { projectId, chatbotId })
    const chosen = await openWithFallback(models, projectId, settings)
    const model = chosen.model ?? (await models.open(projectId, ENVIRONMENT_MODEL))
    if (!model) return null
    async function paid<Value>(ask: () => Promise<Written<Value>>): Promise<Written<Value>> {
      const amount = model?.model.credits ?? 0
      const { visitor } = conversation
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
