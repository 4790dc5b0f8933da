import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createContact, listContacts, readContact } from '../../contracts/contacts'
import { eraseContact, previewRetention, readPersonData, readRetention, saveRetention } from '../../contracts/privacy'
import { BLACKED_OUT } from './redact'
import { applyRetention } from './retention'

const DAY = 86_400
let server: TestServer
let clock: TestClock
beforeAll(async () => {
  clock = createTestClock('2026-11-23T09:00:00Z')
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

/** A project with a chatbot, and a way to write visitors' conversations into it. */
async function makeProject() {
  const ada: Registered = await server.register()
  const { db } = server.context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
  const flow = await insertPublishedFlow(db, emptyFlow(), undefined, {}, project.id)
  const { projectId: project_id, chatbotId: chatbot_id } = flow
  async function say(text: string, status: 'bot' | 'closed' = 'closed') {
    const at = clock()
    const gid = server.context.ids()
    const { id } = await db
      .insertInto('conversations')
      .values({
        ...{
          gid,
          project_id,
          chatbot_id,
          environment: 'sharing',
          status,
          token_hash: Buffer.alloc(32),
          started_by: null,
        },
        ...{ start_client_id: gid, last_client_id: null, created_at: at, updated_at: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const content = JSON.stringify({ kind: 'text', text: plainRichText(text) })
    await db
      .insertInto('messages')
      .values({
        ...{ conversation_id: id, project_id, seq: 1, author: 2, content },
        ...{ block_id: null, client_id: null, created_at: at, words: text },
      })
      .execute()
    return { id, gid }
  }
  async function leave(conversation_id: string, email: string) {
    const who = { name: 'Grace', email, phone: '', source: 'email' as const, environment: 'sharing' as const }
    await db
      .insertInto('leads')
      .values({
        ...{ gid: server.context.ids(), project_id, chatbot_id, conversation_id, ...who, answers: '[]' },
        ...{ created_at: clock(), updated_at: clock() },
      })
      .execute()
  }
  async function ask(conversation_id: string, question: string, wording: string) {
    const place = { conversation_id, project_id, chatbot_id, environment: 'sharing' as const, channel: 'web' }
    const asked = {
      position: 0,
      question,
      wording,
      answered: false,
      sources: [],
      asked_at: clock(),
      started_at: clock(),
    }
    await db
      .insertInto('asked_questions')
      .values({ ...place, ...asked })
      .execute()
  }
  const wordings = async () =>
    (
      await db
        .selectFrom('asked_questions')
        .select('wording')
        .where('project_id', '=', project_id)
        .orderBy('wording')
        .execute()
    ).map(({ wording }) => wording)
  const texts = async () => {
    const { rows } = await sql<{ content: string }>`
      select concat(content::text, words) as content from messages where project_id = ${project_id} order by conversation_id`.execute(
      db,
    )
    return rows.map(({ content }) => content)
  }
  return { ada, params: { pgid: ada.pgid }, project_id, say, leave, ask, wordings, texts }
}

it('deletes what is older than the rules allow and blacks out closed conversations, once a day, and keeps a log', async () => {
  const { ada, params, say, ask, wordings, texts } = await makeProject()
  await say('an old one of old@example.com')
  clock.pass(4 * DAY)
  const closed = await say('closed, by grace@example.com')
  await ask(closed.id, 'Did you write to grace@example.com?', 'did you write to grace example com')
  await say('still open, by mary@example.com', 'bot')
  clock.pass(3 * DAY)
  await say('new, by new@example.com')
  const rules = { delete_after_days: 6, redact_after_days: 2, redact: ['email' as const] }
  expect(await ada.call(previewRetention, { params, body: rules })).toEqual({ deleted: 1, redacted: 1 })
  expect(await texts()).toHaveLength(4)
  await ada.call(saveRetention, { params, body: rules })
  await applyRetention(server.context)
  // the server's own sweep may have a conversation in hand, which is then left to it
  const found = async () => (await texts()).map((text) => /(\w+@example.com|█+)/.exec(text)?.[1])
  await expect.poll(found).toEqual([BLACKED_OUT, 'mary@example.com', 'new@example.com'])
  // nor in what is searched
  expect((await texts()).join()).not.toContain('grace@example.com')
  // nor in what questions are counted by
  expect(await wordings()).toEqual([''])
  const runs = async () => (await ada.call(readRetention, { params })).runs
  await expect.poll(runs).toMatchObject([{ deleted: 1, redacted: 1 }])
  await applyRetention(server.context)
  expect(await runs()).toMatchObject([{ deleted: 1, redacted: 1 }])
  clock.pass(4 * DAY)
  await applyRetention(server.context)
  await expect.poll(async () => (await runs())[0]).toMatchObject({ deleted: 2, redacted: 1 })
})

/** How often what shall be gone is in tables of conversations, by table. */
async function findLeft(project_id: string, text: string) {
  const places = {
    messages: 'content',
    conversation_notes: 'body',
    hand_offs: 'concat(note, email)',
    mails: 'concat(addresses, reason, subject, html, body, deliveries)',
    inbound_mails: 'concat(sender, subject)',
    webhook_messages: 'body',
  }
  const left: string[] = []
  for (const [table, texts] of Object.entries(places)) {
    const { rows } = await sql`select from ${sql.table(table)}
      where project_id = ${project_id} and strpos(${sql.raw(`${texts}::text`)}, ${text}) > 0`.execute(server.context.db)
    if (rows.length > 0) left.push(table)
  }
  return left
}

/** Notes, a hand-off, mails and webhooks of a conversation, each with an address in it. */
async function writeAround(project_id: string, conversation_id: string, address: string) {
  const { db } = server.context
  const at = clock()
  const of = { conversation_id, project_id }
  const text = `Ask ${address}`
  const gid = () => server.context.ids()
  const note = { author_id: null, author_name: 'Ada', client_id: gid(), body: text, after_seq: 1, created_at: at }
  await db
    .insertInto('conversation_notes')
    .values({ gid: gid(), ...of, ...note })
    .execute()
  await sql`insert into hand_offs (conversation_id, project_id, handed_over_at, team, note, addresses, email, mailed_seq)
    values (${conversation_id}, ${project_id}, ${at}, '', ${text}, '[]', ${address}, 1)`.execute(db)
  for (const status of ['sent', 'sending'])
    await sql`insert into mails (gid, project_id, conversation_id, key, purpose, status, reason, message_id, from_name,
        addresses, subject, html, body, created_at, deliveries)
      values (${gid()}, ${project_id}, ${conversation_id}, ${gid()}, 'answer', ${status}, ${text}, ${gid()}, 'Bot',
        ${JSON.stringify({ to: [address] })}, ${text}, ${text}, ${text}, ${at}, ${JSON.stringify({ [address]: {} })})`.execute(
      db,
    )
  await sql`insert into inbound_mails (gid, project_id, message_id, conversation_id, status, sender, subject, received_at)
    values (${gid()}, ${project_id}, ${gid()}, ${conversation_id}, 'accepted', ${address}, ${text}, ${at})`.execute(db)
}

it('mails, notes and hand-offs are blacked out and deleted with their conversation', async () => {
  const { ada, params, project_id, say } = await makeProject()
  const { id } = await say('I am grace@example.com')
  await writeAround(project_id, id, 'grace@example.com')
  await ada.call(saveRetention, {
    params,
    body: { delete_after_days: 9, redact_after_days: 2, redact: ['email' as const] },
  })
  clock.pass(3 * DAY)
  await applyRetention(server.context)
  // a mail that is still being sent is sent as it is
  await expect.poll(() => findLeft(project_id, 'grace@example.com')).toEqual(['mails'])
  clock.pass(9 * DAY)
  await applyRetention(server.context)
  await expect.poll(() => findLeft(project_id, '')).toEqual([])
})

it('what is said after a conversation was blacked out is blacked out too, and so is what rules come to name', async () => {
  const { ada, params, project_id, say, texts } = await makeProject()
  const { id } = await say('I am grace@example.com, +44 20 7946 0000')
  const rules = { delete_after_days: null, redact_after_days: 1 }
  const save = (redact: ('email' | 'phone')[], isOn = true) =>
    ada.call(saveRetention, { params, body: { ...rules, redact, ...(!isOn && { redact_after_days: null }) } })
  const preview = async (redact: ('email' | 'phone')[]) =>
    (await ada.call(previewRetention, { params, body: { ...rules, redact } })).redacted
  const said = async () => (await texts()).join()
  await save(['email'])
  clock.pass(2 * DAY)
  await applyRetention(server.context)
  await expect.poll(said).toContain(`I am ${BLACKED_OUT}, +44`)
  // off, so that the server's own sweep does nothing between the looks
  await save(['email'], false)
  expect(await preview(['email'])).toBe(0)
  expect(await preview(['email', 'phone'])).toBe(1)
  // its visitor comes back
  const content = JSON.stringify({ kind: 'text', text: plainRichText('Now at mary@example.com') })
  const again = {
    author: 2 as const,
    content,
    block_id: null,
    client_id: null,
    created_at: clock(),
    words: 'mary@example.com',
  }
  const { db } = server.context
  await db
    .insertInto('messages')
    .values({ conversation_id: id, project_id, seq: 2, ...again })
    .execute()
  await db.updateTable('conversations').set({ updated_at: clock() }).where('id', '=', id).execute()
  clock.pass(2 * DAY)
  expect(await preview(['email'])).toBe(1)
  await save(['email'])
  await applyRetention(server.context)
  await expect.poll(said).not.toContain('mary@example.com')
  await save(['email', 'phone'])
  clock.pass(DAY)
  await applyRetention(server.context)
  await expect.poll(said).not.toContain('7946')
})

it('touches no other project, and wants a plan with retention', async () => {
  const [one, other] = [await makeProject(), await makeProject()]
  await one.say('mine')
  await other.say('theirs')
  clock.pass(5 * DAY)
  const body = { delete_after_days: 1, redact_after_days: null, redact: [] }
  await one.ada.call(saveRetention, { params: one.params, body })
  await applyRetention(server.context)
  // the server's own sweep may have it in hand, as above
  await expect.poll(one.texts).toEqual([])
  expect(await other.texts()).toHaveLength(1)
  await server.context.db
    .updateTable('projects')
    .set({ plan_id: 'growth' })
    .where('id', '=', other.project_id)
    .execute()
  await expect(other.ada.call(saveRetention, { params: other.params, body })).rejects.toThrow('plan_limit')
})

it('shows all that is known of a person, and erases that person alone', async () => {
  const { ada, params, say, leave, texts } = await makeProject()
  const [hers, his] = [await say('I am Grace'), await say('I am Charles')]
  await leave(hers.id, 'Grace@example.com')
  await leave(his.id, 'charles@example.com')
  const body = { fields: { name: 'Grace', email: 'grace@example.com' } }
  const { contact } = await ada.call(createContact, { params, body })
  const one = { params: { ...params, gid: contact.gid } }
  const { timeline } = await ada.call(readContact, one)
  expect(timeline.map(({ kind, conversation }) => [kind, conversation])).toEqual([
    ['conversation', hers.gid],
    ['lead', hers.gid],
  ])
  const { data } = await ada.call(readPersonData, one)
  expect(JSON.stringify(data)).toContain('I am Grace')
  expect(JSON.stringify(data)).not.toContain('Charles')
  expect(await ada.call(eraseContact, one)).toEqual({ conversations: 1, leads: 1 })
  expect(await texts()).toEqual([expect.stringContaining('I am Charles')])
  expect((await ada.call(listContacts, { params })).contacts).toEqual([])
  const { erasures } = await ada.call(readRetention, { params })
  expect(erasures).toMatchObject([{ contact: contact.gid, conversations: 1, leads: 1 }])
})

it('knows a person by an address that was left a moment ago, before anything was counted', async () => {
  const { ada, params, project_id, say, texts } = await makeProject()
  const { db } = server.context
  const variables = [{ id: 'v-mail', name: 'Email', value: null }]
  const { versionId } = await insertPublishedFlow(db, { ...emptyFlow(), variables }, undefined, {}, project_id)
  async function leaves(conversation_id: string, email: string) {
    const { id: run_id } = await db
      .insertInto('runs')
      .values({
        ...{ project_id, conversation_id, number: 1, flow_version_id: versionId, state: 'ended', session: '{}' },
        ...{ start_event: JSON.stringify({ type: 'start' }), created_at: clock() },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const step = { flowId: null, groupId: 'g', blockId: 'b', kind: 'email-input', port: null, messages: 0 }
    const trace = JSON.stringify([{ ...step, writes: { 'v-mail': email } }])
    await db
      .insertInto('turn_records')
      .values({ run_id, project_id, turn: 0, trace, variables: '{}', created_at: clock() } as never)
      .execute()
    await db.insertInto('insight_pending').values({ conversation_id, project_id }).execute()
  }
  const [seen, downloaded, erased] = [await say('I asked'), await say('I waited'), await say('I go')]
  const { contact } = await ada.call(createContact, { params, body: { fields: { email: 'grace@example.com' } } })
  const one = { params: { ...params, gid: contact.gid } }
  await leaves(seen.id, 'grace@example.com')
  expect((await ada.call(readContact, one)).timeline.map(({ conversation }) => conversation)).toContain(seen.gid)
  await leaves(downloaded.id, 'grace@example.com')
  expect(JSON.stringify((await ada.call(readPersonData, one)).data)).toContain('I waited')
  await leaves(erased.id, 'grace@example.com')
  expect(await ada.call(eraseContact, one)).toEqual({ conversations: 3, leads: 3 })
  expect(await texts()).toEqual([])
})

it('erases nobody else for a contact without an email and a phone', async () => {
  const { ada, params, say, leave } = await makeProject()
  await leave((await say('I am Charles')).id, '')
  const { contact } = await ada.call(createContact, { params, body: { fields: { name: 'Nobody' } } })
  const answer = await ada.call(eraseContact, { params: { ...params, gid: contact.gid } })
  expect(answer).toEqual({ conversations: 0, leads: 0 })
})
