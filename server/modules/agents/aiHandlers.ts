import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import type { EffectHandler } from '../../platform/effects/handleEffect'
import type { Models } from '../models/models'
import { createAnswerHandler } from './answering/answerHandler'
import type { Answering } from './answering/answering'
import { createExtractHandler } from './extract'
import { modelOfCall } from './modelOfCall'
import { readConversation } from './readConversation'

/** Effect handlers of the AI blocks. Without a model they do what is possible without one, and note it. */
export function createAiHandlers(context: ServerContext, answering: Answering, models: Models): EffectHandler[] {
  const { db, clock } = context
  return [
    createAnswerHandler(db, answering),
    createExtractHandler<CallContext>(modelOfCall(context, models), readConversation(db), clock),
  ]
}
