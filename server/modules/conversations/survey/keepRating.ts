import type { Reply } from '../../../../engine/flow/conversation'
import { outOfFive, ratingIn } from '../../../../engine/flow/ratingIn'
import { cleanText } from '../../../../engine/values/cleanText'
import type { Work } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { about, surveyAnswered, turnContext } from '../events'
import type { Conversation } from '../runtime/rows'
import { isReal } from '../runtime/writes'

/**
 * Keeps the rating that a question of the flow asked for, among the survey's answers, with the reply that gives it. The
 * question asked again (a loop) keeps the last word. Other replies and those of tests keep nothing.
 * @param row as it was when the question waited
 */
export async function keepRating(work: Work, row: Conversation, reply: Reply | null, at: Date): Promise<void> {
  const { request, at: place } = row.session
  if (!reply || request?.input !== 'rating' || !place || !isReal(row)) return
  const given = ratingIn(request, reply)
  if (!given) return
  const values = { rating: outOfFive(given), chosen: cleanText(given.label), answered_at: at }
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
      feedback: '',
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['conversation_id', 'block_id']).doUpdateSet(values))
    .execute()
  await appendEvent(work, surveyAnswered, turnContext(row, at, { actor: 'visitor' }), {
    ...about(row),
    rating: values.rating,
    resolved: null,
    block: place.blockId,
  })
}
