import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewSeals } from '../../server/modules/secrets/renewSeals'
import { keyOfFolder } from '../../server/platform/secrets/keys'
import { createSecrets } from '../../server/platform/secrets/secrets'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { since } from './ownedProcess'

const COUNT = 5_000
let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

test('new key: every secret is sealed by it while others are added, and the old key opens none any more', async () => {
  const { db, config, ids } = server.context
  const { id: project_id } = await db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  const old = keyOfFolder(config.dataDir)
  const fresh = { id: 'new', bytes: randomBytes(32) }
  const withKeys = (...secretKeys: typeof config.secretKeys) => createSecrets({ ...config, secretKeys })
  const placeOf = (gid: string) => ({ projectId: project_id, row: `project_secrets/${gid}` })
  const rowOf = (name: string, secrets: ReturnType<typeof createSecrets>) => {
    const gid = ids()
    const sealed_value = secrets.seal(`value of ${name}`, placeOf(gid))
    return { gid, project_id, name, sealed_value, created_at: new Date(), changed_at: new Date(), changed_by: null }
  }
  await db
    .insertInto('project_secrets')
    .values(Array.from({ length: COUNT }, (_, at) => rowOf(`OLD_${at}`, withKeys(old))))
    .execute()

  const began = performance.now()
  const renewed = renewSeals({ db, config: { ...config, secretKeys: [fresh, old] } })
  const added = Array.from({ length: 50 }, (_, at) => rowOf(`NEW_${at}`, withKeys(fresh, old)))
  for (const row of added) await db.insertInto('project_secrets').values(row).execute()
  await renewed
  const took = since(began)

  const rows = await db
    .selectFrom('project_secrets')
    .select(['gid', 'name', 'sealed_value'])
    .where('project_id', '=', project_id)
    .execute()
  expect(rows).toHaveLength(COUNT + added.length)
  const [alone, before] = [withKeys(fresh), withKeys(old)]
  for (const { gid, name, sealed_value } of rows) {
    expect(alone.open(sealed_value, placeOf(gid))).toBe(`value of ${name}`)
    expect(before.open(sealed_value, placeOf(gid))).toBeNull()
  }
  console.info(
    `new key: ${COUNT} secrets sealed anew in ${took} while ${added.length} were added; all open by it alone`,
  )
})
