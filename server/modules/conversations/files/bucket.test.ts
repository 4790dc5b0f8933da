import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBucketServer } from '../../../../tests/support/bucketServer'
import { padded, picture } from '../../../../tests/support/pictures'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { uploadFile } from '../../../contracts/files'

/** Files in a bucket that browsers reach. */
let service: Awaited<ReturnType<typeof startBucketServer>>
let server: TestServer
let ada: Registered
beforeAll(async () => {
  service = await startBucketServer()
  const bucket = { ...service.settings, browserUrl: service.settings.endpoint }
  server = await startTestServer({ config: { bucket } })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  await service.close()
})

async function upload(bytes: Buffer) {
  const path = `${uploadFile.path.replace(':pgid', ada.pgid)}?name=a%20b.png`
  const { body } = await ada.send('POST', path, bytes, { 'content-type': 'application/octet-stream' })
  return (body.data as { file: { url: string; bytes: number } }).file
}

test('a browser is sent to the bucket, which shows the picture as this server would; one that has it is not', async () => {
  const { url, bytes } = await upload(padded(await picture(), 900))
  const sent = await fetch(`${server.url}${url}`, { redirect: 'manual' })
  expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'public, max-age=120'])
  expect(sent.headers.get('location')).toContain(service.settings.endpoint)
  const shown = await fetch(sent.headers.get('location') ?? '')
  expect((await shown.arrayBuffer()).byteLength).toBe(bytes)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': "inline; filename*=UTF-8''a%20b.png",
  })
})

test('nobody is sent anywhere for a file that is not there', async () => {
  const missing = await fetch(`${server.url}/files/${'x'.repeat(16)}`, { redirect: 'manual' })
  expect([missing.status, missing.headers.get('location')]).toEqual([404, null])
  const { url } = await upload(await picture('png', { colour: 9 }))
  await server.context.db
    .updateTable('files')
    .set({ sha256: 'f'.repeat(64) })
    .where('gid', '=', url.slice(7))
    .execute()
  expect((await fetch(`${server.url}${url}`, { redirect: 'manual' })).status).toBe(404)
})
