import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The built interface, with the documentation in a folder beside it.
 * @returns the folder beside the server's own, wherever that is started; if there is none, as in tests and while
 *   developing, where a build of this repository is
 */
export function builtPages(): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), '../client')
  return existsSync(beside) ? beside : 'build/parley/client'
}
