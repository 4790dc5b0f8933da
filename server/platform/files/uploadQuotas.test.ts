import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { parseConfig } from '../config/config'
import { createUploadQuotas, forgetUploads, type Upload } from './uploadQuotas'

let database: TestDatabase
let clock: TestClock
let projectId: string
let chatbotId: string
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock('2026-01-15T00:00:00Z')
  ;({ projectId, chatbotId } = await insertPublishedFlow(database.db, emptyFlow()))
})
afterEach(() => database.close())

type Quotas = ReturnType<typeof parseConfig>['quotas']
const QUOTAS: Quotas = {
  uploadsPerAddress: 100,
  uploadsPerChatbot: 200,
  uploadsPerProject: 300,
  filesPerProject: 1_000,
}

function quotas(change: Partial<Quotas> = {}) {
  const config = { ...parseConfig({}), quotas: { ...QUOTAS, ...change } }
  const { during } = createUploadQuotas({ db: database.db, clock, config })
  const upload = (bytes: number, address: string | null = '203.0.113.7', more: Partial<Upload> = {}) =>
    during({ projectId, visitor: address === null ? null : { chatbotId, address }, bytes, ...more }, async () => ({
      bytes,
    })).then(
      () => 'taken',
      (error) => [error.code, error.retryAfter],
    )
  return { during, upload }
}
const kept = () => database.db.selectFrom('uploads').select(['bytes', 'under_way', 'address']).orderBy('id').execute()
const HOUR = 3_600

test('what fails counts no more, what is taken counts with what it had, and neither touches others', async () => {
  const { during } = quotas()
  const visitor = { chatbotId, address: '2001:db8::1' }
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const slow = during({ projectId, visitor, bytes: 50 }, async () => {
    await held
    return { bytes: 20 }
  })
  await expect.poll(kept).toEqual([{ bytes: '50', under_way: true, address: '2001:db8::/64' }])
  const failing = during({ projectId, visitor, bytes: 10 }, () => Promise.reject(new Error('cut off')))
  await expect(failing).rejects.toThrow('cut off')
  expect(await kept()).toEqual([{ bytes: '50', under_way: true, address: '2001:db8::/64' }])
  await during({ projectId, visitor: null, bytes: 10 }, async () => ({ bytes: 5 }))
  release()
  await slow
  expect(await kept()).toEqual([
    { bytes: '20', under_way: false, address: '2001:db8::/64' },
    { bytes: '5', under_way: false, address: null },
  ])
})

test('an address, a chatbot and a project take so many bytes in an hour, exactly', async () => {
  const { upload } = quotas()
  expect([await upload(60), await upload(41), await upload(40), await upload(1)]).toEqual([
    'taken',
    ['upload_limit', HOUR],
    'taken',
    ['upload_limit', HOUR],
  ])
  // of the chatbot 100 are left, for others
  expect([await upload(101, '203.0.113.8'), await upload(100, '203.0.113.8')]).toEqual([
    ['upload_limit', HOUR],
    'taken',
  ])
  expect(await upload(1, '203.0.113.9')).toEqual(['upload_limit', HOUR])
  const other = await insertPublishedFlow(database.db, emptyFlow(), undefined, {}, projectId)
  const there = (address: string) => ({ visitor: { chatbotId: other.chatbotId, address } })
  expect(await upload(100, null, there('203.0.113.10'))).toBe('taken')
  expect(await upload(1, null, there('203.0.113.11'))).toEqual(['upload_limit', HOUR])
  // members of the project don't count
  expect(await upload(500, null)).toBe('taken')
})

test('an hour after the first of them there is room again, which a refusal tells, a minute at least', async () => {
  const { upload } = quotas()
  await upload(60)
  clock.pass(HOUR - 90)
  await upload(40)
  expect(await upload(1)).toEqual(['upload_limit', 90])
  clock.pass(60)
  expect(await upload(1)).toEqual(['upload_limit', 60])
  clock.pass(29)
  expect(await upload(60)).toEqual(['upload_limit', 60])
  clock.pass(1)
  expect([await upload(60), await upload(1)]).toEqual(['taken', ['upload_limit', HOUR - 90]])
})

test('an address takes 200 files in an hour, however small', async () => {
  const { upload } = quotas()
  const row = { project_id: projectId, chatbot_id: chatbotId, address: '203.0.113.7', bytes: 0, created_at: clock() }
  await database.db
    .insertInto('uploads')
    .values(Array.from({ length: 199 }, () => row))
    .execute()
  expect([await upload(0), await upload(0)]).toEqual(['taken', ['upload_limit', HOUR]])
  expect(await upload(0, '203.0.113.8')).toBe('taken')
})

test('a project holds so many bytes: those that are being uploaded count, those of others don’t', async () => {
  const { upload, during } = quotas({ uploadsPerAddress: 200, filesPerProject: 100 })
  const elsewhere = await insertPublishedFlow(database.db, emptyFlow())
  await during({ projectId: elsewhere.projectId, visitor: null, bytes: 100 }, async () => {
    expect(await upload(101, null)).toEqual(['project_full', HOUR])
    return { bytes: 100 }
  })
  await during({ projectId, visitor: null, bytes: 60 }, async () => {
    expect([await upload(41, null), await upload(40, null)]).toEqual([['project_full', HOUR], 'taken'])
    return { bytes: 0 }
  })
  const full = (visitor: Upload['visitor']) => during({ projectId, visitor, bytes: 101 }, async () => ({ bytes: 0 }))
  await expect(full({ chatbotId, address: '203.0.113.7' })).rejects.toThrow('No more files can be taken here')
  await expect(full(null)).rejects.toThrow('This project has no file storage left.')
})

test('what no quota counts any more is forgotten', async () => {
  const { upload } = quotas()
  await upload(1)
  clock.pass(1)
  await upload(2)
  clock.pass(HOUR - 1)
  await forgetUploads({ db: database.db, clock })
  expect((await kept()).map(({ bytes }) => bytes)).toEqual(['1', '2'])
  clock.pass(1)
  await forgetUploads({ db: database.db, clock })
  expect((await kept()).map(({ bytes }) => bytes)).toEqual(['2'])
})
