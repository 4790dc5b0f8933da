import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { onboarding } from '../onboarding/module'
import { createModels } from './createModels'
import { createLocalModels } from './local/localModels'
import { registerLocalModels } from './local/localRoutes'
import { registerAi } from './routes'
import { createTranscribe } from './transcribe'

const DAY = 86_400_000

export const models = defineModule({
  name: 'models',
  purpose: 'providers of models, their keys, and what a call of them gives',
  needs: { onboarding, billing },
  tables: ['ai_connections', 'ai_connection_models', 'local_models'],
  create(context) {
    const local = createLocalModels(context)
    const provided = createModels(context, {}, local)
    return {
      provides: { ...provided, transcribe: createTranscribe(context) },
      routes(app) {
        registerAi(app, context, provided)
        registerLocalModels(app, context, local, provided)
      },
      jobs: local.jobs,
      sweeps: [{ kind: 'remove-local-models', every: DAY, sweep: () => local.sweep() }],
    }
  },
})
