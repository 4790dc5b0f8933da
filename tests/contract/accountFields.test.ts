import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../server/cli/sources.mjs'
import { dashboard, updateAgentChecklist } from '../../server/contracts/account'
import { createApiKey } from '../../server/contracts/api-keys'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { addFaq, addText } from '../../server/contracts/sources'
import { reserveCredits, settleCredits } from '../../server/modules/billing/credits'
import { takeCredits } from '../../server/modules/billing/monthlyCredits'
import type { SubscriptionState } from '../../server/modules/subscriptions/subscriptionState'
import { endBackgroundWork } from '../support/backgroundWork'
import { addMember } from '../support/collab'
import { leavesOf } from '../support/leaves'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/**
 * No field of the account object (SPEC.md 3) is constant: somebody who has just come, and somebody who has all there is,
 * are told something else in each.
 */
let plain: TestServer
let rich: TestServer
let newcomer: Registered
let owner: Registered

beforeAll(async () => {
  plain = await startTestServer()
  const stripe = { secretKey: 'sk_test_1', webhookSecret: null, apiUrl: 'http://127.0.0.1:9', trialDays: 0 }
  const ai = { provider: 'openai-compatible', model: 'large', key: 'k', url: 'http://127.0.0.1:9/v1' }
  const config = { billing: true, stripe, chatUrl: 'http://chat.test', smtpUrl: 'smtp://127.0.0.1:9', ai }
  rich = await startTestServer({ beside: plain, config: config as never })
  newcomer = await plain.register({ first_name: 'Eve' })
  owner = await rich.register({ email: 'rich@example.com' })
})
afterAll(async () => {
  await rich?.close()
  await plain?.close()
})

const MONTH = 31 * 86_400_000
const state: SubscriptionState = {
  ...{ plan_id: 'starter', interval: 'month', addons: { 3: 1 }, id: 'sub_1', status: 'trialing', cents: 3_700 },
  ...{ currency: 'usd', period_end: new Date(Date.now() + MONTH).toISOString(), trial_end: null, ended_at: null },
  cancel_at: new Date(Date.now() + MONTH).toISOString(),
  scheduled: { plan_id: 'starter', interval: 'month', addons: {}, at: new Date(Date.now() + MONTH).toISOString() },
  ...{ failing_since: null, payment_url: null, waits: false },
}

/** What somebody has who uses all there is; by the act where one call does it, by the row where it takes a vendor. */
async function furnish() {
  const { db, clock, ids } = rich.context
  const { pgid, user } = owner
  const at = clock()
  const project = await db.selectFrom('projects').select('id').where('gid', '=', pgid).executeTakeFirstOrThrow()
  const person = await db.selectFrom('users').select('id').where('gid', '=', user.ui).executeTakeFirstOrThrow()
  await db.updateTable('projects').set({ plan_id: 'business' }).where('id', '=', project.id).execute()
  const lender = (await owner.call(createChatbot, { params: { pgid }, body: { name: 'Lender' } })).chatbot
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Full' } })
  const idOf = async (gid: string) =>
    (await db.selectFrom('chatbots').select('id').where('gid', '=', gid).executeTakeFirstOrThrow()).id
  const [chatbotId, lenderId] = [await idOf(chatbot.gid), await idOf(lender.gid)]
  const params = { pgid, cgid: chatbot.gid }
  await owner.call(addFaq, { params, body: { question: 'Why?', answer: 'Because.', phrasings: [] } })
  await owner.call(addText, { params, body: { title: 'Prices', markdown: 'All is free.' } })
  await owner.call(addFaq, {
    params: { pgid, cgid: lender.gid },
    body: { question: 'A?', answer: 'B.', phrasings: [] },
  })
  const source = {
    project_id: project.id,
    chatbot_id: chatbotId,
    status: 'queued' as const,
    created_at: at,
    updated_at: at,
  }
  for (const kind of ['link', 'document'] as const)
    await db
      .insertInto('knowledge_sources')
      .values({
        ...source,
        gid: ids(),
        kind,
        title: kind,
        ...(kind === 'link' ? { url: 'https://example.com/' } : { sha256: 'a'.repeat(64), file_name: 'a.pdf' }),
      })
      .execute()
  await owner.call(createApiKey, { params: { pgid }, body: { name: 'Agent' } })
  const done = {
    kb: true,
    actions: true,
    playground: true,
    ai_settings: true,
    web_customization: true,
    web_deploy: true,
  }
  await owner.call(updateAgentChecklist, { body: { pgid, dismissed: true, completed: done } })

  const own = db.forProject(project.id)
  const use = { projectId: project.id, at, key: 'a' }
  await reserveCredits(own, { ...use, amount: 2, chatbotId, visitor: 'grace' })
  await settleCredits(own, { ...use, amount: 2 })
  for (const credit of ['email_credits', 'speech_to_text_seconds', 'training_credits', 'resync_credits'] as const)
    await takeCredits(own, { ...use, credit, amount: 3 })
  await db
    .insertInto('custom_domains')
    .values({
      ...{ gid: ids(), project_id: project.id, chatbot_id: chatbotId, hostname: 'chat.example.com', apex: false },
      ...{ status: 'pending_dns', challenge: 'c', token: 't', created_at: at },
    })
    .execute()
  await addMember(rich, pgid, newcomer, [3])
  await db
    .updateTable('projects')
    .set({
      ...{
        plan_id: 'starter',
        addons: JSON.stringify({ 3: 1, 'bonus-training': 900, 'bonus-ai-credits': 9 }),
        name: 'Rich',
      },
      ...{ credit_notices: false, credit_notice_thresholds: [], credit_notice_emails: ['a@example.com'] },
      ...{ new_contact_notices: true, new_contact_emails: ['a@example.com'] },
      ...{ new_conversation_notices: true, new_conversation_emails: ['a@example.com'] },
    })
    .where('id', '=', project.id)
    .execute()
  await db
    .insertInto('subscriptions')
    .values({ project_id: project.id, customer_id: 'cus_1', state: JSON.stringify(state) })
    .execute()
  await db
    .updateTable('chatbots')
    .set({
      ...{
        business_name: 'Acme',
        business_description: 'Sells.',
        instructions: 'Be kind.',
        ai_model_id: 2,
        version: 1,
      },
      ...{
        type: 1,
        platform_id: 2,
        ai_language: 'German',
        ai_temperature: 0.5,
        hide_urls: ['/in'],
        linked_kb_id: lenderId,
      },
      ...{ setup_steps: JSON.stringify([{ text: 'Fill it in', done: false }]), sample: true },
    })
    .where('id', '=', chatbotId)
    .execute()
  const asked = { enabled: true, required: true }
  await db
    .insertInto('web_chats')
    .values({
      ...{ project_id: project.id, chatbot_id: chatbotId, share_password_hash: 'h', updated_at: at },
      embed: JSON.stringify({ whitelisted_domains: ['example.com'] }),
      visibility: JSON.stringify({
        visibility: 'off',
        schedule: { enabled: true, week: [[{ from: 0, to: 60 }], [], [], [], [], [], []] },
        limits: { by_visitor: 3, message: 'Slower' },
      }),
      share: JSON.stringify({ auth_enabled: true }),
      language: JSON.stringify({ interface_language: 'de' }),
      survey: JSON.stringify({
        ...{ enabled: true, rating: { type: 'text' }, after_minutes: 5 },
        ...{ follow_up: asked, resolved: asked, feedback: asked },
      }),
    } as never)
    .execute()
  await db
    .updateTable('users')
    .set({
      email_verified: true,
      language: 'de',
      created_at: new Date(at.getTime() - MONTH),
      first_name: 'Rich',
      last_name: 'Owner',
    })
    .where('id', '=', person.id)
    .execute()
  await db
    .updateTable('user_settings')
    .set({
      ...{ onboarding_survey_completed: true, onboarding_displayed: true, hide_onboarding_checklist: true },
      ...{ hide_v2_upgrade_announcement: true, hide_builder_tutorial_video_popup: false },
      ...{ hide_contact_variables_deprecation_popup: true, show_feature_vote_1: true, default_chatbot_id: chatbotId },
      survey: JSON.stringify({}),
    })
    .where('user_id', '=', person.id)
    .execute()
  // one more, which is over the limit of a smaller plan
  const { chatbot: last } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Last' } })
  const at3 = { pgid, cgid: last.gid, fid: last.fid }
  await owner.call(publishFlow, { params: at3, body: {} })
  return { full: params, lender: last.gid, projectId: project.id, chatbotId }
}

/** The same for everybody: lists of what there is, and what every plan has. */
const catalogues = /^(plans|plans_detail|data_source_types|user\.ai\.languages)\b/
const ofEveryPlan = /^user\.subscription\.features\.(web|share|playground|basic_analytics)$/
/** What takes a vendor, a visitor or a picture: where it is shown to change. */
const elsewhere = {
  'user.account.picture': 'server/modules/accounts/profile/pictures.test.ts',
  'user.chatbot.domain': 'server/modules/domains/domains.test.ts',
  'user.chatbot.draft_changed': 'server/modules/chatbots/list.test.ts',
  'user.chatbot.whatsapp_connection': 'server/modules/whatsapp/whatsapp.test.ts',
  'user.total_conversations': 'server/modules/projects/account/routes.test.ts',
}

test('each field says something else of who has just come, of who has all there is, and of who looks on there', async () => {
  const { db } = rich.context
  const params = { pgid: newcomer.pgid }
  const { chatbot } = await newcomer.call(createChatbot, { params, body: { name: 'Plain' } })
  const told = async (who: Registered, body: object) => leavesOf(await who.call(dashboard, { body }))
  const empty = await told(newcomer, { ...params, cgid: chatbot.gid })
  const { full, lender, projectId, chatbotId } = await furnish()
  // what is trained counts: always before, however busy the machine is
  await endBackgroundWork(rich)
  const all = await told(owner, full)
  // an editor of that project, when its plan has ended and it has used more than the free one has
  const own = db.forProject(projectId)
  const use = { projectId, at: rich.context.clock(), key: 'b' }
  await db
    .updateTable('projects')
    .set({ plan_id: 'free', addons: JSON.stringify({ 'bonus-training': 900 }) })
    .where('id', '=', projectId)
    .execute()
  await reserveCredits(own, { ...use, amount: 108, chatbotId, visitor: 'grace' })
  await settleCredits(own, { ...use, amount: 108 })
  await takeCredits(own, { ...use, credit: 'training_credits', amount: 5e5 + 5 })
  const looking = await told(newcomer, { pgid: owner.pgid, cgid: lender })
  const usage = await told(owner, { pgid: owner.pgid })
  const places = [...all.keys()].filter((path) => !catalogues.test(path) && !ofEveryPlan.test(path))
  const same = places.filter(
    (path) =>
      [empty, looking].every((other) => other.get(path) === all.get(path)) &&
      (usage.get(path) ?? all.get(path)) === all.get(path),
  )
  expect(same.toSorted()).toEqual(Object.keys(elsewhere).toSorted())
  for (const [path, file] of Object.entries(elsewhere))
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(path.split('.').at(-1))
})
