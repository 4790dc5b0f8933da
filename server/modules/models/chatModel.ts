import type { AiSettings } from '../../platform/config/aiSettings'
import type { ChatModel } from './models'
import { environmentAccess, environmentModel } from './providers/environment'
import { type AskOptions, createOpenModel } from './providers/openModel'

/** The model of the settings, for the command line, which has no projects. */
export const createChatModel = (settings: AiSettings, options?: AskOptions): ChatModel =>
  createOpenModel(environmentAccess(settings), settings.model, environmentModel(settings), options)
