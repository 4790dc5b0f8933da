import { defineModule } from '../../platform/modules/defineModule'
import { releaseReservations } from './credits'

const MINUTE = 60_000

export const billing = defineModule({
  name: 'billing',
  purpose: 'credits: reserved, settled, counted by month',
  needs: {},
  tables: ['credit_uses', 'credit_reservations', 'credit_months'],
  create: ({ db, clock }) => ({
    sweeps: [{ kind: 'release-credits', every: MINUTE, sweep: () => releaseReservations(db, clock()) }],
  }),
})
