import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { Role } from '../../../access/roles'
import { seatsOf, wantSeats } from './seats'

const NOW = new Date('2026-01-15T00:00:00Z')
const EARLIER = new Date('2026-01-14T00:00:00Z')
const LATER = new Date('2026-01-16T00:00:00Z')
let database: TestDatabase
let made = 0
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const aProject = async () => (await insertPublishedFlow(database.db, emptyFlow())).projectId

async function invite(projectId: string, state: { expires_at?: Date; accepted_at?: Date; revoked_at?: Date } = {}) {
  const id = `${++made}`.padStart(16, '0')
  const sent = { gid: id, email: `${id}@example.org`, roles: [Role.EDITOR], token_hash: Buffer.from(id) }
  await database.db
    .insertInto('invitations')
    .values({ ...sent, project_id: projectId, invited_by: null, created_at: EARLIER, expires_at: LATER, ...state })
    .execute()
}

test('an invitation takes a seat while it is open: not once it was taken, withdrawn or has ended, nor elsewhere', async () => {
  const [projectId, other] = [await aProject(), await aProject()]
  expect(await seatsOf(database.db, projectId, NOW)).toEqual({ members: 0, invitations: 0 })
  await invite(projectId)
  await invite(projectId, { accepted_at: EARLIER })
  await invite(projectId, { revoked_at: EARLIER })
  await invite(projectId, { expires_at: NOW })
  await invite(other)
  expect(await seatsOf(database.db, projectId, NOW)).toEqual({ members: 0, invitations: 1 })
})

test('so many are invited as the plan has seats, and no more', async () => {
  const id = await aProject()
  const want = (wanted: number) => wantSeats(database.db, { id, plan_id: 'starter', addons: {} }, wanted, NOW)
  await invite(id)
  await expect(want(2)).resolves.toBeUndefined()
  await expect(want(3)).rejects.toMatchObject({ code: 'plan_limit', message: expect.stringContaining('3 people') })
})
