import type { ServerContext } from '../context'
import type { Service } from '../host/turns'
import { createAnswerService } from './answer'
import { createChatModel } from './chatModel'
import { createExtractService } from './extract'
import { readConversation } from './readConversation'

/** The services of the AI blocks. Without a model in the settings they do what can be done without one, and say so. */
export function createAiServices({
  db,
  config,
  clock,
}: ServerContext): Readonly<Record<'ai.answer' | 'ai.extract', Service>> {
  const model = config.ai && createChatModel(config.ai)
  const read = readConversation(db)
  return { 'ai.answer': createAnswerService(model, read), 'ai.extract': createExtractService(model, read, clock) }
}
