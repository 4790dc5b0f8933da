import { defineModule } from '../../platform/modules/defineModule'
import { flows } from '../flows/module'
import { secrets } from '../secrets/module'
import { attachMcp } from './attach'

export const mcp = defineModule({
  name: 'mcp',
  purpose: 'the same for programs, by the model context protocol',
  needs: { secrets, flows },
  tables: [],
  create: (context, { flows: { documents } }) => ({
    routes: (app) => attachMcp(app, context, documents),
  }),
})
