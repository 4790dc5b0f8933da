import type { Model } from '../../../contracts/ai'
import { BUILT_IN_MODEL, type Models, type OpenModel } from '../../models/models'
import { ENVIRONMENT_MODEL } from '../../models/providers/catalogue'
import type { AnswerSettings } from './settings'

/** Who may write an answer. */
export interface Chosen {
  /** in the order in which they are asked; empty: the built-in model answers */
  models: OpenModel[]
  /** the built-in model answers when all of them fail */
  fallsBack: boolean
  builtIn: Pick<Model, 'id' | 'name' | 'credits'>
  /** what a reply costs at most */
  credits: number
  /** for the editor: which one can't be asked, and what to do */
  notes: string[]
}

/**
 * The chatbot's model and the one that stands in for it, as far as they can be asked.
 * @param speaks it has to speak for itself, which the built-in one can't: the environment's does where the chatbot has none
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
  // the built-in one never fails, so that nothing stands in for it
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
