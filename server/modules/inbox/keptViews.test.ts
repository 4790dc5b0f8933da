import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { addMember } from '../../../tests/support/collab'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { startConversation } from '../../contracts/chat'
import { listInbox } from '../../contracts/inbox'
import { forgetView, keepView, listKeptViews, MOST_KEPT_VIEWS } from '../../contracts/inboxViews'
import { removeMember } from '../../contracts/members'

let server: TestServer
let ada: Registered
let grace: Registered
let params: { pgid: string }
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
  params = { pgid: ada.pgid }
  grace = await server.register({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' })
  await addMember(server, ada.pgid, grace, [Role.ADMIN])
})
afterAll(() => server.close())

const kept = async (who: Registered) => (await who.call(listKeptViews, { params })).views
const keep = async (who: Registered, name: string, view: object) =>
  (await who.call(keepView, { params, body: { name, view: 'all', filters: {}, ...view } })).view

it('a view is kept under a name for whoever keeps it, and replaced by one of its name', async () => {
  const first = await keep(ada, 'Portugal', { view: 'mine', filters: { language: 'pt', days: 7, rating: 1 } })
  await keep(ada, 'as soon as possible', { view: 'waiting' })
  expect((await kept(ada)).map(({ name }) => name)).toEqual(['as soon as possible', 'Portugal'])
  const again = await keep(ada, 'PORTUGAL', { filters: { language: 'pt' } })
  expect(again.gid).toBe(first.gid)
  expect(await kept(ada)).toContainEqual({ ...again, view: 'all', filters: { language: 'pt' } })
  expect(await kept(grace)).toEqual([])
})

it('what is no view is refused at its field', async () => {
  await expect(keep(ada, ' ', {})).rejects.toThrow('Enter a name')
  await expect(keep(ada, 'x'.repeat(51), {})).rejects.toThrow(': 422 ')
  for (const view of [{ view: 'theirs' }, { filters: { days: 0 } }, { filters: { since: '2026-01-01T00:00:00.000Z' } }])
    await expect(keep(ada, 'No', view)).rejects.toThrow(': 422 ')
})

it('a colleague can’t forget it, whoever keeps it can', async () => {
  const mine = await keep(ada, 'Mine', { view: 'mine' })
  const forget = (who: Registered) => who.call(forgetView, { params: { ...params, gid: mine.gid } })
  await expect(forget(grace)).rejects.toThrow(': 404 ')
  await forget(ada)
  await expect(forget(ada)).rejects.toThrow(': 404 ')
  expect((await kept(ada)).map(({ name }) => name)).not.toContain('Mine')
})

it('no more than fifty are kept, and one of them can be replaced still', async () => {
  for (let n = 0; n < MOST_KEPT_VIEWS; n++) await keep(grace, `View ${n}`, {})
  await expect(keep(grace, 'One more', {})).rejects.toThrow('There can be at most 50.')
  await keep(grace, 'View 7', { view: 'closed' })
  expect(await kept(grace)).toHaveLength(MOST_KEPT_VIEWS)
})

it('those of a removed member go', async () => {
  await ada.call(removeMember, { params: { ...params, gid: grace.user.ui } })
  await server.context.jobs.runDue()
  const left = () => server.context.db.selectFrom('inbox_views').select('name').execute()
  await expect.poll(async () => (await left()).some(({ name }) => name === 'View 7')).toBe(false)
  expect((await left()).length).toBe((await kept(ada)).length)
})

it('the filter of a language finds visitors of all its regions', async () => {
  const { db } = server.context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
  await insertPublishedFlow(db, emptyFlow(), 'spoken', {}, project.id)
  const guest = await server.guest()
  for (const language of ['en', 'en-US', 'enm', 'de-AT'])
    await guest.call(startConversation, {
      params: { slug: 'spoken' },
      body: { client_id: `start-${language}`, language },
    })
  const found = async (language: string) => {
    const { conversations } = await ada.call(listInbox, { params, query: { view: 'closed', language } })
    return conversations.map((conversation) => conversation.language).toSorted()
  }
  expect(await found('en')).toEqual(['en', 'en-us'])
  expect(await found('EN-us')).toEqual(['en-us'])
  expect(await found('de')).toEqual(['de-at'])
  expect(await found('e%')).toEqual([])
})
