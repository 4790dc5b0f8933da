import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedMajor } from './binaries'
import { startCluster } from './cluster'

test('data of another major version of PostgreSQL is not started, and it is said how to take it along', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-major-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n')
  await expect(startCluster({ folder })).rejects.toThrow(
    `is of PostgreSQL 17, and this Parley has ${await installedMajor()}. Take it along: with the Parley that you had, npx parley data export`,
  )
  await rm(folder, { recursive: true })
})
