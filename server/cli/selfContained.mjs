// What makes build/parley run anywhere: the packages that the server loads, its data, and a program that starts it.
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { dist, root } from './sources.mjs'

/** What the server reads beside its programs, by its place in the sources. */
const DATA = [
  'server/modules/knowledge/meaning/words.bin',
  'server/modules/knowledge/meaning/taught.bin',
  'server/modules/knowledge/documents/cmaps',
]
/** The program that starts it, and what that looks at before; by their names there. */
const STARTERS = {
  'parley.mjs': 'builtParley.mjs',
  'checkNode.mjs': 'checkNode.mjs',
  'checkFiles.mjs': 'checkFiles.mjs',
}
/** Types, sources of maps, and descriptions: nothing that runs. Licences stay. */
const NOT_RUN = /\.(?:d\.[cm]?ts|ts|tsx|flow|map)$|(?:^|[/\\])(?:readme|changelog|history)(?:\.\w+)?$/i
/** Of its many builds one is used: 125 MB less (server/modules/models/local/onnxRuntime.ts). */
const OF_ONNX = /^dist[/\\](?!ort\.wasm\.bundle\.min\.mjs$|ort-wasm-simd-threaded\.wasm$)/

/**
 * Completes the folder with everything that its programs read when they run.
 * @param external names of packages that the programs load from node_modules
 */
export async function completeFolder(external) {
  const { version, engines, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const manifest = { name: 'parley', version, private: true, license, type: 'module', bin: 'parley.mjs', engines }
  await writeFile(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  for (const [name, source] of Object.entries(STARTERS))
    await copyFile(join(root, 'server/cli', source), join(dist, name))
  for (const path of DATA) await cp(join(root, path), join(dist, 'server', basename(path)), { recursive: true })
  await copyPackages(external)
}

/** Copies packages, and what they depend on, to where they are in this repository's node_modules. */
async function copyPackages(names) {
  await rm(join(dist, 'node_modules'), { recursive: true, force: true })
  for (const folder of await packagesFor([...names, ...(await databases())])) {
    const target = join(dist, relative(root, folder))
    await mkdir(target, { recursive: true })
    await cp(folder, target, { recursive: true, filter: (path) => isRun(folder, path) })
    await linkLibraries(target)
  }
}

/** PostgreSQL, for the platforms that it is installed for: this one. */
async function databases() {
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return Object.keys(optionalDependencies)
}

/**
 * @param names packages of this repository
 * @returns the folders of those that are installed and of all that they depend on, optional ones included
 */
export async function packagesFor(names) {
  const found = new Set()
  const visit = async (name, from) => {
    const folder = folderOf(name, from)
    if (!folder || found.has(folder)) return
    found.add(folder)
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    )
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      await visit(next, folder)
  }
  for (const name of names) await visit(name, root)
  return [...found].sort()
}

/** Where Node finds a package from a folder; null if it is not installed. */
function folderOf(name, from) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
  }
  return null
}

/** Packages in a package are copied by themselves, if something needs them. */
function isRun(folder, path) {
  const inside = relative(folder, path)
  if (/(?:^|[/\\])node_modules(?:[/\\]|$)/.test(inside) || NOT_RUN.test(inside)) return false
  return basename(folder) !== 'onnxruntime-web' || !OF_ONNX.test(inside)
}

/** PostgreSQL's libraries have further names, which its package lists: later the folder may be one to read alone. */
async function linkLibraries(folder) {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(await readFile(list, 'utf8'))) {
    const link = join(folder, target)
    await rm(link, { force: true })
    await symlink(relative(dirname(link), join(folder, source)), link)
  }
}
