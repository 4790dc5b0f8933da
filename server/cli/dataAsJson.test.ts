import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { dataAsJson } from './dataAsJson.mjs'
import { root } from './sources.mjs'

const eld = join(root, 'node_modules/eld/src')

it('has the language detector’s letter groups read as JSON, and as the same', async () => {
  const file = join(eld, 'ngrams/small.js')
  const { code } = (await dataAsJson.transform(await readFile(file, 'utf8'), file)) ?? { code: '' }
  const [, text = '""'] = /^export const ngramsData = JSON\.parse\((".*")\)$/.exec(code) ?? []
  const { ngramsData } = await import(pathToFileURL(file).href)
  expect(JSON.parse(JSON.parse(text))).toEqual(ngramsData)
})

it('leaves all other files as they are', async () => {
  expect(await dataAsJson.transform('', join(eld, 'entries/static.small.js'))).toBeNull()
})
