import type { ServerContext } from '../../../platform/context'
import { reserveCredits, settleCredits } from '../../billing/credits'
import { createKnowledge } from '../../knowledge/createKnowledge'
import { createModels } from '../../models/createModels'
import { createAgentActions } from '../actions/createAgentActions'
import type { Answering } from './answering'
import { answerQuestions } from './answerQuestions'

const made = new WeakMap<object, Answering>()

/** There is one for a context, however often it is asked for. */
export function createAnswering(context: ServerContext): Answering {
  const present = made.get(context)
  if (present) return present
  const { db, clock } = context
  const answering = answerQuestions({
    db,
    knowledge: createKnowledge(context),
    models: createModels(context),
    actions: createAgentActions(context),
    credits: {
      reserve: (use) => reserveCredits(db, { ...use, at: clock() }),
      settle: (use) => settleCredits(db, use),
    },
  })
  made.set(context, answering)
  return answering
}
