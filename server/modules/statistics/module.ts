import { defineModule } from '../../platform/modules/defineModule'
import { registerStatistics } from './routes'

export const statistics = defineModule({
  name: 'statistics',
  purpose: 'counts of visits, by group and edge',
  needs: {},
  tables: [],
  create: (context) => ({
    routes: (app) => registerStatistics(app, context),
  }),
})
