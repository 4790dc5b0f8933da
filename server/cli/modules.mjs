// The declarations of the server's modules (`defineModule` in server/modules/<name>/module.ts), parsed without running
// them: import checks and `npm run check -- graph` also work on a tree that does not compile.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { root } from './sources.mjs'

/** Layers below all modules; each may import those before it. */
export const layers = {
  contracts: 'routes as data, and the shapes that the interface shares',
  platform: 'configuration, database, jobs, bus, files, threads, mail, calls outside, HTTP; knows no module',
  access: 'roles, sessions, keys, plans; registers a route for who may call it',
}

/**
 * @returns `{ [name]: { purpose, needs } }`, lowest first. @throws for a folder without a declaration, and for a cycle
 */
export function declaredModules(folder = join(root, 'server/modules')) {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  const declared = new Map()
  for (const name of names.sort()) {
    const path = join(folder, name, 'module.ts')
    if (existsSync(path)) declared.set(name, declarationIn(readFileSync(path, 'utf8'), name))
  }
  return Object.fromEntries(lowestFirst(declared))
}

/** @returns the arguments of defineModule in a source */
function declarationIn(source, folder) {
  const { body } = parseSync(source, { syntax: 'typescript' })
  const calls = body
    .flatMap((item) => (item.type === 'ExportDeclaration' ? (item.declaration.declarations ?? []) : []))
    .filter(({ init }) => init?.type === 'CallExpression' && init.callee.value === 'defineModule')
  if (calls.length !== 1)
    throw new Error(`server/modules/${folder}/module.ts exports no defineModule({ … }), or several`)
  const parts = new Map(calls[0].init.arguments[0].expression.properties.map((part) => [part.key?.value, part.value]))
  const name = parts.get('name')?.value
  if (name !== folder) throw new Error(`server/modules/${folder}/module.ts calls its module ${name}`)
  const needs = (parts.get('needs')?.properties ?? []).map((part) => part.value ?? part.key.value)
  return { purpose: parts.get('purpose')?.value ?? '', needs }
}

/** Sorted by depth, then by name. */
function lowestFirst(declared) {
  const heights = new Map()
  function heightOf(name, needing) {
    if (needing.includes(name)) throw new Error(`Modules need each other: ${[...needing, name].join(' → ')}`)
    const needs = declared.get(name)?.needs
    if (!needs) throw new Error(`${needing.at(-1)} needs ${name}, which is no module`)
    if (!heights.has(name))
      heights.set(name, Math.max(0, ...needs.map((need) => 1 + heightOf(need, [...needing, name]))))
    return heights.get(name)
  }
  return [...declared].sort(([one], [other]) => heightOf(one, []) - heightOf(other, []) || (one < other ? -1 : 1))
}
