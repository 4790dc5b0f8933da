import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { addMember } from '../../../tests/support/collab'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { startConversation } from '../../contracts/chat'
import { addTeam, changeConversations, countInbox, deleteTeam, listInbox } from '../../contracts/inbox'
import { changeKeptView, forgetView, keepView, listKeptViews, MOST_KEPT_VIEWS } from '../../contracts/inboxViews'
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
  (await who.call(keepView, { params, body: { name, view: 'all', filters: {}, shared_with: null, ...view } })).view

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

it('a view is shared with a team or everybody, who may change it, and is nobody else’s', async () => {
  const sales = await ada.call(addTeam, {
    params,
    body: { name: 'Sales', assignment: 'manual', members: [ada.user.ui] },
  })
  const names = async (who: Registered) => (await kept(who)).map(({ name }) => name)
  const view = await keep(ada, 'Late ones', { view: 'due', shared_with: sales.team.gid })
  expect(view).toMatchObject({ shared_with: sales.team.gid, own: true, by: expect.stringMatching(/^Ada /) })
  // Grace is not of the team
  expect(await names(grace)).not.toContain('Late ones')
  const change = (who: Registered, name: string, shared_with: string | null) =>
    who.call(changeKeptView, { params: { ...params, gid: view.gid }, body: { name, shared_with } })
  await expect(change(grace, 'Mine now', null)).rejects.toThrow(': 404 ')
  await change(ada, 'Late ones', 'everybody')
  expect((await kept(grace)).find(({ gid }) => gid === view.gid)).toMatchObject({ own: false, view: 'due' })
  await change(grace, 'Very late ones', 'everybody')
  expect(await names(ada)).toContain('Very late ones')
  await expect(change(ada, 'Very late ones', 'x'.repeat(16))).rejects.toThrow('There is no such team any more.')
  await expect(change(ada, 'Portugal', 'everybody')).rejects.toThrow('There is a view of this name.')
  await change(ada, 'Very late ones', sales.team.gid)
  await ada.call(deleteTeam, { params: { ...params, gid: sales.team.gid } })
  expect(await names(ada)).not.toContain('Very late ones')
})

it('a period of a view is its days, or both of its ends', async () => {
  const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
  expect((await keep(ada, 'January', { filters: { since, until } })).filters).toEqual({ since, until })
  for (const filters of [{ until }, { since, until, days: 3 }])
    await expect(keep(ada, 'No', { filters })).rejects.toThrow(': 422 ')
})

it('each team and each kept view says how many open conversations it has', async () => {
  const { db } = server.context
  const lin = await server.register({ email: 'lin@example.com' })
  const of = { pgid: lin.pgid }
  const project = await db.selectFrom('projects').select('id').where('gid', '=', lin.pgid).executeTakeFirstOrThrow()
  await insertPublishedFlow(db, emptyFlow(), 'counted', {}, project.id)
  const guest = await server.guest()
  const begun: string[] = []
  for (const language of ['en', 'de', 'de-AT']) {
    const body = { client_id: `start-${language}`, language }
    const { conversation } = await guest.call(startConversation, { params: { slug: 'counted' }, body })
    begun.push(conversation.id)
  }
  const { team } = await lin.call(addTeam, {
    params: of,
    body: { name: 'Help', assignment: 'manual', members: [lin.user.ui] },
  })
  const body = { name: 'German', filters: { language: 'de', days: 7 }, shared_with: null }
  const open = await lin.call(keepView, { params: of, body: { ...body, view: 'all' } })
  const done = await lin.call(keepView, { params: of, body: { ...body, name: 'Done', view: 'closed' } })
  const [first = '', second = ''] = begun
  await lin.call(changeConversations, {
    params: of,
    body: { conversations: [first, second], change: { status: 'open', team: team.gid } },
  })
  const { teams, kept: counted } = await lin.call(countInbox, { params: of })
  expect(teams).toEqual({ [team.gid]: 2 })
  expect(counted).toEqual({ [open.view.gid]: 1 })
  expect(counted).not.toHaveProperty(done.view.gid)
})

it('those of a removed member go, but for those that others see', async () => {
  const left = async () =>
    (await server.context.db.selectFrom('inbox_views').select('name').execute()).map(({ name }) => name)
  await ada.call(forgetView, { params: { ...params, gid: (await keep(ada, 'Gone', {})).gid } })
  const [first] = (await kept(grace)).filter(({ own }) => own)
  const shared = { name: 'For all', shared_with: 'everybody' as const }
  await grace.call(changeKeptView, { params: { ...params, gid: first?.gid ?? '' }, body: shared })
  await ada.call(removeMember, { params: { ...params, gid: grace.user.ui } })
  await server.context.jobs.runDue()
  await expect.poll(left).not.toContain('View 7')
  expect((await kept(ada)).find(({ name }) => name === 'For all')).toMatchObject({ own: false, by: null })
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
