import { defineModule } from '../../platform/modules/defineModule'
import { renewSeals } from './renewSeals'

const DAY = 24 * 60 * 60_000

export const secrets = defineModule({
  name: 'secrets',
  purpose: 'values that flows refer to by name',
  needs: {},
  tables: ['project_secrets'],
  create: (context) => ({
    sweeps: [{ kind: 'renew-seals', every: DAY, sweep: () => renewSeals(context) }],
  }),
})
