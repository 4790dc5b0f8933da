import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { featureRoles, rolesOf } from '../../server/access/roles'
import { accountSchema, currentChatbotSchema, dashboard, updateAgentChecklist } from '../../server/contracts/account'
import { createApiKey } from '../../server/contracts/api-keys'
import { createChatbot } from '../../server/contracts/chatbots'
import { updateInstructions } from '../../server/contracts/instructions'
import type { Feature } from '../../server/contracts/route'
import { addFaq } from '../../server/contracts/sources'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** Which feature of the roles map shows each field; `own`: it is about who asks, or the same for everybody. */
const userFields: Record<string, Feature | 'own' | 'nested'> = {
  ui: 'own',
  account: 'own',
  seat_over: 'own',
  over_limit: 'project.view',
  settings: 'own',
  projects: 'own',
  project_roles: 'own',
  project: 'own',
  chatbots: 'chatbots.view',
  chatbot: 'nested',
  ai: 'ai.view',
  custom_domain: 'custom_domain.view',
  project_notifications: 'notifications.view',
  usage: 'billing.usage',
  subscription: 'nested',
  billing_addons_subscription: 'billing.addons',
  total_conversations: 'analytics.view',
  onboarding_checklist: 'onboarding.view',
  api_keys: 'api_keys.view',
}
const subscriptionFields: Record<string, Feature> = {
  plan_id: 'project.view',
  name: 'project.view',
  features: 'project.view',
  features_list: 'project.view',
  price: 'project.view',
  status: 'billing.subscription',
  end_date: 'billing.subscription',
  end_date_formatted: 'billing.subscription',
  cancels_at: 'billing.subscription',
  cancels_at_formatted: 'billing.subscription',
  subscription_price: 'billing.subscription',
  downgrade_schedule: 'billing.subscription',
}
const chatbotFields: Record<string, Feature> = {
  ...Object.fromEntries(
    (
      'gid egid name type version platform_id fid slug domain business_name business_description setup setup_steps published ' +
      'draft_changed updated_at updated_by visibility over_limit sample'
    )
      .split(' ')
      .map((field) => [field, 'chatbots.view'] as const),
  ),
  visibility_schedules: 'visibility.view',
  hide_urls: 'ai.view',
  whitelisted_domains: 'embed.view',
  interface_language: 'appearance.view',
  end_user_rate_limits: 'settings.view',
  end_user_rate_limit_error: 'settings.view',
  sharing: 'share.view',
  instructions: 'instructions.view',
  ai_model_id: 'ai.view',
  ai_language: 'ai.view',
  ai_temperature: 'ai.view',
  ai: 'ai.view',
  linked_kb: 'knowledge_base.view',
  whatsapp_connection: 'whatsapp.view',
  training_stats: 'knowledge_base.view',
  data_sources: 'knowledge_base.view',
  satisfaction_survey: 'settings.view',
}
/** The same for everybody who is logged in. */
const catalogues =
  'all_sources data_source_types v2_upgrade_enabled mail_server chat_url billing ai_model plans plans_detail fr user'.split(
    ' ',
  )

let server: TestServer
let owner: Registered
let cgid: string
const members = new Map<number, Registered>()
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
  const { pgid } = owner
  cgid = (await owner.call(createChatbot, { params: { pgid }, body: { name: 'Tested' } })).chatbot.gid
  const params = { pgid, cgid }
  await owner.call(updateInstructions, { params, body: { text: 'Be kind. The code is 1234.', was: '' } })
  await owner.call(addFaq, { params, body: { question: 'Why?', answer: 'Because.', phrasings: [] } })
  // what its training costs is known before anybody looks
  await server.context.jobs.runDue()
  await owner.call(createApiKey, { params: { pgid }, body: { name: 'Agent' } })
  await owner.call(updateAgentChecklist, { body: { pgid, dismissed: true } })
  await server.context.db
    .updateTable('chatbots')
    .set({ hide_urls: ['/internal'], ai_temperature: 0.5 })
    .where('gid', '=', cgid)
    .execute()
  for (const role of [2, 3, 4, 5, 6] as const) members.set(role, await inviteMember(server, owner, role))
})
afterAll(() => server.close())

test('every field of the account object has the feature that guards it written down here', () => {
  const { user } = accountSchema.shape
  expect(Object.keys(accountSchema.shape).sort()).toEqual(catalogues.toSorted())
  expect(Object.keys(user.shape).sort()).toEqual(Object.keys(userFields).sort())
  expect(Object.keys(user.shape.subscription.shape).sort()).toEqual(Object.keys(subscriptionFields).sort())
  expect(Object.keys(currentChatbotSchema.shape).sort()).toEqual(Object.keys(chatbotFields).sort())
  const features = [...Object.values(userFields), ...Object.values(subscriptionFields), ...Object.values(chatbotFields)]
  for (const feature of features.filter((each) => each.includes('.')))
    expect(rolesOf(feature as Feature).length, feature).toBeGreaterThan(0)
})

/** Whether there is nothing in it: no text, no number, nothing that is on. The first choice of a list of names is none. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value || value === 'emoji'

describe.each([2, 3, 4, 6])('role %i', (role) => {
  test('is given of a chatbot’s account what the roles map allows, and nothing else', async () => {
    const own = (await owner.call(dashboard, { body: { pgid: owner.pgid, cgid } })).user
    const member = members.get(role) as Registered
    const seen = (await member.call(dashboard, { body: { pgid: owner.pgid, cgid } })).user
    const compare = (fields: Record<string, string>, all: object, some: object) => {
      for (const [field, feature] of Object.entries(fields).filter(([, each]) => each.includes('.'))) {
        const [whole, part] = [all, some].map((each) => (each as Record<string, unknown>)[field])
        if (rolesOf(feature as Feature).some((each) => each === role)) expect(part, field).toEqual(whole)
        else expect(isEmpty(part), `${field}: ${JSON.stringify(part)}`).toBe(true)
      }
    }
    compare(userFields, own, seen)
    compare(subscriptionFields, own.subscription, seen.subscription)
    compare(chatbotFields, own.chatbot ?? {}, seen.chatbot ?? {})
    // what is emptied was there to be emptied
    expect(own.chatbot).toMatchObject({
      instructions: 'Be kind. The code is 1234.',
      ai: { instructions: 'Be kind. The code is 1234.', temperature: 0.5 },
      hide_urls: ['/internal'],
      data_sources: { faq: [{ id: expect.any(String) }] },
    })
    if (!featureRoles.instructions?.view?.includes(role as 1)) expect(JSON.stringify(seen)).not.toContain('1234')
  })
})

test('who sees no chatbots is refused one, and sees the project without', async () => {
  const billing = members.get(5) as Registered
  expect((await billing.send('POST', '/api/dashboard', { pgid: owner.pgid, cgid })).status).toBe(403)
  const { user } = await billing.call(dashboard, { body: { pgid: owner.pgid } })
  expect(user).toMatchObject({ chatbots: [], chatbot: null, api_keys: [], subscription: { status: 'active' } })
})
