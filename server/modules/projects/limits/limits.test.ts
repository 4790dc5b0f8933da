import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { systemOrigin } from '../../../../tests/support/systemOrigin'
import type { Addons } from '../../../access/addons'
import { Role } from '../../../access/roles'
import { dashboard } from '../../../contracts/account'
import { startConversation } from '../../../contracts/chat'
import { deleteChatbot, listChatbots, updateChatbot } from '../../../contracts/chatbots'
import { openDocument, publishFlow, unpublishFlow } from '../../../contracts/flows'
import { chooseStay, readLimits } from '../../../contracts/limits'
import { leaveProject } from '../../../contracts/members'
import type { Route } from '../../../contracts/route'
import { saveVariable } from '../../../contracts/variables'
import { setPlan } from '../../billing/setPlan'
import { domains } from '../../domains/module'

const clock = createTestClock('2026-11-24T10:00:00Z')
let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
})

const project = () =>
  server.context.db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
async function plan(plan_id: string, addons: Addons = {}) {
  const { id } = await project()
  await setPlan(server.context.db, { plan_id, addons: { 2: 0, 3: 0, 4: 0, ...addons } }, systemOrigin(id))
}
async function chatbots(count: number) {
  const made = []
  for (let n = 1; n <= count; n++) {
    const place = await makeChatbot(ada)
    await ada.call(updateChatbot, { params: place, body: { name: `Bot ${n}` } })
    made.push(place)
  }
  return made as [Place, Place, Place]
}
type Place = Awaited<ReturnType<typeof makeChatbot>>
const inChatbot = ({ pgid, cgid }: Place) => ({ pgid, cgid })
const rename = (who: Registered, place: Place, name = 'Renamed') =>
  who.call(updateChatbot, { params: inChatbot(place), body: { name } })
const account = async (who: Registered, place?: Place) => {
  const { user, fr } = await who.call(dashboard, { body: { pgid: ada.pgid, ...(place && { cgid: place.cgid }) } })
  const map = JSON.parse(Buffer.from(fr, 'base64').toString()) as Record<string, Record<string, number[]>>
  return { ...user, fr: map }
}
const choose = (limit: 'chatbots' | 'seats' | 'custom_domains', chosen: string[], who = ada) =>
  who.call(chooseStay, { params: { pgid: ada.pgid }, body: { limit, chosen } })
const overNames = async () => (await account(ada)).over_limit.map(({ limit, names }) => [limit, ...names])

test('chatbots over a smaller plan’s limit can be read, answer their visitors, and can’t be changed', async () => {
  await plan('starter')
  const [first, second, third] = await chatbots(3)
  const { slug } = (await account(ada, second)).chatbot ?? { slug: '' }
  await ada.call(publishFlow, { params: second, body: {} })
  await plan('free')
  expect(await overNames()).toEqual([['chatbots', 'Bot 2', 'Bot 3']])
  const listed = (await ada.call(listChatbots, { params: { pgid: ada.pgid } })).chatbots
  expect(Object.fromEntries(listed.map(({ name, over_limit }) => [name, over_limit]))).toEqual({
    ...{ 'Bot 1': false, 'Bot 2': true, 'Bot 3': true },
  })
  await rename(ada, first)
  await expect(rename(ada, second)).rejects.toThrow('over_limit')
  await expect(ada.call(publishFlow, { params: second, body: {} })).rejects.toThrow('over_limit')
  // a call that names it in its body
  const variable = { pgid: ada.pgid, cgid: second.cgid, fid: second.fid, name: 'x', type: 'new' } as const
  await expect(ada.call(saveVariable, { body: variable })).rejects.toThrow('over_limit')
  expect(await ada.call(openDocument, { params: second })).toMatchObject({ read_only: true })
  expect(await ada.call(openDocument, { params: first })).toMatchObject({ read_only: false })
  const seen = await account(ada, second)
  expect(seen).toMatchObject({ chatbot: { over_limit: true }, seat_over: false })
  expect([seen.fr.builder?.update, seen.fr.builder?.view?.length, seen.fr.chatbots?.delete]).toEqual([[], 4, [1, 2]])
  expect((await account(ada, first)).fr.builder?.update).toEqual([1, 2, 3])
  // its visitors are answered
  const visit = { client_id: 'visitor-1', language: 'en', time_zone: 'UTC', page: 'https://example.com/' }
  const guest = await server.guest()
  const started = await guest.call(startConversation as Route<unknown, unknown, unknown, unknown>, {
    params: { slug },
    body: { client_id: visit.client_id },
  })
  expect(started).toMatchObject({ conversation: expect.anything() })
  // what takes something away is left
  await ada.call(unpublishFlow, { params: second })
  await ada.call(deleteChatbot, { params: inChatbot(third), body: { name: 'Bot 3' } })
  expect(await overNames()).toEqual([['chatbots', 'Bot 2']])
  // all at once as it was
  await plan('starter')
  expect(await overNames()).toEqual([])
  await rename(ada, second)
  expect((await account(ada, second)).fr.builder?.update).toEqual([1, 2, 3])
})

test('an owner chooses which chatbots stay, and nobody else does', async () => {
  await plan('starter')
  const [first, second, third] = await chatbots(3)
  const bob = await server.register()
  await addMember(server, ada.pgid, bob, [Role.ADMIN])
  await plan('free', { 2: 1, 3: 1 })
  expect(await overNames()).toEqual([['chatbots', 'Bot 3']])
  await expect(choose('chatbots', [third.cgid], bob)).rejects.toThrow('forbidden')
  await expect(choose('chatbots', ['a'.repeat(16)])).rejects.toThrow('not_found')
  const { limits } = await choose('chatbots', [third.cgid])
  expect(limits.find(({ limit }) => limit === 'chatbots')).toMatchObject({
    max: 2,
    places: [
      { gid: third.cgid, chosen: true, over: false },
      { gid: first.cgid, chosen: false, over: false },
      { gid: second.cgid, chosen: false, over: true },
    ],
  })
  await rename(ada, third, 'Bot 3 stays')
  await expect(rename(ada, second)).rejects.toThrow('over_limit')
  await choose('chatbots', [])
  expect(await overNames()).toEqual([['chatbots', 'Bot 3 stays']])
})

test('members over the seats read and may pay; owners are never over, and who was longer in the project stays', async () => {
  await plan('growth')
  const people = await Promise.all(['Eve', 'Bob', 'Oma'].map((first_name) => server.register({ first_name })))
  const [eve, bob, oma] = people as [Registered, Registered, Registered]
  for (const [person, roles] of [
    [eve, [Role.ADMIN]],
    [bob, [Role.EDITOR]],
    [oma, [Role.OWNER]],
  ] as const)
    await addMember(server, ada.pgid, person, [...roles])
  const [bot] = await chatbots(1)
  await plan('starter')
  expect(await overNames()).toEqual([['seats', expect.stringMatching(/^Bob /)]])
  await rename(eve, bot)
  await expect(rename(bob, bot)).rejects.toThrow('more members than the plan has seats')
  expect(await bob.call(openDocument, { params: bot })).toMatchObject({ read_only: true })
  const seen = await account(bob, bot)
  expect(seen).toMatchObject({ seat_over: true, project_roles: [Role.EDITOR], over_limit: [] })
  expect([seen.fr.builder?.update, seen.fr.builder?.view, seen.fr.billing?.plans?.length]).toEqual([
    ...[[], [1, 2, 3, 6], 5],
  ])
  const { limits } = await ada.call(readLimits, { params: { pgid: ada.pgid } })
  const seats = limits.find(({ limit }) => limit === 'seats')?.places ?? []
  expect(seats.map(({ fixed, over }) => [fixed, over])).toEqual([
    ...[
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ],
  ])
  await choose(
    'seats',
    seats.slice(3).map(({ gid }) => gid),
  )
  await rename(bob, bot)
  await expect(rename(eve, bot)).rejects.toThrow('over_limit')
  // one owner alone has a seat: the others stay owners, and can mend it
  await plan('free')
  await rename(oma, bot)
  await expect(rename(bob, bot)).rejects.toThrow('over_limit')
  // who is over can go
  await bob.call(leaveProject, { params: { pgid: ada.pgid } })
  await plan('growth')
  await rename(eve, bot)
})

test('a domain over the limit is not served, and is again with the plan', async () => {
  await plan('business')
  const [first, second] = await chatbots(2)
  const { id } = await project()
  const { db } = server.context
  const hostnames: string[] = []
  for (const { cgid } of [first, second]) {
    const bot = await db.selectFrom('chatbots').select('id').where('gid', '=', cgid).executeTakeFirstOrThrow()
    const hostname = `${cgid}.example.com`
    hostnames.push(hostname)
    const at = clock()
    await db
      .insertInto('custom_domains')
      .values({
        ...{ gid: cgid, project_id: id, chatbot_id: bot.id, hostname, apex: false, status: 'active', owned: true },
        ...{ challenge: 'x', token: cgid, proven_at: at, requested_at: at, created_at: at },
      })
      .execute()
  }
  const { hosts } = server.app.modules.provided(domains)
  const serves = async () => {
    for (const hostname of hostnames) hosts.forget(hostname)
    return Promise.all(hostnames.map(async (hostname) => (await hosts.find(hostname))?.serves))
  }
  const shown = async () =>
    (await ada.call(listChatbots, { params: { pgid: ada.pgid } })).chatbots.map(({ domain }) => domain !== null)
  expect([await serves(), await shown()]).toEqual([
    [true, true],
    [true, true],
  ])
  await plan('growth')
  expect([await serves(), await shown()]).toEqual([
    [true, false],
    [true, false],
  ])
  await choose('custom_domains', [second.cgid])
  expect(await serves()).toEqual([false, true])
  await plan('free')
  expect(await serves()).toEqual([false, false])
  await plan('business')
  expect(await serves()).toEqual([true, true])
})
