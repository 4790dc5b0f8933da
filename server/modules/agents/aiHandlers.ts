import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import type { EffectHandler } from '../../platform/effects/handleEffect'
import type { Models } from '../models/models'
import { createAnswerHandler } from './answering/answerHandler'
import type { Answering } from './answering/answering'
import { createExtractHandler } from './extract'
import { modelOfCall } from './modelOfCall'
import { readConversation } from './readConversation'

/** What handles the effects of the AI blocks. Without a model they do what can be done without one, and say so. */
export function createAiHandlers(context: ServerContext, answering: Answering, models: Models): EffectHandler[] {
  const { db, clock } = context
  return [
    createAnswerHandler(db, answering),
    createExtractHandler<CallContext>(modelOfCall(context, models), readConversation(db), clock),
  ]
}
