import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

const SUFFIXES = ['', '.ts', '.tsx', '.mts', '/index.ts']

/** Tests whose calls are not known that are tried all the same: threads and other processes are seen by no count. */
const MOST_UNKNOWN = 4

/** How many seconds a test of the same folder is preferred by. */
const BESIDE = 30

/**
 * @param paths every source and test file, relative to `folder`
 * @param calls of a test file: `{ called: { [path]: names of functions }, seconds }`, as `noteCalls.ts` writes it
 * @returns of a change the tests that may notice it: those that call its function, the nearest and shortest first, and the nearest others
 */
export function createNearestTests(folder, paths, calls) {
  const importers = new Map()
  for (const path of paths)
    for (const imported of importsOf(folder, path)) importers.set(imported, [...(importers.get(imported) ?? []), path])
  return ({ path, within }) => {
    const steps = distances(importers, path)
    // the tests beside a file are about it, however long they take
    const distance = (test) =>
      steps.get(test) -
      2 * sharedFolders(path, test) +
      (calls.get(test)?.seconds ?? 0) -
      (dirname(test) === dirname(path) ? BESIDE : 0)
    const tests = [...steps.keys()]
      .filter((each) => /\.test\.tsx?$/.test(each) && !each.startsWith('tests/e2e/'))
      .sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
    const loading = tests.filter((test) => calls.get(test)?.called[path])
    const calling = loading.filter((test) => within === null || calls.get(test).called[path].includes(within))
    const unknown = tests.filter((test) => !calls.has(test)).slice(0, MOST_UNKNOWN)
    // a function that the compiler has named otherwise
    const known = calling.length > 0 ? calling : loading
    const isBeside = (test) => dirname(test) === dirname(path)
    const others = unknown.filter((test) => !isBeside(test))
    return [...unknown.filter(isBeside), ...known.slice(0, 2), ...others, ...known.slice(2)]
  }
}

function distances(importers, path) {
  const steps = new Map([[path, 0]])
  for (const each of steps.keys())
    for (const importer of importers.get(each) ?? []) if (!steps.has(importer)) steps.set(importer, steps.get(each) + 1)
  return steps
}

/** @returns the file itself, and what it imports, by way of others too */
export function importedBy(folder, path) {
  const found = new Set([path])
  for (const each of found) for (const imported of importsOf(folder, each)) found.add(imported)
  return [...found].filter((each) => each.endsWith('.ts'))
}

const known = new Map()

function importsOf(folder, path) {
  if (!known.has(path)) known.set(path, readImports(folder, path))
  return known.get(path)
}

function readImports(folder, path) {
  const text = readFileSync(join(folder, path), 'utf8').replace(/^(?:import|export) type .*$/gm, '')
  return ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => resolve(folder, normalize(join(dirname(path), fileName))))
    .filter((each) => each !== undefined)
}

const resolve = (folder, path) =>
  SUFFIXES.map((suffix) => path + suffix).find((each) => /\.\w+$/.test(each) && existsSync(join(folder, each)))

function sharedFolders(one, other) {
  const [a, b] = [dirname(one).split('/'), dirname(other).split('/')]
  const differs = a.findIndex((part, place) => part !== b[place])
  return differs < 0 ? a.length : differs
}
