import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { conversations } from '../conversations/module'
import { statistics } from '../statistics/module'
import { registerAnalytics } from './analytics/routes'
import { countFacts } from './facts/countFacts'
import { notePending } from './facts/notePending'
import { registerLeads } from './leads/routes'
import { createVariableNames } from './results/readAnswers'
import { registerResults } from './results/routes'

const MINUTE = 60_000

export const insights = defineModule({
  name: 'insights',
  purpose: 'figures of conversations, results of flows, leads',
  needs: { billing, conversations, statistics },
  tables: [
    'insight_pending',
    'conversation_facts',
    'insight_rows',
    'asked_questions',
    'flow_results',
    'leads',
    'agent_acts',
    'agent_facts',
    'agent_rows',
  ],
  create(context) {
    const counting = { ...context, namesOf: createVariableNames() }
    const count = (projectId: string) => countFacts(counting, projectId)
    return {
      provides: { count },
      routes(app) {
        registerAnalytics(app, context, count)
        registerLeads(app, context, count)
        registerResults(app, context, count)
      },
      consumers: [notePending],
      sweeps: [{ kind: 'count-insights', every: MINUTE, sweep: () => countFacts(counting) }],
    }
  },
})
