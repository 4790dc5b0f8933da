import { entitlementsOf } from '../../access/entitlements'
import type { Model } from '../../contracts/ai'
import { type KeyedProvider, keyedProviders } from '../../platform/config/aiSettings'
import type { ServerContext } from '../../platform/context'
import { createConnections, type ProjectConnection } from './connections'
import type { LocalModels } from './local/localModels'
import { measuredEmbedder, measuredModel } from './measured'
import { BUILT_IN_MODEL, type Models, type OpenModel } from './models'
import type { ProviderAccess } from './providers/access'
import {
  builtInModel,
  ENVIRONMENT_MODEL,
  FIRST_OWN_MODEL,
  knownModel,
  knownModels,
  OWN_MODEL_CREDITS,
} from './providers/catalogue'
import { environmentAccess, environmentModel, keyedAccess } from './providers/environment'
import { createOpenEmbedder } from './providers/openEmbedder'
import { type AskOptions, createOpenModel } from './providers/openModel'

/** The models available to projects. A changed key takes effect with the next question. */
export function createModels(
  context: Pick<ServerContext, 'db' | 'config' | 'metrics'>,
  options: AskOptions = {},
  local: Pick<LocalModels, 'embedder'> | null = null,
): Models {
  const { db, config, metrics } = context
  const connections = createConnections(context)
  const environment = config.ai && { access: environmentAccess(config.ai), model: environmentModel(config.ai) }

  const opened = (access: ProviderAccess, name: string, model: Model): OpenModel =>
    measuredModel(createOpenModel(access, name, model, options), metrics)

  /** A project's own key has priority over the environment's. */
  function accessOf(provider: KeyedProvider, own: ProjectConnection[]): ProviderAccess | null {
    const connection = own.find((each) => each.provider === provider)
    return connection ? connection.access : keyedAccess(provider, config.providers[provider])
  }

  const ownModels = (projectId: string) =>
    db
      .forProject(projectId)
      .selectFrom('ai_connection_models')
      .select(['id', 'connection_id', 'name', 'supports_actions'])
      .where('project_id', '=', projectId)
      .orderBy('connection_id')
      .orderBy('position')
  type OwnModel = Awaited<ReturnType<ReturnType<typeof ownModels>['execute']>>[number]
  const asModel = ({ id, name, supports_actions, connection_id }: OwnModel, own: ProjectConnection[]): Model => ({
    id,
    name,
    provider: 'openai-compatible',
    supports_actions,
    credits: OWN_MODEL_CREDITS,
    context: null,
    premium: false,
    available: own.some((each) => each.id === connection_id && each.access !== null),
  })

  async function mayHavePremium(projectId: string): Promise<boolean> {
    const project = await db
      .forProject(projectId)
      .selectFrom('projects')
      .select(['plan_id', 'addons'])
      .where('id', '=', projectId)
      .executeTakeFirst()
    return project !== undefined && entitlementsOf(project).features.premium_models
  }

  return {
    async catalogue(projectId) {
      const own = await connections.ofProject(projectId)
      const reached = new Set(keyedProviders.filter((provider) => accessOf(provider, own) !== null))
      return [
        builtInModel,
        ...(environment ? [environment.model] : []),
        ...(await ownModels(projectId).execute()).map((row) => asModel(row, own)),
        ...knownModels.map(({ modelId, ...model }) => ({ ...model, available: reached.has(model.provider) })),
      ]
    },

    async open(projectId, modelId): Promise<OpenModel | null> {
      if (modelId === BUILT_IN_MODEL) return null
      if (modelId === ENVIRONMENT_MODEL)
        return environment && opened(environment.access, environment.model.name, environment.model)
      const own = await connections.ofProject(projectId)
      if (modelId >= FIRST_OWN_MODEL) {
        const row = await ownModels(projectId).where('id', '=', modelId).executeTakeFirst()
        const access = own.find(({ id }) => id === row?.connection_id)?.access
        return row && access ? opened(access, row.name, asModel(row, own)) : null
      }
      const known = knownModel(modelId)
      const access = known && accessOf(known.provider, own)
      if (!access || (known.premium && !(await mayHavePremium(projectId)))) return null
      const { modelId: name, ...model } = known
      return opened(access, name, { ...model, available: true })
    },

    async embedder(projectId) {
      const [here, connected] = await Promise.all([local?.embedder(projectId), connections.ofProject(projectId)])
      if (here) return measuredEmbedder(here, 'local', metrics)
      const own = connected.find(({ embeddingModel }) => embeddingModel !== null)
      const embedder = (access: ProviderAccess, name: string) =>
        measuredEmbedder(createOpenEmbedder(access, name), access.provider, metrics)
      if (own?.access && own.embeddingModel !== null) return embedder(own.access, own.embeddingModel)
      const name = config.ai?.embeddingModel
      return environment && name ? embedder(environment.access, name) : null
    },
  }
}
