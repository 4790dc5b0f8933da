import { type Answer, aiAnswerEffect } from '../../../engine/effects/aiAnswer'
import { caps } from '../../../engine/values/caps'
import { handleEffect } from '../../platform/effects/handleEffect'
import type { ChatModel } from '../models/models'
import { talkPrompt } from './answering/talkPrompt'
import type { Line } from './readConversation'

/** A note for the editor, in the trace. */
const NO_KNOWLEDGE = 'There are no sources here to answer from.'
const NO_MODEL = 'No model is set up: set AI_BASE_URL and AI_MODEL.'
export const NO_QUESTION = 'Nothing was asked: the visitor has said nothing yet.'

/**
 * Handles `ai.answer` for the command line, which has no chatbots and no sources: answers with the environment's model,
 * given the conversation so far. A note says why there is no answer.
 */
export function createModelAnswers(model: ChatModel | null, said: () => Promise<Line[]>) {
  return handleEffect(aiAnswerEffect).by({
    async carryOut({ source, question, instructions, language, temperature }) {
      if (source === 'knowledge') return notFound(NO_KNOWLEDGE)
      if (!model) return notFound(NO_MODEL)
      const asked = questionOf(question, await said())
      if (!asked) return notFound(NO_QUESTION)
      const settings = { instructions, business: { name: '', description: '' } }
      const written = await model.write(
        talkPrompt({ ...settings, language: language ?? 'Auto', temperature: temperature ?? 0 }, asked),
      )
      return written.ok ? found(written.value) : { ok: false, error: written.error }
    },
    simulate: 'reads-only',
  })
}

const notFound = (note: string): Answer => ({ ok: true, found: false, text: '', sources: [], note })
const found = (text: string): Answer => ({ ok: true, found: true, text: text.slice(0, caps.text), sources: [] })

/**
 * The question and the lines before it; the question comes last, once. Without one it is the visitor's last message.
 */
export function questionOf(question: string, said: readonly Line[]): { question: string; before: Line[] } | null {
  const lastSaid = said.findLastIndex(({ by }) => by === 'visitor')
  const asked = question.trim() || said[lastSaid]?.text
  if (!asked) return null
  return { question: asked, before: said[lastSaid]?.text === asked ? said.slice(0, lastSaid) : [...said] }
}
