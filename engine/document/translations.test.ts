import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { documentOf, flowWith, noteBlock, testRegistry as registry, replica, sync } from '../../tests/support/documents'
import { serialiseFlow } from '../flow/canonical'
import { parseFlow, parseFlowFile } from '../flow/parseFlow'
import type { Flow } from '../flow/schema'
import { diffFlows } from '../graph/diff'
import { fingerprint } from '../translations/fingerprint'
import { translationState } from '../translations/state'
import { plainRichText } from '../values/richText'
import { createDocument } from './createDocument'
import { readDocument, updateOf } from './plainFlow'

const hello = plainRichText('Hello')
const flow: Flow = flowWith({ g: [noteBlock('t', 'Hello')] })
const ola = { text: plainRichText('Olá'), of: fingerprint(hello) }

const start = () => documentOf(flow)
const translations = (document: ReturnType<typeof start>) => document.projection().blocks.get('t')?.translations

test('a translation is set, undone, done again, taken away and back, one step each', () => {
  const document = start()
  document.commands.setTranslation('t', 'pt-br', 'content', ola)
  document.commands.setTranslation('t', 'pt-br', 'content', null)
  expect(translations(document)).toBeUndefined()
  document.undo.undo()
  expect(translations(document)).toEqual({ 'pt-br': { content: ola } })
  document.undo.undo()
  expect(translations(document)).toBeUndefined()
  document.undo.redo()
  expect(translations(document)).toEqual({ 'pt-br': { content: ola } })
  expect(document.history().done.map(({ code, kind }) => [code, kind])).toEqual([['setTranslation', 'note']])
})

test('two people translate one text into two languages: both stay; into one: the later does', () => {
  const one = start()
  const two = replica(one)
  one.commands.setTranslation('t', 'pt-br', 'content', ola)
  two.commands.setTranslation('t', 'de', 'content', { ...ola, text: plainRichText('Hallo') })
  sync(one, two)
  expect(Object.keys(translations(one) ?? {})).toEqual(['de', 'pt-br'])
  one.commands.setTranslation('t', 'de', 'content', { ...ola, text: plainRichText('Servus') })
  two.commands.setTranslation('t', 'de', 'content', { ...ola, text: plainRichText('Moin') })
  sync(one, two)
  expect(translations(one)).toEqual(translations(two))
})

test('a block that is deleted takes its translations along, and brings them back with a peer’s', () => {
  const one = start()
  const two = replica(one)
  one.commands.deleteBlocks(['t'])
  two.commands.setTranslation('t', 'pt-br', 'content', ola)
  sync(one, two)
  expect(one.projection().blocks.size).toBe(0)
  one.undo.undo()
  expect(translations(one)).toEqual({ 'pt-br': { content: ola } })
})

test('a text that changes makes its translation outdated, and undoing the change mends it', () => {
  const document = start()
  document.commands.setTranslation('t', 'pt-br', 'content', ola)
  const state = () => {
    const view = document.projection().blocks.get('t')
    return translationState(view?.data.content as never, view?.translations?.['pt-br']?.content)
  }
  expect(state()).toBe('done')
  document.commands.setRichText('t', 'content', plainRichText('Hello there'))
  expect(state()).toBe('outdated')
  document.undo.undo()
  expect(state()).toBe('done')
})

test('languages and translations are in the flow, its file and its copy; a flow without them is the same bytes as before', () => {
  const document = start()
  expect(document.toFlow()).toEqual(flow)
  document.commands.setLanguages({ main: 'en', others: ['pt-br', 'ar'] })
  document.commands.setTranslation('t', 'pt-br', 'content', ola)
  const whole = document.toFlow()
  expect(whole.languages).toEqual({ main: 'en', others: ['ar', 'pt-br'] })
  const file = serialiseFlow(whole)
  expect(serialiseFlow(parseFlow(file, registry))).toBe(file)
  expect(parseFlowFile(file, registry).main).toEqual(whole)
  const copy = new Y.Doc()
  Y.applyUpdate(copy, updateOf(whole, registry))
  expect(readDocument(copy, registry)).toEqual(whole)
  expect(diffFlows(flow, whole).blocks).toMatchObject([{ id: 't', change: 'changed' }])
  document.commands.setLanguages({ main: 'en', others: ['ar'] })
  expect(document.toFlow().groups[0]?.blocks[0]?.translations).toEqual({ 'pt-br': { content: ola } })
  document.undo.undo()
  expect(document.toFlow()).toEqual(whole)
})

test('what is inserted beside brings its languages only where it is written in the same one', () => {
  const added = { ...flow, languages: { main: 'en', others: ['de'] } }
  const document = createDocument({ registry })
  document.commands.setLanguages({ main: 'en', others: ['ar'] })
  document.commands.insertFlow(added)
  expect(document.projection().languages).toEqual({ main: 'en', others: ['ar', 'de'] })
  document.commands.insertFlow({ ...added, languages: { main: 'fr', others: ['es'] } })
  expect(document.projection().languages).toEqual({ main: 'en', others: ['ar', 'de'] })
})

test('what a foreign client writes in their place is not there', () => {
  const document = start()
  const map = document.doc.getMap('blocks').get('t') as Y.Map<unknown>
  map.set('in/pt-br/content', { text: 'Olá', of: 1 })
  map.set('in/PT/content', ola)
  map.set('in/pt-br/content/more', ola)
  map.set('in/pt-br/__proto__', 7)
  document.doc.getMap('languages').set('/main', { code: 'en' })
  document.doc.getMap('languages').set('de', true)
  expect(translations(document)).toBeUndefined()
  expect(document.projection().languages).toBeUndefined()
  document.commands.setTranslation('t', 'pt-br', 'content', { text: 'Olá' } as never)
  expect(translations(document)).toBeUndefined()
})
