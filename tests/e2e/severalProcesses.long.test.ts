import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalFlow } from '../../engine/flow/canonical'
import { plainRichText } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { login, register } from '../../server/contracts/auth'
import { createChatbot } from '../../server/contracts/chatbots'
import { createContact } from '../../server/contracts/contacts'
import { createExport, listExports } from '../../server/contracts/exports'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { addSavedReply } from '../../server/contracts/inbox'
import { acceptAsNew } from '../../server/contracts/invitations'
import { inviteMembers } from '../../server/contracts/members'
import { listProjects } from '../../server/contracts/projects'
import { saveSurvey } from '../../server/contracts/web'
import { surveySchema } from '../../server/contracts/web/settings'
import { makeFolder, OWNER_LINK, type RunningApp, startProcess } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createClient, type TestClient } from '../support/client'
import { openPeer, type Peer, synced } from '../support/collab'
import { flowAround } from '../support/conversations'
import { tokenOf } from '../support/people'
import { type RedisServer, startRedisServer } from '../support/redisServer'

/**
 * Two processes as the README says to start them: the first with the embedded database, the second at the address that the first prints.
 * Rights, folding and what is lost of Redis have tests of their own (server/modules/flows/collab/severalProcesses.test.ts); here processes die.
 */
let folder: string
let redis: RedisServer
let first: RunningApp
let second: RunningApp
let owner: TestClient
let fid: string
let place: { pgid: string; cgid: string; fid: string }
let slug: string
const browsers: TestBrowser[] = []
beforeAll(async () => {
  folder = await makeFolder()
  redis = await startRedisServer()
  first = await startFirst()
  const ownerLink = await first.prints(OWNER_LINK)
  owner = await createClient(first.url)
  await owner.call(register, {
    body: {
      first_name: 'Ada',
      last_name: 'Owner',
      email: 'ada@example.com',
      password: 'correct horse battery',
      setup_token: new URL(ownerLink).searchParams.get('setup_token') ?? undefined,
    },
  })
  second = await startSecond()
  const { projects } = await owner.call(listProjects)
  const pgid = projects[0]?.gid ?? ''
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  fid = chatbot.fid
  slug = chatbot.slug
  place = { pgid, cgid: chatbot.gid, fid }
})
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()))
  await second?.end('SIGINT')
  await first?.end('SIGINT')
  await redis?.close()
  await rm(folder, { recursive: true, force: true })
})

const startFirst = () => startProcess({ DATA_DIR: folder, REDIS_URL: redis.url })
const startSecond = async (port = '0') =>
  startProcess({
    DATA_DIR: folder,
    REDIS_URL: redis.url,
    PORT: port,
    DATABASE_URL: await first.prints(/DATABASE_URL='(.+)'/),
  })
const soon = <Value>(read: () => Value) => expect.poll(read)
const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
const has = (id: string) => (document: Peer['document']) => document.projection().groups.has(id)
const flowOf = ({ document }: Peer) => canonicalFlow(document.toFlow())

/** As a load balancer does it: the client's next connection goes to another process. */
function moveTo(app: RunningApp, { provider }: Peer): void {
  provider.serverUrl = `${app.url.replace(/^http/, 'ws')}/collab`
}

test('people design together across two processes, one of which is killed and started again with its database', async () => {
  const [here, there] = [openPeer(first, owner, fid), openPeer(second, owner, fid)]
  await Promise.all([synced(here), synced(there)])
  const present = there.provider.awareness.getStates()
  here.document.commands.addGroup(group('from-first'))
  await there.sees(has('from-first'))
  there.document.commands.addGroup(group('from-second'))
  await here.sees(has('from-second'))
  here.provider.awareness.setLocalStateField('cursor', { x: 1, y: 2 })
  const client = here.document.doc.clientID
  await soon(() => present.get(client)?.cursor).toEqual({ x: 1, y: 2 })

  // the last thing that the first process acknowledged: others have it, so it is stored
  here.document.commands.addGroup(group('just-before'))
  await there.sees(has('just-before'))
  here.provider.disconnect()
  const sitting = openPeer(first, owner, fid)
  await soon(() => present.has(sitting.document.doc.clientID)).toBe(true)
  await first.end('SIGKILL')
  await soon(() => present.has(sitting.document.doc.clientID)).toBe(false)

  // its database is still there: the second goes on, and takes those who were at the first
  there.document.commands.addGroup(group('after-the-death'))
  here.document.commands.addGroup(group('made-offline'))
  moveTo(second, here)
  here.provider.connect()
  await here.sees(has('after-the-death'))
  await there.sees(has('made-offline'))
  moveTo(second, sitting)
  await sitting.sees(has('made-offline'))
  const late = openPeer(second, owner, fid)
  await late.sees(has('just-before'))

  // it comes back, its database is started anew at the same address, and both go on
  first = await startFirst()
  const back = openPeer(first, owner, fid)
  await back.sees(has('made-offline'))
  there.document.commands.addGroup(group('after-the-return'))
  await back.sees(has('after-the-return'))
  back.document.commands.addGroup(group('at-the-end'))
  const peers = [here, there, sitting, late, back]
  await Promise.all(peers.map((peer) => peer.sees(has('at-the-end'))))
  await soon(() => new Set(peers.map((peer) => JSON.stringify(flowOf(peer)))).size).toBe(1)
  for (const peer of peers) peer.leave()
})

test('a day of the inbox: two people at two processes and a visitor on a phone, and one process is killed', async () => {
  const { pgid, cgid } = place
  const params = { pgid }
  // the first process may have been started again since, at another port
  const adas = await createClient(first.url)
  await adas.call(login, { body: { email: 'ada@example.com', password: 'correct horse battery' } })
  const texts = { prompt: plainRichText('Your email?'), message: plainRichText('') }
  const [team, note] = ['Sales', ''].map((value) => ({ type: 'static', value }))
  const source = JSON.stringify(flowAround('hand-off', { team, note, to: [], emailId: null, ...texts }))
  await adas.call(importFlow, { params: place, body: { source, mode: 'replace' } })
  await adas.call(publishFlow, { params: place })
  await adas.call(saveSurvey, {
    params: { pgid, cgid },
    body: { settings: { ...surveySchema.parse({}), enabled: true } },
  })
  await adas.call(addSavedReply, { params, body: { shortcut: 'hello', body: 'Hello, this is {{name}}.' } })
  const bob = await createClient(second.url)
  const { invited } = await adas.call(inviteMembers, {
    params,
    body: { emails: ['bob@example.com'], roles: [Role.ADMIN] },
  })
  const token = tokenOf(invited[0]?.link ?? '')
  await bob.call(acceptAsNew, {
    body: { token, first_name: 'Bob', last_name: 'Bell', password: 'correct horse battery' },
  })

  const open = async (app: RunningApp, who: TestClient | null, viewport = { width: 1440, height: 900 }) => {
    const browser = await launchBrowser({ viewport })
    browsers.push(browser)
    const cookies = [...(who?.cookies ?? [])].map(([name, value]) => ({ name, value, url: app.url }))
    await browser.context.addCookies(cookies)
    return browser.page
  }
  const [ada, bobs, phone] = await Promise.all([
    open(first, adas),
    open(second, bob),
    open(first, null, { width: 390, height: 844 }),
  ])
  await Promise.all([
    ada.goto(`${first.url}/projects/${pgid}/conversations`),
    bobs.goto(`${second.url}/projects/${pgid}/conversations`),
  ])
  await Promise.all([ada, bobs].map((page) => page.getByText('No open conversations').waitFor()))

  // the visitor asks for a person; both are told, and Bob takes it
  await phone.goto(`${first.url}/c/${slug}`)
  await phone.getByText('Your email?').waitFor()
  const say = async (text: string) => {
    const field = phone.getByRole('textbox').last()
    await field.fill(text)
    await field.press('Enter')
  }
  await say('grace@example.com')
  await phone.getByText('You are next').waitFor()
  await bobs.getByRole('button', { name: 'Notifications, 1 new' }).waitFor()
  for (const page of [ada, bobs]) await page.getByRole('button', { name: /grace@example\.com/ }).click()
  const thread = (page: typeof ada) => page.getByRole('region', { name: 'Conversation', exact: true })
  const log = (page: typeof ada) => thread(page).getByRole('log')
  await thread(bobs).getByRole('button', { name: 'Take over' }).click()
  await log(ada).getByText('Bob Bell took over').waitFor()

  const reply = thread(bobs).getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await bobs.keyboard.type('/hel')
  await thread(bobs).getByRole('list', { name: 'Saved replies' }).waitFor()
  await bobs.keyboard.press('Enter')
  await soon(() => reply.textContent()).toContain('this is Bob Bell.')
  await thread(bobs).getByRole('button', { name: 'Send', exact: true }).click()
  await phone.getByText('this is Bob Bell.').waitFor()
  await thread(ada).getByRole('button', { name: 'Note', exact: true }).click()
  await thread(ada).getByRole('textbox', { name: 'Your note' }).fill('A lost parcel')
  await thread(ada).getByRole('button', { name: 'Add note' }).click()
  await log(bobs).getByText('A lost parcel').waitFor()

  // his process dies under his next answer: his words stay, and go out once
  await thread(bobs).getByRole('button', { name: 'Reply', exact: true }).click()
  await reply.click()
  await bobs.keyboard.type('It comes tomorrow')
  await second.end('SIGKILL')
  await bobs.keyboard.press('Enter')
  const again = log(bobs).getByRole('button', { name: 'Send again' })
  await again.waitFor()
  await say('Are you there?')
  await log(ada).getByText('Are you there?').waitFor()
  second = await startSecond(new URL(second.url).port)
  // his stream finds it again, and shows what was said meanwhile
  await log(bobs).getByText('Are you there?').waitFor()
  await again.click()
  await phone.getByText('It comes tomorrow').waitFor()
  await soon(() => log(ada).getByText('It comes tomorrow').count()).toBe(1)

  await thread(bobs).getByRole('button', { name: 'Give back to the bot' }).click()
  await phone.getByText('Your email?').nth(1).waitFor()
  await thread(ada).getByRole('button', { name: 'Take over' }).click()
  await log(bobs).getByText('Ada Owner took over').waitFor()
  await thread(ada).getByRole('button', { name: 'Reply', exact: true }).click()
  await thread(ada).getByRole('textbox', { name: 'Your reply' }).click()
  await ada.keyboard.type('Goodbye')
  await thread(ada).getByRole('button', { name: 'Send and close' }).click()
  await phone.getByRole('heading', { name: 'How was this conversation?' }).waitFor()
  // nothing else is asked: the rating is the answer
  await phone.getByRole('radio', { name: 'Good', exact: true }).click()
  await phone.getByText('Thank you for your feedback').waitFor()
  expect(await phone.getByRole('log').getByText('It comes tomorrow').count()).toBe(1)

  // who wrote is a contact; at the other process she is found to be a customer, and the first one says so
  const customer = { name: 'Grace Hopper', email: 'grace@example.com', phone: '+15550100' }
  await bob.call(createContact, { params, body: { fields: customer } })
  await bobs.goto(`${second.url}/projects/${pgid}/contacts`)
  await bobs.getByRole('button', { name: 'Import, duplicates and fields' }).click()
  await bobs.getByRole('menuitem', { name: 'Duplicates' }).click()
  const doubles = bobs.getByRole('dialog', { name: 'Duplicates' })
  await doubles.getByRole('button', { name: 'Merge grace@example.com and Grace Hopper' }).click()
  await doubles.getByRole('button', { name: 'Merge contacts' }).click()
  await doubles.getByText('Grace Hopper was merged into Grace Hopper').waitFor()
  await ada.goto(`${first.url}/projects/${pgid}/contacts`)
  const people = ada.getByRole('region', { name: 'Contacts' })
  await people.getByText('+15550100').waitFor()
  expect(await people.getByRole('row').count()).toBe(2)
  await people.getByRole('button', { name: 'Grace Hopper' }).click()
  await ada.getByRole('dialog').getByText('Rated Bot: 4 of 5').waitFor()

  const file = await adas.call(createExport, { params, body: { kind: 'conversations' } })
  const exported = async () => (await adas.call(listExports, { params })).exports[0]?.status
  await soon(exported).toBe('done')
  const cookie = [...adas.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const path = `/api/projects/${pgid}/exports/${file.export.gid}/download?format=jsonl`
  const lines = await (await fetch(second.url + path, { headers: { cookie } })).text()
  expect(lines.match(/It comes tomorrow/g)).toHaveLength(1)
})
