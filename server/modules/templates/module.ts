import { defineModule } from '../../platform/modules/defineModule'
import { flows } from '../flows/module'
import { integrations } from '../integrations/module'
import { registerTemplates } from './routes'

export const templates = defineModule({
  name: 'templates',
  purpose: 'flows to begin with',
  needs: { flows, integrations },
  tables: [],
  create: (context, { flows: { documents } }) => ({
    routes: (app) => registerTemplates(app, context, documents),
  }),
})
