import { defineModule } from '../../platform/modules/defineModule'
import { insights } from '../insights/module'
import { knowledge } from '../knowledge/module'
import { registerUnanswered } from './routes'

export const unanswered = defineModule({
  name: 'unanswered',
  purpose: 'what visitors asked in vain, and what editors make of it',
  needs: { insights, knowledge },
  tables: ['handled_questions'],
  create: (context, { insights: { count }, knowledge }) => ({
    routes: (app) => registerUnanswered(app, context, knowledge, count),
  }),
})
