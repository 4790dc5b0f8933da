import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { onboarding } from '../onboarding/module'
import { createModels } from './createModels'
import { registerAi } from './routes'
import { createTranscribe } from './transcribe'

export const models = defineModule({
  name: 'models',
  purpose: 'providers of models, their keys, and what a call of them gives',
  needs: { onboarding, billing },
  tables: ['ai_connections', 'ai_connection_models'],
  create(context) {
    const provided = createModels(context)
    return {
      provides: { ...provided, transcribe: createTranscribe(context) },
      routes: (app) => registerAi(app, context, provided),
    }
  },
})
