import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** @returns whether the compiler rejects a file with this text: such a change is found before any test runs */
export function createTypeErrors(folder) {
  const services = new Map()
  const serviceOf = (zone) => {
    if (!services.has(zone)) services.set(zone, createService(folder, zone))
    return services.get(zone)
  }
  return (path, text) => {
    const { service, changed } = serviceOf(path.split('/')[0])
    const file = join(folder, path)
    changed.set(file, { text, version: (changed.get(file)?.version ?? 0) + 1 })
    const errors = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
    changed.set(file, { text: readFileSync(file, 'utf8'), version: changed.get(file).version + 1 })
    return errors.length > 0
  }
}

function createService(folder, zone) {
  const config = join(folder, zone, 'tsconfig.json')
  const { options, fileNames } = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
  )
  const changed = new Map()
  const read = (file) => changed.get(file)?.text ?? ts.sys.readFile(file)
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(changed.get(file)?.version ?? 0),
    getScriptSnapshot(file) {
      const text = read(file)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => join(folder, zone),
    getDefaultLibFileName: (each) => ts.getDefaultLibFilePath(each),
    fileExists: ts.sys.fileExists,
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  })
  return { service, changed }
}
