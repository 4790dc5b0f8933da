import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasFeature } from '../../server/access/entitlements'
import { isPlanFeature, plans } from '../../server/access/plans'
import { root } from '../../server/cli/sources.mjs'
import * as actions from '../../server/contracts/actions'
import * as feeds from '../../server/contracts/feeds'
import type { Route } from '../../server/contracts/route'
import * as sources from '../../server/contracts/sources'

/**
 * A gate of the plan is a property of a route (`plan`, `planFor`), a job or an effect. Here is every file of the modules
 * that asks for a plan by itself, and why it has to: a new one is a property instead, or stands here with its reason.
 */
const named: Readonly<Record<string, string>> = {
  // a limit that counts what is there, or what a month used: within the transaction that adds to it
  'accounts/members/seats.ts': 'limit: counts members and invitations under a lock',
  'billing/credits.ts': 'effect: reserves AI credits before an answer',
  'billing/monthlyCredits.ts': 'effect: takes credits of the month',
  'chatbots/addChatbot.ts': 'limit: counts chatbots under a lock',
  'domains/routes.ts': 'limit: counts hosts under a lock; and shown',
  'knowledge/sources/queueAgain.ts': 'limit: what is missing of the re-syncs is said in words',
  'knowledge/training/chargeTraining.ts': 'job: training takes characters',
  // a job or an effect, which has the project at hand and no caller
  'agents/actions/createAgentActions.ts': 'effect: which tools an answer has',
  'knowledge/training/payForDue.ts': 'job: reads sources again by itself',
  'models/createModels.ts': 'effect: which models may answer',
  'models/transcribe.ts': 'effect: how long a voice message may be',
  'insights/weekly/weekMail.ts': 'job: how much a weekly mail says',
  'notifications/creditNotices.ts': 'job: mails about used-up credits',
  'notifications/overNotices.ts': 'job: mails about what is over the limits',
  // visitors: what was set on a larger plan is kept, and not shown
  'conversations/survey/routes.ts': 'a visitor’s route: no survey is asked that the plan lacks',
  'domains/hosts.ts': 'requests by a host, before any route',
  'web/withinPlan.ts': 'what visitors see of a look and a survey',
  // it depends on what was there before: what was on may stay on
  'agents/actions/routes.ts': 'switching on: the action is named by its id alone; and shown',
  'web/lookRoutes.ts': 'a look that had no branding can be edited on',
  'web/settingsRoutes.ts': 'a survey that was on can be edited on',
  'integrations/connections/consent.ts': 'a vendor leads back here, and the state names the project, not the route',
  // nothing is refused: what the plan has is shown, or less is
  'accounts/api-keys/routes.ts': 'shown: whether keys work',
  'accounts/members/routes.ts': 'shown: how many seats there are',
  'insights/analytics/routes.ts': 'a smaller answer: basic figures alone',
  'knowledge/sources/routes.ts': 'shown: characters to train on',
  'models/routes.ts': 'shown: which models are premium',
  'notifications/routes.ts': 'shown: what notices count against',
  'projects/account/loadAccount.ts': 'shown: the account object',
  'projects/account/presenter.ts': 'shown: the account object',
  'projects/account/usageHistory.ts': 'shown: the months of each meter',
  'webhooks/routes.ts': 'shown: whether webhooks are sent',
}

test('whatever asks for a plan by itself is named with its reason', () => {
  const modules = join(root, 'server/modules')
  const asking = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\b(hasFeature|entitlementsOf|limitAsSql)\(/.test(readFileSync(join(modules, file), 'utf8')))
    // what sells plans, and tells of them, is about nothing else
    .filter((file) => !/^(subscriptions|admin)\//.test(file))
  expect(asking.toSorted()).toEqual(Object.keys(named).toSorted())
})

const gated = [actions, feeds, sources]
  .flatMap((contract) => Object.entries(contract) as [string, Partial<Route<unknown, unknown, unknown, unknown>>][])
  .flatMap(([name, route]) => (route?.planFor ? [[name, route.planFor] as const] : []))

test('a gate by what is in the body names features of plans, which the free plan lacks and the largest has', () => {
  const bodies = [{ kind: 'lead-form' }, { action: { kind: 'http' } }, { resync: 'daily' }]
  expect(gated.map(([name]) => name).toSorted()).toEqual(
    ['addFeed', 'addLinks', 'createAction', 'setResync', 'testAction', 'updateAction', 'updateFeed'].toSorted(),
  )
  const largest = plans.find(({ id }) => id === 'business')?.id ?? ''
  for (const [name, planFor] of gated) {
    const wanted = bodies.flatMap((body) => {
      try {
        return planFor(body)
      } catch {
        return [] // of another route
      }
    })
    expect(wanted.length, name).toBeGreaterThan(0)
    for (const feature of wanted) {
      expect(isPlanFeature(feature), feature).toBe(true)
      expect(hasFeature({ plan_id: 'free', addons: {} }, feature)).toBe(false)
      expect(hasFeature({ plan_id: largest, addons: {} }, feature)).toBe(true)
    }
  }
})
