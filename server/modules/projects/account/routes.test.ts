import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusing } from '../../../../tests/support/refusing'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { featureRoles, rolesOf } from '../../../access/roles'
import { dashboard, updateAgentChecklist, updateSettings } from '../../../contracts/account'
import { createAction } from '../../../contracts/actions'
import { createChatbot, updateChatbot } from '../../../contracts/chatbots'
import { createProject } from '../../../contracts/projects'
import { addFaq, addText, listSources } from '../../../contracts/sources'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const addChatbot = async (person: Registered, name: string) =>
  (await person.call(createChatbot, { params: { pgid: person.pgid }, body: { name } })).chatbot

async function join(person: Registered, pgid: string, role: number) {
  const { db } = server.context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', pgid).executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').select('id').where('gid', '=', person.user.ui).executeTakeFirstOrThrow()
  const row = { project_id: project.id, user_id: user.id, roles: [role], created_at: new Date() }
  await db.insertInto('project_members').values(row).execute()
}

test('a new account sees its default project, the built-in plan and nothing that is not there', async () => {
  const ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const account = await ada.call(dashboard, { body: {} })
  const project = { gid: ada.pgid, name: 'My project', default: true }
  expect(account.user).toMatchObject({
    ui: ada.user.ui,
    account: {
      email: ada.user.email,
      first_name: 'Ada',
      last_name: 'Lovelace',
      emailed_verified: false,
      wa_beta_enabled: true,
      // nothing was asked yet
      ph_identified: false,
    },
    project,
    projects: [project],
    project_roles: [1],
    chatbots: [],
    chatbot: null,
    total_conversations: 0,
    api_keys: [],
    settings: { hide_v2_upgrade_announcement: false, default_chatbot_id: null },
    subscription: { plan_id: 'self-hosted', name: 'Self-hosted', status: 'active', price: 0 },
    usage: {
      ai_message_credits: { max: 1e9, used: 0, lifetime: 0, lifetime_used: 0 },
      training_credits: { max: 1e12, used: 0 },
      chatbots: { max: 1e6, used: 0 },
      seats: { max: 1e6, used: 1 },
      custom_domains: { max: 1e4, used: 0 },
    },
  })
  expect(Object.values(account.user.subscription.features).every(Boolean)).toBe(true)
  expect(account.plans.map(({ id, price, price_yearly }) => [id, price, price_yearly])).toEqual([
    ['free', 0, 0],
    ['starter', 29, 278.4],
    ['growth', 99, 950.4],
    ['business', 299, 2870.4],
    ['self-hosted', 0, 0],
  ])
  expect(account.plans_detail.growth).toMatchObject({
    limits: { chatbots: 10, seats: 8, custom_domains: 1 },
    features: { whatsapp: true, no_branding: false },
  })
  expect(JSON.parse(Buffer.from(account.fr, 'base64').toString())).toEqual(featureRoles)
})

test('what a project bought besides its plan is named, and counts in its limits and features', async () => {
  const ada = await server.register()
  await server.context.db
    .updateTable('projects')
    .set({ plan_id: 'starter', addons: JSON.stringify({ 5: 1, 3: 2, 9: 0 }) })
    .where('gid', '=', ada.pgid)
    .execute()
  const { user } = await ada.call(dashboard, { body: {} })
  expect(user.billing_addons_subscription).toEqual([
    { id: 3, quantity: 2 },
    { id: 5, quantity: 1 },
  ])
  expect(user.usage.seats.max).toBe(5)
  expect(user.subscription.features).toMatchObject({ no_branding: true, audit: false })
  expect(user.subscription.features_list).toContain('No branding')
})

test('who is in no project uses nothing, and is told of nothing', async () => {
  const ada = await server.register()
  await server.context.db
    .deleteFrom('project_members')
    .where('user_id', 'in', (select) => select.selectFrom('users').select('id').where('gid', '=', ada.user.ui))
    .execute()
  const { user } = await ada.call(dashboard, { body: {} })
  const quiet = { enabled: false, emails: [] }
  expect(user).toMatchObject({
    project: null,
    projects: [],
    project_roles: [],
    api_keys: [],
    total_conversations: 0,
    ai: { models: [] },
    usage: {
      ai_message_credits: { used: 0, lifetime_used: 0 },
      training_credits: { used: 0 },
      chatbots: { used: 0 },
      seats: { used: 0 },
      custom_domains: { used: 0 },
    },
    project_notifications: {
      new_contact: quiet,
      new_conversation: quiet,
      ai_credits_usage: { ...quiet, thresholds: { '50': false, '75': false, '90': false, '100': false } },
    },
  })
})

test.each([1, 2, 3, 4, 5, 6] as const)(
  'the sources of the chatbot are named where role %i may view them',
  async (role) => {
    const ada = await server.register()
    const { pgid } = ada
    const chatbot = await addChatbot(ada, 'Bot')
    const params = { pgid, cgid: chatbot.gid }
    await ada.call(addText, { params, body: { title: 'Hours', markdown: 'Open from nine to five.' } })
    const [source] = (await ada.call(listSources, { params })).sources
    const all = [{ id: source?.gid, type: 'text', name: 'Hours' }]
    expect((await ada.call(dashboard, { body: { cgid: chatbot.gid } })).all_sources).toEqual(all)
    expect((await ada.call(dashboard, { body: { pgid } })).all_sources).toEqual([])
    const grace = await server.register()
    await join(grace, pgid, role)
    const { status, body } = await grace.send('POST', '/api/dashboard', { cgid: chatbot.gid, pgid })
    const sees = rolesOf('knowledge_base.view').includes(role)
    expect(status).toBe(rolesOf('chatbots.view').includes(role) ? 200 : 403)
    if (status === 200) expect((body.data as { all_sources: unknown }).all_sources).toEqual(sees ? all : [])
  },
)

test('every key of the account object is there', async () => {
  const ada = await server.register()
  const { data } = (await ada.send('POST', '/api/dashboard', { cgid: null, pgid: null })).body as {
    data: Record<string, object>
  }
  expect(Object.keys(data).sort()).toEqual([
    'ai_model',
    'all_sources',
    'billing',
    'chat_url',
    'data_source_types',
    'fr',
    'mail_server',
    'plans',
    'plans_detail',
    'user',
    'v2_upgrade_enabled',
  ])
  const keys =
    'chatbots chatbot account ai ui settings custom_domain project_notifications usage subscription project projects ' +
    'total_conversations project_roles onboarding_checklist api_keys billing_addons_subscription ' +
    // and besides those of the specification
    'seat_over over_limit'
  expect(Object.keys(data.user ?? {}).sort()).toEqual(keys.split(' ').sort())
})

test('a chatbot that is named is the current one, and names its project too', async () => {
  const ada = await server.register()
  const { project } = await ada.call(createProject, { body: { name: 'Second' } })
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: project.gid }, body: { name: 'Bot' } })
  const account = await ada.call(dashboard, { body: { cgid: chatbot.gid } })
  expect(account.user).toMatchObject({
    project: { gid: project.gid, default: false },
    chatbots: [{ gid: chatbot.gid, name: 'Bot' }],
    chatbot: {
      gid: chatbot.gid,
      fid: chatbot.fid,
      ai: { model_id: 1, temperature: 0 },
      sharing: { slug: chatbot.slug },
      published: null,
    },
    usage: { chatbots: { used: 1 } },
  })
  const elsewhere = await ada.send('POST', '/api/dashboard', { cgid: chatbot.gid, pgid: ada.pgid })
  expect(elsewhere.status).toBe(404)
})

test("another's project and chatbot are not found", async () => {
  const ada = await server.register()
  const eve = await server.register()
  const { gid } = await addChatbot(ada, 'Secret')
  for (const body of [
    { pgid: ada.pgid },
    { cgid: gid },
    { cgid: gid, pgid: ada.pgid },
    { cgid: gid, pgid: eve.pgid },
  ]) {
    expect(await eve.send('POST', '/api/dashboard', body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test('a member sees what the roles allow', async () => {
  const ada = await server.register()
  const { gid } = await addChatbot(ada, 'Bot')
  const bill = await server.register()
  await join(bill, ada.pgid, 5)
  const account = await bill.call(dashboard, { body: { pgid: ada.pgid } })
  expect(account.user).toMatchObject({ project_roles: [5], chatbots: [], chatbot: null, usage: { seats: { used: 2 } } })
  expect((await bill.send('POST', '/api/dashboard', { cgid: gid, pgid: ada.pgid })).status).toBe(403)
  // the projects are those of the caller, with their own default
  expect(account.user.projects.map((project) => project.default)).toEqual([true, false])
})

test('settings that could not be kept are not told as kept', async () => {
  const ada = await server.register()
  const change = { hide_v2_upgrade_announcement: true }
  const path = updateSettings.path
  const refused = await refusing(server.context.db, 'user_settings', () =>
    ada.send(updateSettings.method, path, change),
  )
  expect(refused.status).toBe(500)
  expect(await ada.call(updateSettings, { body: {} })).toMatchObject({ hide_v2_upgrade_announcement: false })
})

test('settings change where they are given, stay where they are null, and belong to one account', async () => {
  const ada = await server.register()
  const eve = await server.register()
  await ada.call(updateSettings, {
    body: { hide_v2_upgrade_announcement: true, hide_builder_tutorial_video_popup: null },
  })
  const settings = await ada.call(updateSettings, { body: { hide_contact_variables_deprecation_popup: true } })
  expect(settings).toMatchObject({
    hide_builder_tutorial_video_popup: true,
    hide_v2_upgrade_announcement: true,
    hide_contact_variables_deprecation_popup: true,
  })
  expect((await ada.call(dashboard, { body: {} })).user.settings).toEqual(settings)
  expect((await eve.call(updateSettings, { body: {} })).hide_v2_upgrade_announcement).toBe(false)
})

test('what is done for an agent is ticked where it happens', async () => {
  const ada = await server.register()
  const { pgid } = ada
  const ticked = async () => {
    const { agent } = (await ada.call(dashboard, { body: { pgid } })).user.onboarding_checklist
    return (['kb', 'actions', 'playground', 'ai_settings'] as const).filter((item) => agent[item].completed)
  }
  const { chatbot } = await ada.call(createChatbot, { params: { pgid }, body: { name: 'Shop' } })
  const params = { pgid, cgid: chatbot.gid }
  await ada.call(updateChatbot, { params, body: { business_name: 'Shop', business_description: 'Sells lamps.' } })
  expect(await ticked()).toEqual([])
  await ada.call(addFaq, { params, body: { question: 'How can I pay?', answer: 'By card.', phrasings: [] } })
  expect(await ticked()).toEqual(['kb'])
  const action = { name: 'Pay', description: 'To pay.', parameters: [], save_to: null, enabled: true }
  const config = { text: '', buttons: [{ label: 'Pay', url: 'https://example.com/pay' }] }
  await ada.call(createAction, { params, body: { ...action, frequency: 'always', kind: 'buttons', config } })
  expect(await ticked()).toEqual(['kb', 'actions'])
  await server.context.jobs.runDue()
  const path = `/api/projects/${pgid}/chatbots/${chatbot.gid}/answers`
  expect((await ada.send('POST', path, { question: 'How can I pay?', before: [] })).status).toBe(200)
  expect(await ticked()).toEqual(['kb', 'actions', 'playground'])
  // an unticked step is ticked again when it is done
  await ada.call(updateAgentChecklist, { body: { pgid, completed: { actions: false } } })
  await ada.call(createAction, {
    params,
    body: { ...action, name: 'Buy', frequency: 'always', kind: 'buttons', config },
  })
  expect(await ticked()).toContain('actions')
})

test('checklist items ticked at once are all ticked', async () => {
  const ada = await server.register()
  const { pgid } = ada
  const items = ['kb', 'actions', 'playground', 'ai_settings', 'web_customization', 'web_deploy'] as const
  await Promise.all(
    items.map((item) => ada.call(updateAgentChecklist, { body: { pgid, completed: { [item]: true } } })),
  )
  const checklist = await ada.call(updateAgentChecklist, {
    body: { pgid, dismissed: true, completed: { kb: null, actions: false } },
  })
  const done = { completed: true }
  expect(checklist).toEqual({
    dismissed: true,
    kb: done,
    actions: { completed: false },
    playground: done,
    web_customization: done,
    web_deploy: done,
    ai_settings: done,
  })
  expect((await ada.call(dashboard, { body: { pgid } })).user.onboarding_checklist).toEqual({ agent: checklist })
})
