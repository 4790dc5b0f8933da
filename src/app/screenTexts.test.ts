import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { builderTexts } from '../screens/builder/texts'

/** These come with a report that most visits never show: one file for each kind of block. */
const LATE = ['blocks']

const source = readFileSync('src/app/routes.tsx', 'utf8')
const screens = [
  ...source.matchAll(
    /screen\(\s*async \(\) =>\s*\(?await import\('([^']+)'\)\)?\s*\.(\w+),\s*(\[[^\]]*\]|builderTexts)/g,
  ),
].map(([, path = '', name = '', list = '']) => ({
  name,
  file: `${join('src/app', path)}.tsx`,
  listed: list === 'builderTexts' ? builderTexts : namesIn(list),
}))

it('reads every screen of the router', () => {
  expect(screens).toHaveLength(source.match(/\bscreen\(\s*async/g)?.length ?? 0)
})

it.each(screens)('loads the texts of $name with it, so that no part of it suspends later', ({ file, listed }) => {
  const used = new Set([...modulesOf(file)].flatMap(namespacesIn))
  expect([...used].filter((name) => ![...listed, 'app', ...LATE].includes(name))).toEqual([])
})

/** A file and what it imports from `src`, but what comes only once it is asked for. */
function modulesOf(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^'"]*?from '(\.[^']+)'/gm,
  )) {
    const base = join(dirname(file), path)
    const found = ['.tsx', '.ts', '/index.ts'].map((end) => base + end).find((name) => existsSync(name))
    if (found?.startsWith('src/')) modulesOf(found, known)
  }
  return known
}

function namespacesIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/useTranslation\(\s*('[\w-]+'|\[[^\]]*\])/g)].flatMap(
    ([, names = '']) => namesIn(names),
  )
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name)
}
