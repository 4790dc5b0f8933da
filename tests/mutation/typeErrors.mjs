import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from 'typescript-native/unstable/sync'

/**
 * The compiler of `npm run check`, which keeps what it has read between changes.
 * @param folder a copy of the house: the changed text stands in it while the compiler looks
 * @returns `isRejected(path, text)`: whether the compiler rejects a file with this text, so that the change is found before any test runs;
 * and `close`
 */
export function createTypeErrors(folder) {
  const api = new API({ cwd: folder })
  const zones = new Set()
  /** the file that was looked at before and is as it was since */
  let restored = null
  const look = (config, file) => {
    const isOpen = zones.has(config)
    zones.add(config)
    const changed = restored === null ? [file] : [file, restored]
    restored = file
    return api.updateSnapshot({ fileChanges: { changed }, openProjects: isOpen ? undefined : [config] })
  }
  return {
    isRejected(path, text) {
      const file = join(folder, path)
      const before = readFileSync(file, 'utf8')
      writeFileSync(file, text)
      const config = join(folder, path.split('/')[0], 'tsconfig.json')
      const snapshot = look(config, file)
      const { program } = snapshot.getProject(config)
      const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      snapshot.dispose()
      writeFileSync(file, before)
      return errors.length > 0
    },
    close: () => api.close(),
  }
}
