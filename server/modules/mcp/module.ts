import { defineModule } from '../../platform/modules/defineModule'
import { api } from '../api/module'
import { attachMcp } from './attach'

export const mcp = defineModule({
  name: 'mcp',
  purpose: 'the same for programs, by the model context protocol',
  needs: { api },
  tables: [],
  create: (context, { api: { flowFiles, operations } }) => ({
    routes: (app) => attachMcp(app, context, flowFiles, operations),
  }),
})
