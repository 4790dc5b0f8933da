import type { Model } from '../../contracts/ai'
import type { Written } from './models'
import { BUILT_IN_MODEL, type Models, type OpenModel, type StreamPart } from './models'

/** A chatbot's chosen models. */
export interface ModelChoice {
  modelId: number
  /** null: none */
  fallbackId: number | null
}

export interface ChosenModel {
  /** null: the built-in one answers */
  model: OpenModel | null
  /** whether the built-in one is the fallback: then the caller uses it if `model` fails */
  fallsToBuiltIn: boolean
  /** which model answered instead of the chosen one, and why; null: none */
  stoodIn(): StandIn | null
}
export interface StandIn {
  /** null: the built-in one */
  model: Model | null
  /** a sentence for the editor */
  reason: string
}

/**
 * Opens a chatbot's model with its fallback, which is used if the model is unavailable, or fails before its first word.
 */
export async function openWithFallback(
  models: Models,
  projectId: string,
  { modelId, fallbackId }: ModelChoice,
): Promise<ChosenModel> {
  let stoodIn: StandIn | null = null
  const builtIn = fallbackId === BUILT_IN_MODEL
  const chosen: ChosenModel = { model: null, fallsToBuiltIn: builtIn, stoodIn: () => stoodIn }
  if (modelId === BUILT_IN_MODEL) return chosen
  const first = await models.open(projectId, modelId)
  const second = fallbackId === null || builtIn ? null : await models.open(projectId, fallbackId)
  if (first === null) {
    const known = (await models.catalogue(projectId)).find(({ id }) => id === modelId)
    stoodIn = { model: second?.model ?? null, reason: whyNot(known) }
    return { ...chosen, model: second }
  }
  const note = (model: OpenModel, reason: string) => {
    stoodIn = { model: model.model, reason }
  }
  return { ...chosen, model: second ? inTurn(first, second, note) : first }
}

const whyNot = (model: Model | undefined): string =>
  model
    ? `${model.name} can't be asked: its provider has no key, or the plan doesn't include it.`
    : 'The model that was chosen is gone: choose another in the AI settings.'

/** Combines two models: the second is used if the first fails. */
function inTurn(first: OpenModel, second: OpenModel, note: (model: OpenModel, reason: string) => void): OpenModel {
  async function either<Value>(ask: (model: OpenModel) => Promise<Written<Value>>): Promise<Written<Value>> {
    const written = await ask(first)
    if (written.ok) return written
    note(second, written.error)
    return ask(second)
  }
  return {
    model: first.model,
    write: (prompt) => either((model) => model.write(prompt)),
    fill: (prompt, schema) => either((model) => model.fill(prompt, schema)),
    async *stream(prompt, options): AsyncGenerator<StreamPart> {
      let begun = false
      for await (const part of first.stream(prompt, options)) {
        if (part.type === 'failed' && !begun && !options?.signal?.aborted) {
          note(second, part.error)
          yield* second.stream(prompt, options)
          return
        }
        begun = true
        yield part
      }
    },
  }
}
