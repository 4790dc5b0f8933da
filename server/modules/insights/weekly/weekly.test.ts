import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { emptyFlow } from '../../../../engine/flow/schema'
import { endBackgroundWork } from '../../../../tests/support/backgroundWork'
import { addMember } from '../../../../tests/support/collab'
import { createWriter, seeded } from '../../../../tests/support/histories'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { updateSettings } from '../../../contracts/account'
import { readAnalytics } from '../../../contracts/analytics'
import { updateCreditPrice } from '../../../contracts/creditPrice'
import { listMails } from '../../../contracts/mails'
import { addWeeklyGuest, readWeeklyMail, removeWeeklyGuest, saveWeeklyMail } from '../../../contracts/weeklyMail'
import { createMailer } from '../../mails/createMailer'
import { createGuestKeys } from './guestKeys'
import { sendWeekly } from './sendWeekly'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A Friday, after the conversations that are written. */
const FRIDAY = Date.parse('2026-11-27T12:00:00Z')
let now = FRIDAY
let server: TestServer
let mails: MailServer
let owner: Registered
beforeAll(async () => {
  mails = await startMailServer()
  server = await startTestServer({
    clock: () => new Date(now),
    config: { smtpUrl: `smtp://127.0.0.1:${mails.port}`, mailFrom: { name: 'Parley', address: 'bot@example.com' } },
  })
  owner = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  const { db } = server.context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', owner.pgid).executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').select('id').where('gid', '=', owner.user.ui).executeTakeFirstOrThrow()
  const flow = await insertPublishedFlow(db, emptyFlow(), 'weekly-bot', {}, project.id)
  const writer = createWriter(db, flow, [user.id], seeded(7))
  for (let step = 0; step < 150; step++) await writer.step()
})
afterAll(() => Promise.all([server.close(), mails.close()]))
beforeEach(() => {
  mails.mails.length = 0
})

const params = () => ({ pgid: owner.pgid })
const monday = { weekday: 1, hour: 9, zone: 'Asia/Kathmandu' }
const save = (more: object = {}) =>
  owner.call(saveWeeklyMail, { params: params(), body: { enabled: true, ...monday, ...more } })

/** What a process does that looks for weekly mails which are due. */
async function look(): Promise<void> {
  const { context } = server
  const parts = { keys: createGuestKeys(context.config), send: createMailer(context), count: async () => {} }
  await sendWeekly(context, parts)
  // the server looks as well
  await endBackgroundWork(server)
}
/** The address of a link in a mail, at this server. */
const linkIn = (text = '', what: 'confirm' | 'end'): string =>
  server.url + (new RegExp(`/api/weekly-mails/\\S+/${what}`).exec(text)?.[0] ?? '')
/** Weekly mails alone: members are told of other things too. */
const reports = () => mails.mails.filter(({ text }) => text?.includes('the week before in grey'))
const toOf = ({ to }: MailServer['mails'][number]) => [to].flat()[0]?.text
const receivers = () => reports().map(toOf).toSorted()
const questions = () => mails.mails.filter(({ subject }) => subject?.includes('wants to share the figures'))

it('is off until somebody switches it on, and comes at the hour of the zone', async () => {
  expect(await owner.call(readWeeklyMail, { params: params(), query: {} })).toMatchObject({
    enabled: false,
    next: null,
  })
  now += 14 * DAY
  await look()
  expect(reports()).toEqual([])
  now = FRIDAY
  // Kathmandu is 5:45 before UTC
  expect((await save()).next).toBe('2026-11-30T03:15:00.000Z')
  expect((await save({ weekday: 5, hour: 18, zone: 'UTC' })).next).toBe('2026-11-27T18:00:00.000Z')
  // winter time begins in the night before
  now = Date.parse('2026-10-24T12:00:00Z')
  expect((await save({ weekday: 1, hour: 9, zone: 'Europe/Berlin' })).next).toBe('2026-10-26T08:00:00.000Z')
})

it('says the figures of the week, as the analytics do, and leads to them', async () => {
  now = FRIDAY
  await save()
  now = Date.parse('2026-11-09T03:16:00Z')
  await server.context.db
    .updateTable('weekly_mails')
    .set({ next_at: new Date(now - MINUTE) })
    .execute()
  const { id: project_id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', owner.pgid)
    .executeTakeFirstOrThrow()
  await server.context.db
    .insertInto('credit_uses')
    .values({ project_id, credit: 'ai_message_credits', key: 'a', amount: 150, used_at: new Date('2026-11-04T12:00Z') })
    .execute()
  const price = { price: 0.025, currency: 'EUR' }
  await owner.call(updateCreditPrice, { params: { pgid: owner.pgid }, body: price })
  const week = { from: '2026-11-02', to: '2026-11-08', zone: 'Asia/Kathmandu' }
  const { detail } = await owner.call(readAnalytics, { params: params(), query: week })
  await look()
  const [mail] = reports()
  expect(mail?.subject).toMatch(/: 2\D+8 November 2026$/)
  const { now: figures, before } = detail ?? expect.unreachable()
  expect(figures.conversations).toBeGreaterThan(0)
  const words = mail?.text?.replace(/\s+/g, ' ') ?? ''
  const html = typeof mail?.html === 'string' ? mail.html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') : ''
  expect(html).toContain(`Conversations ${figures.conversations} ${before.conversations}`)
  expect(html).toContain(`Unresolved ${figures.unresolved} ${before.unresolved}`)
  expect(html).toContain('AI credits 150 0')
  expect(html).toContain('Cost of AI credits €3.75 €0.00')
  expect(words).toContain(`from=2026-11-02&to=2026-11-08&zone=Asia%2FKathmandu&figure=unresolved`)
  expect((await owner.call(readWeeklyMail, { params: params(), query: {} })).next).toBe('2026-11-16T03:15:00.000Z')
})

it('comes once a week, though two processes look at once, and one was killed after it had sent it', async () => {
  now = FRIDAY
  await save()
  now = Date.parse('2026-11-30T03:20:00Z')
  await Promise.all([look(), look(), look()])
  expect(reports()).toHaveLength(1)
  // as a process leaves it that ends before it has noted that the mail was sent
  await server.context.db
    .updateTable('weekly_mails')
    .set({ next_at: new Date('2026-11-30T03:15:00Z'), claimed_until: new Date(now + 10 * MINUTE) })
    .execute()
  await look()
  expect(reports()).toHaveLength(1)
  now += 11 * MINUTE
  await look()
  expect(reports()).toHaveLength(1)
  expect((await owner.call(readWeeklyMail, { params: params(), query: {} })).next).toBe('2026-12-07T03:15:00.000Z')
  // a week in which nothing ran is passed over: its mail would come when the next is near
  now = Date.parse('2026-12-12T00:00:00Z')
  await look()
  expect(reports()).toHaveLength(1)
})

it('comes to a guest who has confirmed, without what visitors wrote, until the guest ends it', async () => {
  now = Date.parse('2026-12-11T12:00:00Z')
  await save()
  const { guests } = await owner.call(addWeeklyGuest, { params: params(), body: { email: 'guest@example.org' } })
  expect(guests).toMatchObject([{ email: 'guest@example.org', confirmed: false }])
  const confirm = linkIn(questions()[0]?.text, 'confirm')
  now = Date.parse('2026-12-14T03:20:00Z')
  await look()
  expect(receivers()).toEqual(['ada@example.com'])

  // a program that follows the link confirms nothing
  const page = await fetch(confirm)
  expect(page.headers.get('x-robots-tag')).toBe('noindex')
  expect(await page.text()).toContain('Get weekly emails')
  const isConfirmed = async () =>
    (await owner.call(readWeeklyMail, { params: params(), query: {} })).guests[0]?.confirmed
  expect(await isConfirmed()).toBe(false)
  expect(await (await fetch(confirm, { method: 'POST' })).text()).toContain('You will get weekly emails')
  expect(await isConfirmed()).toBe(true)

  mails.mails.length = 0
  now = Date.parse('2026-12-21T03:20:00Z')
  await look()
  expect(receivers()).toEqual(['ada@example.com', 'guest@example.org'])
  const mail = reports().find((each) => toOf(each) === 'guest@example.org')
  expect(mail?.text).not.toContain('/analytics')
  expect(mail?.html).not.toContain('Where is my order')
  const end = linkIn(mail?.text, 'end')
  expect(mail?.headers.get('list')).toMatchObject({
    unsubscribe: { url: expect.stringContaining(new URL(end).pathname) },
  })
  // no member reads how to end it for the guest in the outbox
  const { mails: kept } = await owner.call(listMails, { params: params(), query: {} })
  expect(JSON.stringify(kept)).not.toContain('/end')

  expect(await (await fetch(end)).text()).toContain('End these emails')
  expect((await owner.call(readWeeklyMail, { params: params(), query: {} })).guests).toHaveLength(1)
  const ended = await fetch(end, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  expect(await ended.text()).toContain('These emails have ended')
  expect((await owner.call(readWeeklyMail, { params: params(), query: {} })).guests).toEqual([])
})

it('asks a guest no longer than a week, and twice nobody', async () => {
  now = FRIDAY
  await save()
  const add = () => owner.call(addWeeklyGuest, { params: params(), body: { email: 'late@example.org' } })
  const { guests } = await add()
  await expect(add()).rejects.toThrow('This address is already on the list')
  const confirm = linkIn(questions()[0]?.text, 'confirm')
  now += 7 * DAY + MINUTE
  expect(await (await fetch(confirm, { method: 'POST' })).text()).toContain('This link has expired')
  const gid = guests[0]?.gid ?? ''
  await owner.call(removeWeeklyGuest, { params: { pgid: owner.pgid, gid } })
  expect((await owner.call(readWeeklyMail, { params: params(), query: {} })).guests).toEqual([])
})

it('ends for who may no longer see the figures', async () => {
  now = FRIDAY
  const ben = await server.register({ email: 'ben@example.com' })
  await addMember(server, owner.pgid, ben, [Role.ANALYST])
  await owner.call(saveWeeklyMail, { params: params(), body: { enabled: false, ...monday } })
  await ben.call(saveWeeklyMail, { params: params(), body: { enabled: true, ...monday } })
  const { db } = server.context
  const { id } = await db.selectFrom('users').select('id').where('gid', '=', ben.user.ui).executeTakeFirstOrThrow()
  await db
    .updateTable('project_members')
    .set({ roles: [Role.VIEWER] })
    .where('user_id', '=', id)
    .execute()
  now = Date.parse('2026-11-30T03:20:00Z')
  await look()
  expect(reports()).toEqual([])
})

it('speaks the language of the member who gets or shares it, as do the pages of a guest’s links', async () => {
  now = Date.parse('2027-01-01T12:00:00Z')
  const emma = await server.register({ first_name: 'Emma', last_name: 'Noether', email: 'emma@example.com' })
  await addMember(server, owner.pgid, emma, [Role.ADMIN])
  await emma.call(updateSettings, { body: { language: 'de' } })
  await owner.call(saveWeeklyMail, { params: params(), body: { enabled: false, ...monday } })
  await emma.call(saveWeeklyMail, { params: params(), body: { enabled: true, ...monday } })
  await emma.call(addWeeklyGuest, { params: params(), body: { email: 'gast@example.org' } })
  const asked = mails.mails.find((mail) => toOf(mail) === 'gast@example.org')
  expect(asked?.subject).toBe('Emma Noether möchte die Zahlen von My project mit Ihnen teilen')
  const confirm = linkIn(asked?.text, 'confirm')
  expect(await (await fetch(confirm)).text()).toContain('Wöchentliche E-Mails zu My project')
  await fetch(confirm, { method: 'POST' })
  mails.mails.length = 0
  now = Date.parse('2027-01-04T03:20:00Z')
  await look()
  const german = mails.mails.filter(({ text }) => text?.includes('daneben in Grau die Woche davor'))
  expect(german.map(toOf).toSorted()).toEqual(['emma@example.com', 'gast@example.org'])
  for (const { subject, html } of german) {
    expect(subject).toMatch(/^My project: 28\. Dezember 2026\s–\s3\. Januar 2027$/)
    expect(html).toContain('Unterhaltungen')
  }
  // a link that nobody is known by any more: as the browser asks
  const gone = linkIn(german.find((mail) => toOf(mail) === 'gast@example.org')?.text, 'end')
  await fetch(gone, { method: 'POST' })
  const answer = await fetch(gone, { headers: { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' } })
  expect(await answer.text()).toContain('Diese E-Mails sind beendet')
})

it('of a chatbot counts its uncertain answers, and leads to where they are confirmed', async () => {
  now = FRIDAY
  const { gid: chatbot } = await server.context.db.selectFrom('chatbots').select('gid').executeTakeFirstOrThrow()
  const { numUpdatedRows } = await server.context.db
    .updateTable('asked_questions')
    .set({ said: 'Perhaps.' })
    .where('started_at', '>=', new Date('2026-11-03T00:00Z'))
    .where('started_at', '<', new Date('2026-11-08T00:00Z'))
    .executeTakeFirstOrThrow()
  expect(numUpdatedRows).toBeGreaterThan(1n)
  await save({ chatbot })
  now = Date.parse('2026-11-09T03:16:00Z')
  await server.context.db
    .updateTable('weekly_mails')
    .set({ next_at: new Date(now - MINUTE) })
    .where('chatbot_id', 'is not', null)
    .execute()
  await look()
  const words = reports()[0]?.text?.replace(/\s+/g, ' ') ?? ''
  expect(words).toContain(`${numUpdatedRows} questions got an uncertain answer`)
  expect(words).toContain(`/chatbots/${chatbot}/unanswered?show=uncertain`)
})
