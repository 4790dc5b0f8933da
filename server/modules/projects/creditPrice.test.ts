import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMember } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { readAnalytics } from '../../contracts/analytics'
import { readCreditPrice, updateCreditPrice } from '../../contracts/creditPrice'

let server: TestServer
let ada: Registered
const at = new Date('2026-11-04T23:30:00Z')
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
  const { db } = server.context
  const { id } = await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
  const used = { project_id: id, credit: 'ai_message_credits', used_at: at } as const
  await db
    .insertInto('credit_uses')
    .values([
      { ...used, key: 'one', amount: 0.5 },
      { ...used, key: 'two', amount: 2 },
    ])
    .execute()
})
afterAll(() => server.close())

const set = (body: { price: number | null; currency: string }, by = ada) =>
  by.call(updateCreditPrice, { params: { pgid: ada.pgid }, body })
const figures = () =>
  ada.call(readAnalytics, {
    params: { pgid: ada.pgid },
    query: { from: '2026-11-04', to: '2026-11-04', zone: 'UTC' },
  })

it('is what the project says, and nothing where nobody says it', async () => {
  expect((await figures()).credit_price).toBeNull()
  await set({ price: 0.0035, currency: 'EUR' })
  const { credit_price, detail } = await figures()
  expect(credit_price).toEqual({ price: 0.0035, currency: 'EUR', own: true })
  expect(detail?.now.credits).toBe(2.5)
  await set({ price: null, currency: 'EUR' })
  expect(await ada.call(readCreditPrice, { params: { pgid: ada.pgid } })).toEqual({ credit_price: null })
})

it.each([
  [{ price: 0, currency: 'EUR' }],
  [{ price: -1, currency: 'EUR' }],
  [{ price: 10_001, currency: 'EUR' }],
  [{ price: 1, currency: 'euro' }],
  [{ price: 1, currency: 'eur' }],
])('refuses %j', async (body) => {
  await expect(set(body)).rejects.toThrow('422')
})

it('is set by who may change the project alone', async () => {
  const analyst = await server.register()
  await addMember(server, ada.pgid, analyst, [Role.ANALYST])
  await expect(set({ price: 1, currency: 'EUR' }, analyst)).rejects.toThrow('403')
})
