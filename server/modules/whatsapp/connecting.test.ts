import { afterAll, afterEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { keysOf } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { startWhatsappServer } from '../../../tests/support/vendors/whatsapp/whatsappServer'
import { uploadFile } from '../../contracts/files'
import {
  checkWhatsapp,
  connectWhatsapp,
  readWhatsapp,
  readWhatsappProfile,
  saveWhatsappPicture,
  saveWhatsappProfile,
  type WhatsappTry,
} from '../../contracts/whatsapp'
import { createCheckNumber } from './checkNumber'
import { createConnections } from './connections'
import { createGraph } from './graph'

/** Connecting a number step by step, how it is in both directions, and the picture that people see. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const clock = createTestClock('2027-07-20T10:00:00Z')
const started = await startWhatsappServer({ clock })
const { whatsapp, ada, place, server } = started
afterAll(started.close)
afterEach(() => expect(whatsapp.broken).toEqual([]))

const path = () => `/api/projects/${place.pgid}/chatbots/${place.cgid}/whatsapp`
const tryStep = (body: WhatsappTry) => ada.send('POST', `${path()}/try`, body)
const wrong = async (body: WhatsappTry) => {
  const { status, body: answer } = await tryStep(body)
  expect(status).toBe(422)
  return Object.keys((answer.data as { fields: Record<string, string> }).fields)
}

test('says of each step whether WhatsApp takes it, at the field that is wrong, and stores nothing', async () => {
  const { app_id, app_secret, token, business_id, number_id } = keysOf(whatsapp)
  const app = { step: 'app', app_id, app_secret, token } as const
  expect((await tryStep(app)).body.data).toEqual({ found: 'Parley (sandbox)' })
  expect(await wrong({ ...app, app_secret: 'another' })).toEqual(['app_secret'])
  expect(await wrong({ ...app, app_id: '12345' })).toEqual(['app_secret'])
  expect(await wrong({ ...app, token: 'EAAold' })).toEqual(['token'])
  expect(await wrong({ ...app, app_id: 'x' })).toEqual(['app_id'])
  const number = { step: 'number', token, business_id, number_id } as const
  expect((await tryStep(number)).body.data).toEqual({ found: '+44 20 7946 0958 · Workshop (sandbox)' })
  expect(await wrong({ ...number, number_id: '12345' })).toEqual(['number_id'])
  expect(await wrong({ ...number, business_id: '12345' })).toEqual(['business_id'])
  expect(await wrong({ ...number, token: 'EAAold' })).toEqual(['token'])
  expect(whatsapp.state.number.pin).toBeNull()
  const pin = { step: 'pin', token, number_id, pin: '123456' } as const
  expect(await wrong({ ...pin, token: 'EAAold' })).toEqual(['token'])
  expect(await wrong({ ...pin, pin: '12' })).toEqual(['pin'])
  expect((await tryStep(pin)).body.data).toEqual({ found: '+44 20 7946 0958' })
  expect(whatsapp.state.number.pin).toBe('123456')
  expect(await wrong({ ...pin, pin: '654321' })).toEqual(['pin'])
  expect((await ada.call(readWhatsapp, { params: place })).connection).toBeNull()
})

test('a token that may not do what is needed is told apart from one that works', async () => {
  const { app_id, app_secret, token } = keysOf(whatsapp)
  whatsapp.state.scopes = ['whatsapp_business_management']
  const { body } = await tryStep({ step: 'app', app_id, app_secret, token })
  expect(JSON.stringify(body.data)).toContain('whatsapp_business_messaging')
  whatsapp.state.scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
})

test('a connected number shows its limit, when WhatsApp was last heard, and whether it still sends here', async () => {
  whatsapp.state.number.tier = 'TIER_10K'
  const { connection, graph } = await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  expect(connection).toMatchObject({ tier: 'TIER_10K', status_id: 1, heard_at: null, problem: null })
  // some three months before v24.0 is two years old
  expect(graph).toEqual({ version: 'v24.0', ends_on: '2027-10-08', state: 'ends-soon' })
  const ben = whatsapp.phones.add('Ben', '447700900100')
  whatsapp.phones.write(ben, { type: 'text', text: { body: 'Hello' } })
  await started.settle()
  const heard = (await ada.call(checkWhatsapp, { params: place })).connection
  expect(heard).toMatchObject({ heard_at: clock().toISOString(), problem: null })
  // somebody takes the app off the account at Meta: calls still work, and nothing comes any more
  whatsapp.state.subscription = null
  whatsapp.state.number.tier = 'TIER_100K'
  const deaf = (await ada.call(checkWhatsapp, { params: place })).connection
  expect(deaf).toMatchObject({ tier: 'TIER_100K', status_id: 2, problem: expect.stringContaining('does not send') })
  const again = await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  expect(again.connection).toMatchObject({ status_id: 1, problem: null })
})

test('a number is looked at by itself, so that its quality, its limit and its health are those of today', async () => {
  const state = async () => (await ada.call(readWhatsapp, { params: place })).connection
  const { sweep } = createCheckNumber(server.context, {
    connections: createConnections(server.context),
    graph: createGraph(server.context),
  })
  whatsapp.state.number.tier = 'TIER_100K'
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  whatsapp.state.number.tier = 'TIER_1K'
  await sweep()
  expect(await state()).toMatchObject({ tier: 'TIER_100K' })
  // WhatsApp can't be reached just now: nobody is told to connect again
  clock.pass(6 * 3_600)
  whatsapp.fail({ on: 'GET *', with: 'serverError' })
  await sweep()
  expect(await state()).toMatchObject({ tier: 'TIER_100K', status_id: 1 })
  await sweep()
  expect(await state()).toMatchObject({ tier: 'TIER_1K', status_id: 1, checked_at: clock().toISOString() })
  clock.pass(6 * 3_600)
  whatsapp.fail({ on: 'GET *', with: 'unauthorized' })
  await sweep()
  expect(await state()).toMatchObject({ status_id: 2 })
  clock.pass(6 * 3_600)
  await sweep()
  expect(await state()).toMatchObject({ status_id: 1 })
})

async function upload(bytes: Buffer, name: string): Promise<string> {
  const answer = await ada.send('POST', `${uploadFile.path.replace(':pgid', place.pgid)}?name=${name}`, bytes, {
    'content-type': 'application/octet-stream',
  })
  return (answer.body.data as { file: { gid: string } }).file.gid
}

test('a picture goes to WhatsApp by way of the app, and stands in the profile beside its texts', async () => {
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  const bytes = Buffer.from(PIXEL, 'base64')
  const file = await upload(bytes, 'shop.png')
  expect((await ada.call(readWhatsappProfile, { params: place })).picture).toBe('')
  const { picture } = await ada.call(saveWhatsappPicture, { params: place, body: { file } })
  const shown = await fetch(picture)
  expect(shown.headers.get('content-type')).toBe('image/png')
  const stored = await fetch(`${started.server.url}/files/${file}`)
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(Buffer.from(await stored.arrayBuffer()))
  const profile = { about: 'We repair bicycles', address: '', description: '', email: '', website: '' }
  const saved = await ada.call(saveWhatsappProfile, { params: place, body: { profile } })
  expect(saved).toEqual({ profile, picture })
})

test('what is no picture that WhatsApp takes is refused before it is sent', async () => {
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  const before = whatsapp.calls.length
  const gif = await upload(Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64'), 'a.gif')
  for (const file of [gif, 'nosuchfile000000']) {
    const { status, body } = await ada.send('POST', `${path()}/profile/picture`, { file })
    expect([status, Object.keys((body.data as { fields: object }).fields)]).toEqual([422, ['file']])
  }
  expect(whatsapp.calls.slice(before)).toEqual([])
})
