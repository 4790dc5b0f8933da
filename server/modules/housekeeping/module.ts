import { defineModule } from '../../platform/modules/defineModule'
import { privacy } from '../privacy/module'
import { cleanUp, forgetExpired } from './cleanUp'
import { registerHousekeeping } from './routes'

const HOUR = 60 * 60_000

export const housekeeping = defineModule({
  name: 'housekeeping',
  purpose: 'what a project keeps and how large it is, and what is deleted after how long',
  needs: { privacy },
  tables: ['housekeeping_rules'],
  create: (context) => ({
    routes: (app) => registerHousekeeping(app, context),
    sweeps: [
      { kind: 'clean-up', every: HOUR, sweep: () => cleanUp(context) },
      { kind: 'forget-expired', every: HOUR, sweep: () => forgetExpired(context) },
    ],
  }),
})
