import type { Model } from '../../../contracts/ai'
import { BUILT_IN_MODEL, type Models, type OpenModel } from '../../models/models'
import { ENVIRONMENT_MODEL } from '../../models/providers/catalogue'
import type { AnswerSettings } from './settings'

/** The models for an answer. */
export interface Chosen {
  /** in the order in which they are tried; empty: the built-in model answers */
  models: OpenModel[]
  /** whether the built-in model answers if all of them fail */
  fallsBack: boolean
  builtIn: Pick<Model, 'id' | 'name' | 'credits'>
  /** the most credits of a reply */
  credits: number
  /** for the editor: which model is unavailable, and what to do */
  notes: string[]
}

/**
 * The chatbot's model and its fallback, if available.
 * @param speaks whether the model must answer on its own, which the built-in one can't: then the environment's does if
 *   the chatbot has none
 */
export async function chooseModels(
  models: Models,
  projectId: string,
  { modelId, fallbackId }: Pick<AnswerSettings, 'modelId' | 'fallbackId'>,
  { speaks = false }: { speaks?: boolean } = {},
): Promise<Chosen> {
  const catalogue = await models.catalogue(projectId)
  const builtIn = catalogue.find(({ id }) => id === BUILT_IN_MODEL) ?? {
    id: BUILT_IN_MODEL,
    name: 'Built in',
    credits: 0,
  }
  const open: OpenModel[] = []
  const notes: string[] = []
  // the built-in one never fails, so it needs no fallback
  const wanted = modelId === BUILT_IN_MODEL || fallbackId === null ? [modelId] : [modelId, fallbackId]
  for (const id of wanted) {
    if (id === BUILT_IN_MODEL) continue
    const model = await models.open(projectId, id)
    const name = catalogue.find((each) => each.id === id)?.name ?? `The model ${id}`
    if (model) open.push(model)
    else
      notes.push(
        `${name} can’t be asked: it is gone, its provider has no key, or the plan leaves it out. Look in the AI settings.`,
      )
  }
  const environment = speaks && open.length === 0 ? await models.open(projectId, ENVIRONMENT_MODEL) : null
  if (environment) open.push(environment)
  const fallsBack = wanted.includes(BUILT_IN_MODEL)
  const credits = Math.max(
    ...open.map(({ model }) => model.credits),
    ...(open.length === 0 || fallsBack ? [builtIn.credits] : []),
  )
  return { models: open, fallsBack, builtIn, credits, notes }
}
