import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { mails } from '../mails/module'
import { statistics } from '../statistics/module'
import { registerAnalytics } from './analytics/routes'
import { rollDays } from './days/rollDays'
import { countFacts } from './facts/countFacts'
import { noteFresh } from './facts/noteFresh'
import { notePending } from './facts/notePending'
import { registerLeads } from './leads/routes'
import { createVariableNames } from './results/readAnswers'
import { registerResults } from './results/routes'
import { createGuestKeys } from './weekly/guestKeys'
import { registerWeeklyPages } from './weekly/pages'
import { registerWeeklyMail } from './weekly/routes'
import { sendWeekly } from './weekly/sendWeekly'

const MINUTE = 60_000

export const insights = defineModule({
  name: 'insights',
  purpose: 'figures of conversations, by mail too, results of flows, leads',
  needs: { contacts, billing, conversations, mails, statistics },
  tables: [
    'insight_pending',
    'conversation_facts',
    'insight_rows',
    'insight_days',
    'insight_courses',
    'insight_changes',
    'insight_rolled',
    'insight_visitors',
    'insight_names',
    'insight_credits',
    'asked_questions',
    'asked_wordings',
    'flow_results',
    'leads',
    'agent_acts',
    'agent_facts',
    'agent_rows',
    'agent_days',
    'agent_hours',
    'weekly_mails',
    'weekly_mail_guests',
  ],
  create(context, { mails: { send }, contacts: { freshen } }) {
    const counting = { ...context, namesOf: createVariableNames() }
    const count = async (projectId: string) => {
      await noteFresh(context.db, projectId)
      await countFacts(counting, projectId)
    }
    freshen.push(count)
    const keys = createGuestKeys(context.config)
    return {
      provides: { count },
      routes(app) {
        registerAnalytics(app, context, count)
        registerLeads(app, context, count)
        registerResults(app, context, count)
        registerWeeklyMail(app, context, { send, keys })
        registerWeeklyPages(app, context)
      },
      consumers: [notePending],
      sweeps: [
        { kind: 'count-insights', every: MINUTE, sweep: () => countFacts(counting) },
        { kind: 'roll-insight-days', every: MINUTE, sweep: () => rollDays(context) },
        { kind: 'send-weekly-mails', every: MINUTE, sweep: () => sendWeekly(context, { send, keys, count }) },
      ],
    }
  },
})
