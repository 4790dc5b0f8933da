import { defineModule } from '../../platform/modules/defineModule'
import { flows } from '../flows/module'
import { secrets } from '../secrets/module'
import { createFlowFiles } from './flowFiles'
import { KEPT_MS } from './idempotency'
import { listOperations } from './operations'
import { serveApi } from './serveApi'

const HOUR = 60 * 60_000

export const api = defineModule({
  name: 'api',
  purpose: 'the same for programs, over HTTP: operations, their description, calls that are made once',
  needs: { secrets, flows },
  tables: ['api_calls'],
  create(context, { flows: { documents } }) {
    const flowFiles = createFlowFiles(context, documents)
    const operations = listOperations(context, flowFiles)
    return {
      provides: { flowFiles, operations },
      routes: (app) => serveApi(app, context, operations),
      sweeps: [
        {
          kind: 'forget-api-calls',
          every: HOUR,
          sweep: () =>
            context.db
              .deleteFrom('api_calls')
              .where('created_at', '<', new Date(context.clock().getTime() - KEPT_MS))
              .execute(),
        },
      ],
    }
  },
})
