import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { registry } from '../../../blocks/registry'
import type { Flow } from '../../../engine/flow/schema'
import type { Json } from '../../../engine/values/json'
import { plainRichText } from '../../../engine/values/richText'
import { flowAround } from '../../../tests/support/conversations'
import { callContext } from '../../../tests/support/effects'
import { type MailServer, refusal, startMailServer } from '../../../tests/support/mailServer'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { updateSettings } from '../../contracts/account'
import { readTranscript } from '../../contracts/conversations'
import { listMails } from '../../contracts/mails'
import { createJobs } from '../../platform/jobs/createJobs'
import { createSmtp } from '../../platform/mail/smtp'
import type { ConversationRef } from '../conversations/conversations/conversationRef'
import { type Conversation, createRuntime } from '../conversations/runtime/createRuntime'
import { createMailer } from '../mails/createMailer'
import { BUNDLE, mailAdded } from './added'
import { createHandOffHandler } from './handOffHandler'

let now = new Date('2026-11-21T10:00:00Z')
let server: TestServer
let mails: MailServer
const refused = new Set<string>()
/** runs once in the middle of a delivery */
let duringDelivery: (() => void) | null = null
beforeAll(async () => {
  mails = await startMailServer({
    onRcptTo: ({ address }, _session, done) => (refused.has(address) ? done(refusal(550, 'Gone')) : done()),
  })
  server = await startTestServer({ clock: () => now })
  // the jobs of the tests are done by a process of their own, and by nobody before it
  await server.context.jobs.close()
})
afterAll(() => Promise.all([server.close(), mails.close()]))
const runtimes: Pick<ReturnType<typeof createRuntime>, 'close'>[] = []
afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.close()
  await server.context.db.deleteFrom('jobs').execute()
})
beforeEach(() => {
  mails.mails.length = 0
  mails.envelopes.length = 0
  refused.clear()
  duringDelivery = null
})

const noted = { type: 'static', value: 'VIP <b>' }
const handOffData = (more: object = {}) => ({
  team: { type: 'static', value: 'Sales' },
  to: [],
  note: noted,
  emailId: null,
  prompt: plainRichText('Your email?'),
  message: plainRichText(''),
  ...more,
})

interface Setting {
  /** additional data of the block */
  more?: object
  /** changes the flow: an earlier question in the visitor's own words, known facts about the visitor */
  flow?: (flow: Flow) => Flow
  variables?: Record<string, Json>
  contact?: string
  /** false: no mail server */
  smtp?: boolean
  environment?: Conversation['environment']
}

/** A flow that asks a question and hands over, in a project whose members have those roles. */
async function bot(
  members: number[][],
  { more, variables, contact, smtp = true, environment = 'sharing' }: Setting = {},
) {
  // a separate process with its own jobs: the server's runtime uses those of the server
  const context = {
    ...server.context,
    drafts: server.parts.drafts,
    jobs: createJobs(server.context),
    config: { ...server.context.config, smtpUrl: smtp ? 'smtp://there' : null },
  }
  const { db } = context
  const around = flowAround('hand-off', handOffData(more), variables ?? {})
  const flow = await insertPublishedFlow(db, withQuestion(around))
  const people: Registered[] = []
  for (const roles of members) {
    const person = await server.register()
    const { id } = await db.selectFrom('users').select('id').where('gid', '=', person.user.ui).executeTakeFirstOrThrow()
    await db
      .insertInto('project_members')
      .values({ project_id: flow.projectId, user_id: id, roles, created_at: now })
      .execute()
    people.push(person)
  }
  const smtpTo = createSmtp({ ...context.config, smtpUrl: `smtp://127.0.0.1:${mails.port}` })
  const deliver: typeof smtpTo = async (...mail) => {
    const delivered = await smtpTo(...mail)
    duringDelivery?.()
    return delivered
  }
  const send = createMailer(context, { deliver: smtp ? deliver : null, wait: async () => undefined })
  const handler = createHandOffHandler(context, send)
  const { jobs } = context
  jobs.handle(mailAdded(context, send))
  const runtime = createRuntime(context, [handler])
  runtimes.push(runtime)
  const known = contact === undefined ? {} : { known: { contact_email: contact } }
  const options = { ...flow, environment, clientId: 'start-0001', startedBy: null, ...known }
  const { ref } = await runtime.start(options)
  let count = 0
  return {
    people,
    /** makes the block's request in a separate call */
    ask: async (request: object, key: string) => {
      const { gid, flow_version_id } = await db
        .selectFrom('conversations')
        .innerJoin('runs', 'runs.id', 'conversations.run_id')
        .select(['gid', 'flow_version_id'])
        .where('conversations.id', '=', ref.id)
        .executeTakeFirstOrThrow()
      const called = callContext({
        project: { id: ref.project_id },
        conversation: { id: ref.id, gid, visitor: null },
        run: { id: ref.run_id, versionId: flow_version_id, variables: {} },
        idempotencyKey: `${gid}.${key}`,
      })
      return handler.answer({ team: '', note: '', ...request }, called)
    },
    ref,
    jobs,
    say: (text: string) => runtime.reply(ref, `message-${String(++count).padStart(4, '0')}`, { type: 'text', text }),
    read: () => runtime.read(ref),
    handOff: () => handOffOf(ref),
  }
}

const handOffOf = ({ id, project_id }: ConversationRef) =>
  server.context.db
    .selectFrom('hand_offs')
    .selectAll()
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()

/** Adds a text question before the block. */
function withQuestion(flow: Flow): Flow {
  const question = {
    id: 'question',
    kind: 'text-input',
    version: 2,
    data: { ...registry.find('text-input')?.defaults(() => 'q'), prompt: plainRichText('What do you want to know?') },
  }
  const groups = flow.groups.map((group) => {
    const at = group.blocks.findIndex(({ id }) => id === 'subject')
    return at < 0 ? group : { ...group, blocks: group.blocks.toSpliced(at, 0, question) }
  })
  return { ...flow, groups }
}

const toldTo = () => mails.envelopes.flatMap(({ to }) => to).sort()
const after = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

it('mails everybody who may answer visitors the whole conversation, the question, the address and a link', async () => {
  const { people, ref, say, read, handOff } = await bot(
    [[Role.OWNER], [Role.EDITOR], [Role.ANALYST, Role.VIEWER], [Role.BILLING]],
    { contact: 'ada@example.com' },
  )
  const said = await say('Do you deliver to <b>Peru</b>?')
  expect(said).toMatchObject({
    state: 'waiting',
    session: { request: { toTeam: { delivery: 'mail', email: 'ada@example.com' } } },
  })
  expect(toldTo()).toEqual([people[0]?.user.email, people[2]?.user.email].sort())
  const [mail] = mails.mails
  const { gid } = await read()
  expect(mail?.subject).toBe('A visitor of Bot needs an answer')
  expect(mail?.replyTo?.text).toBe('ada@example.com')
  for (const text of [
    'Last question: Do you deliver to <b>Peru</b>?',
    'ada@example.com',
    'VIP <b>',
    'Bot: What do you want to know?',
    'Visitor: Do you deliver to <b>Peru</b>?',
  ])
    expect(mail?.text).toContain(text)
  expect(mail?.html).toContain('VIP &lt;b&gt;')
  expect(mail?.text).toMatch(new RegExp(`/projects/[a-z0-9]{16}/chatbots/[a-z0-9]{16}/conversations/${gid}`))
  expect(await handOff()).toMatchObject({
    handed_over_at: now,
    team: 'Sales',
    note: 'VIP <b>',
    email: 'ada@example.com',
  })

  // who says where to be answered is a contact
  expect(
    await server.context.db
      .selectFrom('contacts')
      .select(['email', 'test'])
      .where('project_id', '=', ref.project_id)
      .execute(),
  ).toEqual([{ email: 'ada@example.com', test: false }])

  // the link's target, for members who may see conversations
  const place = await server.context.db
    .selectFrom('conversations')
    .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
    .innerJoin('projects', 'projects.id', 'conversations.project_id')
    .select(['projects.gid as pgid', 'chatbots.gid as cgid'])
    .where('conversations.id', '=', ref.id)
    .executeTakeFirstOrThrow()
  const params = { ...place, conversation: gid }
  const { transcript } = (await people[2]?.call(readTranscript, { params })) ?? {}
  expect(transcript).toMatchObject({
    state: 'open',
    hand_off: { team: 'Sales', email: 'ada@example.com' },
    messages: [{ author: 1 }, { author: 2 }],
  })
  const path = `/api/projects/${place.pgid}/chatbots/${place.cgid}/conversations/${gid}`
  expect((await people[1]?.send('GET', path))?.status).toBe(403)
  expect((await (await server.register()).send('GET', path)).status).toBe(404)
})

it('mails the addresses that the block names instead', async () => {
  const to = ['shop@example.org', 'desk@example.org'].map((value, at) => ({
    id: `a${at}`,
    address: { type: 'static', value },
  }))
  const { say, people } = await bot([[Role.OWNER]], { contact: 'ada@example.com', more: { to } })
  // whose language a team's address is told in, since it is no account's
  await people[0]?.call(updateSettings, { body: { language: 'de' } })
  await say('Do you deliver?')
  expect(toldTo()).toEqual(['desk@example.org', 'shop@example.org'])
  expect(mails.mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Ein Besucher von Bot braucht eine Antwort'))
  expect(mails.mails[0]?.text).toContain('Besucher: Do you deliver?')
})

it('finds the address that the visitor gave before, and asks where there is none or several', async () => {
  const variables = { shop: 'shop@example.org' }
  const asked = await bot([[Role.OWNER]], { variables })
  expect((await asked.say('Do you deliver?')).session.request).toMatchObject({ input: 'email' })
  expect(mails.mails).toEqual([])
  expect((await asked.say('ada@example.com')).session.request).toMatchObject({ toTeam: { email: 'ada@example.com' } })
  expect(mails.mails[0]?.text).toContain('Last question: Do you deliver?')

  const { db } = server.context
  const { ask, ref } = await bot([[Role.OWNER]], { variables })
  const call = (candidates: string[]) => ask({ candidates }, `${candidates.length}`)
  expect(await call(['shop@example.org'])).toEqual({ ok: false, error: 'address-wanted' })
  expect(await call(['shop@example.org', 'a@example.com', 'b@example.com'])).toEqual({
    ok: false,
    error: 'address-wanted',
  })
  expect(await call(['shop@example.org', 'a@example.com'])).toMatchObject({ ok: true, email: 'a@example.com' })
  expect(await db.selectFrom('hand_offs').select('email').where('conversation_id', '=', ref.id).execute()).toEqual([
    { email: 'a@example.com' },
  ])
})

it('mails what is added in one mail, each message once', async () => {
  const { say, read, handOff, jobs } = await bot([[Role.OWNER]], { contact: 'ada@example.com' })
  await say('Do you deliver?')
  mails.mails.length = 0
  await say('To Peru, I mean')
  after(BUNDLE / 2)
  await say('By ship')
  expect(await jobs.runDue()).toBe(0)
  after(BUNDLE / 2)
  expect(await jobs.runDue()).toBe(1)
  expect(mails.mails.map(({ subject }) => subject)).toEqual(['Re: A visitor of Bot needs an answer'])
  expect(mails.mails[0]?.text).toMatch(/To Peru, I mean[\s\S]*By ship/)
  expect(mails.mails[0]?.text).not.toContain('Do you deliver')
  expect(await jobs.runDue()).toBe(0)

  mails.mails.length = 0
  await say('Thanks')
  // a message that arrives while a mail is being sent goes into the next one
  let late: Promise<unknown> | null = null
  duringDelivery = () => {
    duringDelivery = null
    late = say('One more')
  }
  after(BUNDLE)
  await jobs.runDue()
  await late
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails.map(({ text }) => /Thanks|One more/.exec(text ?? '')?.[0])).toEqual(['Thanks', 'One more'])
  const { messages, state } = await read()
  expect([messages.at(-1)?.seq, state]).toEqual([(await handOff())?.mailed_seq, 'waiting'])
})

it('what a crash cut is mailed once, also what was being added', async () => {
  const { ask, ref, say, handOff, jobs } = await bot([[Role.ADMIN]], { contact: 'ada@example.com' })
  await say('Do you deliver?')
  const again = () => ask({ email: 'ada@example.com' }, 'again')
  mails.mails.length = 0
  expect(await again()).toMatchObject({ ok: true, notified: 1 })
  expect(await again()).toMatchObject({ ok: true, notified: 1 })
  expect(mails.mails.length).toBe(1)

  // the mail was sent, but that was not stored: the job runs again, and the visitor writes more
  await say('To Peru')
  const before = await handOff()
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails.length).toBe(2)
  const { key } = await server.context.db
    .selectFrom('mails')
    .select('key')
    .where('conversation_id', '=', ref.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await server.context.db
    .updateTable('hand_offs')
    .set({ mailed_seq: before?.mailed_seq, mailing_seq: (await handOff())?.mailed_seq, mailing_key: key.split('.')[1] })
    .where('conversation_id', '=', ref.id)
    .execute()
  await say('By ship')
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails.length).toBe(2)
  await say('Or by plane')
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails.length).toBe(3)
  expect(mails.mails[2]?.text).toMatch(/By ship[\s\S]*Or by plane/)
})

it('nobody is available where nobody may answer, or nobody could be told', async () => {
  const none = await bot([[Role.EDITOR]], { contact: 'ada@example.com' })
  expect((await none.say('Do you deliver?')).state).toBe('ended')
  expect(await none.handOff()).toBeUndefined()

  const { ask, people } = await bot([[Role.OWNER], [Role.ADMIN]])
  const call = (key: string) => ask({ email: 'ada@example.com' }, key)
  refused.add(people[0]?.user.email ?? '')
  expect(await call('x')).toMatchObject({ ok: true, notified: 1, delivery: 'mail' })
  refused.add(people[1]?.user.email ?? '')
  expect(await call('y')).toEqual({ ok: false, error: 'nobody-available' })
})

it('what nobody could be mailed goes into the next mail', async () => {
  const { say, people, jobs } = await bot([[Role.OWNER]], { contact: 'ada@example.com' })
  await say('Do you deliver?')
  await say('To Peru')
  mails.mails.length = 0
  refused.add(people[0]?.user.email ?? '')
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails).toEqual([])
  refused.clear()
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails[0]?.text).toContain('To Peru')
})

it('without a mail server it is kept, and said to be', async () => {
  const { say, people, ref, jobs } = await bot([[Role.OWNER]], { contact: 'ada@example.com', smtp: false })
  expect((await say('Do you deliver?')).session.request).toMatchObject({ toTeam: { delivery: 'kept' } })
  await say('To Peru')
  after(BUNDLE)
  await jobs.runDue()
  expect(mails.mails).toEqual([])
  const { gid: pgid } = await server.context.db
    .selectFrom('projects')
    .select('gid')
    .where('id', '=', ref.project_id)
    .executeTakeFirstOrThrow()
  const outbox = await people[0]?.call(listMails, { params: { pgid }, query: {} })
  expect(outbox?.mails.map(({ status, subject }) => [status, subject])).toEqual([
    ['outbox', 'Re: A visitor of Bot needs an answer'],
    ['outbox', 'A visitor of Bot needs an answer'],
  ])
})
