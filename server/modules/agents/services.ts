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
  const read = readConversation(context)
  return {
    'ai.answer': createAnswerService(context, answering, read),
    'ai.extract': readsOnly(createExtractService(modelOfCall(context, models), read, context.clock)),
  }
}
