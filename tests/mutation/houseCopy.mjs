import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../server/cli/sources.mjs'

/**
 * A copy of the house in which sources are changed: a run that is killed leaves nothing in the house itself.
 * @returns its folder, the paths of its files, and how it is removed
 */
export async function copyHouse() {
  const parent = await mkdtemp(join(tmpdir(), 'parley-mutation-'))
  // the database of the tests runs as somebody else
  await chmod(parent, 0o755)
  const folder = join(parent, 'house')
  const git = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  const paths = git.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  for (const each of new Set(paths.map((path) => dirname(join(folder, path))))) await mkdir(each, { recursive: true })
  await Promise.all(paths.map((path) => cp(join(root, path), join(folder, path))))
  for (const name of ['node_modules', 'build'])
    if (existsSync(join(root, name))) await symlink(join(root, name), join(folder, name))
  return { folder, paths, remove: () => rm(parent, { recursive: true, force: true, maxRetries: 5 }) }
}
