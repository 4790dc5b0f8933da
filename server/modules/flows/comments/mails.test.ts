import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { createThread, deleteComment, editComment, muteThread, replyToThread } from '../../../contracts/comments'
import { createFlow } from '../../../contracts/flows'
import { listMails } from '../../../contracts/mails'

let mails: MailServer
let server: TestServer
let ada: Registered
let ben: Registered
let cy: Registered
let flow: { pgid: string; cgid: string; fid: string }
let now = new Date('2026-11-22T10:00:00Z')
beforeAll(async () => {
  mails = await startMailServer()
  server = await startTestServer({
    clock: () => now,
    config: {
      smtpUrl: `smtp://127.0.0.1:${mails.port}`,
      mailFrom: { name: 'Parley', address: 'bot@example.com' },
      publicUrl: 'https://parley.example',
    },
  })
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' })
  ben = await server.register({ first_name: 'Ben', last_name: 'Cook', email: 'ben@example.org' })
  cy = await server.register({ first_name: 'Cy', last_name: 'Young', email: 'cy@example.org' })
})
afterAll(async () => {
  await server?.close()
  await mails?.close()
})
beforeEach(async () => {
  for (const member of [ben, cy]) await addMember(server, ada.pgid, member, [Role.EDITOR])
  flow = await makeChatbot(ada)
  await arrived()
})

const at = (gid: string) => ({ ...flow, gid })
const mention = (who: Registered) => `<@${who.user.ui}>`
const begin = async (who: Registered, body: string, params = flow) =>
  (
    await who.call(createThread, {
      params,
      body: { anchor: { kind: 'block', id: 'b' }, place: 'Greeting', body, client_id: server.context.ids() },
    })
  ).thread
const reply = async (who: Registered, gid: string, body: string) =>
  (await who.call(replyToThread, { params: at(gid), body: { body, client_id: server.context.ids() } })).comment

/** Lets the time pass in which a comment can be withdrawn. */
async function deliver(): Promise<void> {
  now = new Date(now.getTime() + 10_000)
  await server.context.jobs.runDue()
}

/** Recipients of mails since the last call. */
async function arrived(): Promise<string[]> {
  await deliver()
  mails.mails.length = 0
  return mails.envelopes
    .splice(0)
    .flatMap(({ to }) => to)
    .sort()
}

test('a mail says who mentions one, where and what, and leads to the thread', async () => {
  await begin(ada, 'Nobody is named')
  expect(await arrived()).toEqual([])
  const thread = await begin(ada, `Is <b>this</b> polite, ${mention(ben)}?`)
  await deliver()
  expect(mails.mails).toHaveLength(1)
  const [mail] = mails.mails
  expect(mail?.subject).toBe('Ada Lovelace mentioned you in Bot')
  expect(mail?.from?.text).toBe('"Parley" <bot@example.com>')
  const link = `https://parley.example/projects/${flow.pgid}/chatbots/${flow.cgid}/builder?thread=${thread}`
  expect(mail?.text).toContain('Ada Lovelace: Is <b>this</b> polite, @Ben Cook?')
  expect(mail?.text).toContain('Bot › Greeting')
  expect(mail?.text).toContain(link)
  expect(mail?.html).toContain('Is &lt;b&gt;this&lt;/b&gt; polite')
  expect(await arrived()).toEqual(['ben@example.org'])
})

test('a reply goes to those who wrote in the thread and those it mentions, once each, never to its author', async () => {
  const thread = await begin(ada, 'First')
  await reply(ben, thread, 'Second')
  expect(await arrived()).toEqual(['ada@example.org'])
  await reply(ada, thread, `Third ${mention(ben)} ${mention(cy)} ${mention(ada)}`)
  await deliver()
  expect(mails.mails.map(({ text }) => text?.includes('Ben Cook: Second'))).toEqual([true, true])
  expect(await arrived()).toEqual(['ben@example.org', 'cy@example.org'])
  // a mention alone makes nobody a participant
  await reply(ben, thread, 'Fourth')
  expect(await arrived()).toEqual(['ada@example.org'])
})

test('who stopped the mails of a thread, or may no longer see the flow, gets none', async () => {
  const thread = await begin(ada, 'First')
  await reply(ben, thread, 'Second')
  await reply(cy, thread, 'Third')
  await arrived()
  await ben.call(muteThread, { params: at(thread), body: { muted: true } })
  await reply(ada, thread, `Fourth ${mention(ben)}`)
  await addMember(server, ada.pgid, cy, [Role.BILLING])
  expect(await arrived()).toEqual([])
  await ben.call(muteThread, { params: at(thread), body: { muted: false } })
  await addMember(server, ada.pgid, cy, [Role.VIEWER])
  await reply(ada, thread, 'Fifth')
  expect(await arrived()).toEqual(['ben@example.org', 'cy@example.org'])
})

test('an edit is mailed to those whom it adds, and a comment deleted meanwhile to nobody', async () => {
  const thread = await begin(ada, `Look, ${mention(ben)}`)
  const comment = await reply(ada, thread, `And you, ${mention(ben)}`)
  await arrived()
  await ada.call(editComment, { params: at(comment), body: { body: `And you, ${mention(ben)} and ${mention(cy)}` } })
  expect(await arrived()).toEqual(['cy@example.org'])
  await ada.call(editComment, { params: at(comment), body: { body: `And you, ${mention(ben)}` } })
  await ada.call(editComment, { params: at(comment), body: { body: `And you, ${mention(cy)}!` } })
  expect(await arrived()).toEqual([])
  const regretted = await reply(ada, thread, `Never mind, ${mention(ben)}`)
  await ada.call(deleteComment, { params: at(regretted) })
  expect(await arrived()).toEqual([])
})

test('a job that is carried out again after a crash sends nothing twice', async () => {
  await begin(ada, `Once, ${mention(ben)}`)
  const { db } = server.context
  const jobs = await db.selectFrom('jobs').selectAll().where('kind', '=', 'mail-comment').execute()
  expect(await arrived()).toEqual(['ben@example.org'])
  await db
    .insertInto('jobs')
    .values(jobs.map(({ id: _, payload, ...job }) => ({ ...job, payload: JSON.stringify(payload) })))
    .execute()
  expect(jobs).toHaveLength(1)
  expect(await arrived()).toEqual([])
})

test('the link of another flow names it, and the outbox lists the mails', async () => {
  const { flow: other } = await ada.call(createFlow, { params: flow, body: { title: 'Returns' } })
  const thread = await begin(ada, `Here, ${mention(ben)}`, { ...flow, fid: other.gid })
  await deliver()
  expect(mails.mails[0]?.text).toContain(`builder?flow=${other.gid}&thread=${thread}`)
  expect(mails.mails[0]?.text).toContain('Bot › Returns › Greeting')
  const listed = await ada.call(listMails, { params: { pgid: flow.pgid } })
  expect(listed.mails[0]).toMatchObject({ purpose: 'comment', status: 'sent', to: ['ben@example.org'], chatbot: null })
})
