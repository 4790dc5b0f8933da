import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { reserveCredits, settleCredits } from '../../billing/credits'
import type { Models } from '../../models/models'
import { ENVIRONMENT_MODEL } from '../../models/providers/catalogue'
import { openWithFallback } from '../../models/withFallback'
import { STOPPED } from '../answering/answerQuestions'
import { readAnswerSettings } from '../answering/settings'
import { askForTranslations, type Wanted } from './translate'

interface Place {
  projectId: string
  chatbotId: string
}
export type Translator = ReturnType<typeof createTranslator>

/** Translates texts with a chatbot's model: one request, charged as one reply. */
export function createTranslator({ clock, ids }: Pick<ServerContext, 'clock' | 'ids'>, models: Models) {
  async function open(db: Db, place: Place) {
    const { model } = await openWithFallback(models, place.projectId, await readAnswerSettings(db, place))
    return model ?? (await models.open(place.projectId, ENVIRONMENT_MODEL))
  }
  return {
    /** The model that would translate; null: none is connected. */
    async find(db: Db, place: Place): Promise<{ name: string; credits: number } | null> {
      const opened = await open(db, place)
      return opened && { name: opened.model.name, credits: opened.model.credits }
    },

    /**
     * @returns the texts in their order; null for one that the model omitted, or changed the markup of
     * @throws ApiError conflict without a model, plan_limit without credits, unavailable with the model's words
     */
    async translate(db: Db, { projectId, chatbotId }: Place, wanted: Wanted) {
      const model = await open(db, { projectId, chatbotId })
      if (!model) throw new ApiError('conflict', { message: 'Connect a model in the AI settings first.' })
      const key = `translate.${ids()}`
      const amount = model.model.credits
      const reserved = await reserveCredits(db, { projectId, chatbotId, visitor: null, key, amount, at: clock() })
      if (!reserved.ok) throw new ApiError('plan_limit', { message: STOPPED[reserved.reason] })
      let credits = 0
      try {
        const answer = await askForTranslations(model, wanted)
        if (!answer.ok) throw new ApiError('unavailable', { message: answer.error })
        credits = amount
        return { texts: answer.value, credits }
      } finally {
        await settleCredits(db, { projectId, key, amount: credits, at: clock() })
      }
    },
  }
}
