import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember } from '../../../../tests/support/collab'
import { padded, photo, picture } from '../../../../tests/support/pictures'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { dashboard } from '../../../contracts/account'
import { readInboxSetup } from '../../../contracts/inbox'
import { listMembers } from '../../../contracts/members'
import { PICTURE_CAP, PICTURE_SIDE, removePicture, setPicture } from '../../../contracts/pictures'
import { deleteAccount, readAccountData } from '../../../contracts/profile'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
})
afterAll(() => server.close())

const jpeg = async (side: number, bytes = 0) => padded(await picture('jpeg', { width: side, height: side }), bytes)
const send = (who: Registered, file: Uint8Array) =>
  who.send('POST', setPicture.path, file, { 'content-type': 'application/octet-stream' })
async function give(who: Registered, file = jpeg(256)): Promise<string> {
  const answer = await send(who, await file)
  expect(answer.status).toBe(200)
  return (answer.body.data as { picture: string }).picture
}
const pictureOf = async (who: Registered) => (await who.call(dashboard)).user.account.picture
const status = async (address: string) => (await (await server.guest()).send('GET', address)).status

test('a picture is shown to its person, to colleagues, and to whoever has its address', async () => {
  const bob = await server.register()
  await addMember(server, ada.pgid, bob, [Role.ADMIN])
  const picture = await give(ada)
  expect(await pictureOf(ada)).toBe(picture)
  const { members } = await bob.call(listMembers, { params: { pgid: ada.pgid } })
  expect(members.map((member) => [member.gid, member.picture])).toEqual([
    [ada.user.ui, picture],
    [bob.user.ui, null],
  ])
  const setup = await bob.call(readInboxSetup, { params: { pgid: ada.pgid } })
  expect(setup.members.find(({ gid }) => gid === ada.user.ui)?.picture).toBe(picture)
  const response = await fetch(`${server.url}${picture}`)
  expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({
    format: 'jpeg',
    width: 256,
    height: 256,
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
  })
  const again = await fetch(`${server.url}${picture}`, {
    headers: { 'if-none-match': response.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

test('another picture has another address, and the one before is gone; so is one that is removed', async () => {
  const before = await give(ada)
  const next = await give(ada, jpeg(200))
  expect(next).not.toBe(before)
  expect([await status(before), await status(next)]).toEqual([404, 200])
  await ada.call(removePicture)
  expect([await status(next), await pictureOf(ada)]).toEqual([404, null])
  // once more is no error
  await ada.call(removePicture)
})

test('of two that are sent at once one stays', async () => {
  const sent = await Promise.all([give(ada, jpeg(100)), give(ada, jpeg(101)), give(ada, jpeg(102))])
  const left = await Promise.all(sent.map(status))
  expect(left.toSorted()).toEqual([200, 404, 404])
  expect(await pictureOf(ada)).toBe(sent[left.indexOf(200)])
})

test.each([
  ['a web page', async () => Buffer.from('<!doctype html><script>alert(1)</script>'), 415],
  ['nothing', async () => Buffer.alloc(0), 415],
  ['a JPEG without a picture', async () => Buffer.from('ffd8ffd9', 'hex'), 422],
  ['one of more bytes', () => jpeg(256, PICTURE_CAP + 1), 413],
])('%s is refused, and the picture stays', async (_, make, expected) => {
  const picture = await give(ada)
  const { status: refused, body } = await send(ada, await make())
  expect([refused, body.success]).toEqual([expected, false])
  expect(await pictureOf(ada)).toBe(picture)
})

test('one of as many bytes as a picture may have is taken, made small, and without the place where it was taken', async () => {
  const given = padded(await photo('jpeg', { width: PICTURE_SIDE * 2, height: PICTURE_SIDE }), PICTURE_CAP)
  const address = await give(ada, Promise.resolve(given))
  const shown = Buffer.from(await (await fetch(`${server.url}${address}`)).arrayBuffer())
  expect(await sharp(shown).metadata()).toMatchObject({ width: PICTURE_SIDE / 2, height: PICTURE_SIDE })
  expect([given.includes('Exif'), shown.includes('Exif')]).toEqual([true, false])
})

/** Sends a picture piece by piece, so that nothing says beforehand how much it is; ends with the answer. */
async function stream(who: Registered, bytes: number) {
  let sent = 0
  const first = await jpeg(256, 50_000)
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= bytes) return controller.close()
      const part = sent === 0 ? first : Buffer.alloc(50_000, 1)
      sent += part.length
      controller.enqueue(part)
    },
  })
  const answer = await fetch(`${server.url}${setPicture.path}`, {
    ...{ method: 'POST', body, duplex: 'half' },
    headers: {
      cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': who.cookies.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/octet-stream',
    },
  } as RequestInit)
  return answer.status
}

test('the cap counts bytes that come, whatever was said of them before', async () => {
  const picture = await give(ada)
  expect(await stream(ada, PICTURE_CAP + 50_000)).toBe(413)
  expect(await pictureOf(ada)).toBe(picture)
  expect(await stream(ada, PICTURE_CAP)).toBe(200)
})

test('it is in what is kept of the account, and goes with the account', async () => {
  const cleo = await server.register()
  const picture = await give(cleo)
  const { account } = await cleo.call(readAccountData)
  const shown = Buffer.from(await (await fetch(`${server.url}${picture}`)).arrayBuffer())
  expect(account.picture).toBe(`data:image/jpeg;base64,${shown.toString('base64')}`)
  await cleo.call(deleteAccount, { body: { current: cleo.password } })
  expect(await status(picture)).toBe(404)
})

test('nobody sets one without an account', async () => {
  const guest = await server.guest()
  expect((await guest.send('POST', setPicture.path, jpeg(9), { 'content-type': 'image/jpeg' })).status).toBe(401)
})
