import type { Json } from '../../../engine/values/json'
import type { AiSettings } from '../../platform/config/aiSettings'
import { environmentAccess, environmentModel } from './providers/environment'
import { type AskOptions, createOpenModel } from './providers/openModel'

export interface Prompt {
  /** what the editor and the product want; never what a visitor wrote */
  system: string
  messages: { role: 'user' | 'assistant'; content: string }[]
  temperature: number
}

/** What a model gave, or why it gave nothing, in a sentence for the editor. */
export type Written<Value> = { ok: true; value: Value } | { ok: false; error: string }

/** A model that can be asked. A failure is a result, never an exception. */
export interface ChatModel {
  write(prompt: Prompt): Promise<Written<string>>
  /** writes JSON of that JSON Schema; what comes back is JSON, and whether it fits is for the caller to check */
  fill(prompt: Prompt, schema: Record<string, Json>): Promise<Written<Json>>
}

/** The model of the settings, for the command line, which has no projects. */
export const createChatModel = (settings: AiSettings, options?: AskOptions): ChatModel =>
  createOpenModel(environmentAccess(settings), settings.model, environmentModel(settings), options)
