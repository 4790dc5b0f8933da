import type { ServerContext } from '../../platform/context'
import { readsOnly, type Service } from '../../platform/effects/service'
import type { Models } from '../models/models'
import type { Answering } from './answering/answering'
import { createAnswerService } from './answering/service'
import { createExtractService } from './extract'
import { modelOfCall } from './modelOfCall'
import { readConversation } from './readConversation'

/** The services of the AI blocks. Without a model they do what can be done without one, and say so. */
export function createAiServices(
  context: ServerContext,
  answering: Answering,
  models: Models,
): Readonly<Record<'ai.answer' | 'ai.extract', Service>> {
  const { db, clock } = context
  const read = readConversation(db)
  return {
    'ai.answer': createAnswerService(db, answering, read),
    'ai.extract': readsOnly(createExtractService(modelOfCall(context, models), read, clock)),
  }
}
