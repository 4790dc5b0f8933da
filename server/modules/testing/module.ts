import { defineModule } from '../../platform/modules/defineModule'
import { conversations } from '../conversations/module'
import { flows } from '../flows/module'
import { secrets } from '../secrets/module'
import { registerPlayground } from './playground/routes'
import { registerRecordings } from './recordings/routes'

export const testing = defineModule({
  name: 'testing',
  purpose: 'previews of a draft, and conversations kept as tests',
  needs: { secrets, flows, conversations },
  tables: [],
  create: (context, { conversations: { runtime, sentFiles }, flows: { documents } }) => ({
    routes(app) {
      registerPlayground(app, context, runtime, documents, sentFiles)
      registerRecordings(app, context, runtime, documents)
    },
  }),
})
