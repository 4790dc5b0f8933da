import { chosenIn } from '../../../../engine/flow/chosenIn'
import type { InputRequest, Reply } from '../../../../engine/flow/conversation'
import { outOfFive, ratingIn } from '../../../../engine/flow/ratingIn'
import { cleanText } from '../../../../engine/values/cleanText'
import type { Work } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { about, surveyAnswered, turnContext } from '../events'
import type { Conversation } from '../runtime/rows'
import { isReal } from '../runtime/writes'

/** What a reply says of the conversation: a rating, labels that were chosen, or words. */
interface Said {
  rating: number | null
  chosen: string
  feedback: string
}

/**
 * Keeps what a question of the flow about satisfaction was answered, among the survey's answers, with the reply that
 * gives it. The question asked again (a loop) keeps the last word. Other replies and those of tests keep nothing.
 * @param row as it was when the question waited
 */
export async function keepAnswer(work: Work, row: Conversation, reply: Reply | null, at: Date): Promise<void> {
  const { request, at: place } = row.session
  if (!reply || !request || !place || !isReal(row)) return
  const said = saidIn(request, reply)
  if (!said) return
  const values = { ...said, answered_at: at }
  const { project_id, chatbot_id } = row
  await work
    .insertInto('survey_answers')
    .values({
      conversation_id: row.id,
      project_id,
      chatbot_id,
      block_id: place.blockId,
      follow_up: [],
      resolved: null,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['conversation_id', 'block_id']).doUpdateSet(values))
    .execute()
  await appendEvent(work, surveyAnswered, turnContext(row, at, { actor: 'visitor' }), {
    ...about(row),
    rating: said.rating,
    resolved: null,
    block: place.blockId,
  })
}

/** null for a question about something else, and for a reply that the question does not take. */
function saidIn(request: InputRequest, reply: Reply): Said | null {
  if (request.input === 'rating') {
    const given = ratingIn(request, reply)
    return given && { rating: outOfFive(given), chosen: cleanText(given.label), feedback: '' }
  }
  if (request.input === 'choice' && request.survey) {
    const labels = chosenIn(request.options, reply, request.multiple).map(({ label }) => label)
    return labels.length > 0 ? { rating: null, chosen: cleanText(labels.join(', ')), feedback: '' } : null
  }
  if (request.input !== 'text' || !request.survey || reply.type !== 'text') return null
  const words = reply.text.trim()
  return words === '' || words.length > request.maxLength
    ? null
    : { rating: null, chosen: '', feedback: cleanText(words) }
}
