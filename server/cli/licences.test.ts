import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { listLicences, writeLicences } from './licences.mjs'

test('every package that the program depends on is listed with its licence, none of development, and parts beside them', async () => {
  const listed = await listLicences()
  const names = new Set(listed.map(({ name }) => name))
  expect(Object.keys(packageJson.dependencies).filter((name) => !names.has(name))).toEqual([])
  expect(Object.keys(packageJson.devDependencies).filter((name) => ['vitest', 'knip'].includes(name))).not.toEqual([])
  expect([names.has('vitest'), names.has('knip')]).toEqual([false, false])
  expect(listed.filter(({ licence }) => licence === 'unknown')).toEqual([])
  expect(listed.find(({ name }) => name === 'fastify')?.text).toContain('Permission is hereby granted')
  for (const [part, words] of [
    ['Character maps', 'Adobe Systems Incorporated'],
    ['Word vectors', 'Attribution-ShareAlike 4.0'],
    ['PostgreSQL', 'postgresql.org/about/licence'],
  ] as const)
    expect(listed.find(({ name }) => name.startsWith(part))?.text, part).toContain(words)
})

test('the page shows each of them, and what texts contain is no part of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-licences-'))
  await writeLicences(join(folder, 'licences.html'))
  const page = await readFile(join(folder, 'licences.html'), 'utf8')
  await rm(folder, { recursive: true })
  const listed = await listLicences()
  expect(page.match(/<details>/g)?.length).toBe(listed.length)
  const tags = new Set([...page.matchAll(/<(\/?[a-z0-9!]+)/g)].map(([, tag]) => tag?.replace('/', '')))
  expect([...tags].sort()).toEqual(
    [...['!doctype', 'body', 'details', 'h1', 'head', 'html', 'main', 'meta', 'p', 'pre', 'small', 'span']].concat([
      ...['style', 'summary', 'title'],
    ]),
  )
})
