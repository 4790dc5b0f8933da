import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { chose, flowAround, shown, stillRuntime, typed } from '../../tests/support/conversations'
import type { Reply } from '../flow/effects'
import type { Flow } from '../flow/schema'
import { createProgram } from '../run/program'
import { replay } from '../run/recording'
import type { DynamicValue } from '../values/dynamicValue'
import { staticValue } from '../values/dynamicValue'
import { plainRichText } from '../values/richText'
import { systemValues } from '../values/systemVariables'
import { fingerprint } from './fingerprint'
import { spokenLanguages } from './speak'
import type { Languages, Translations, VisitorText } from './translation'

const languages: Languages = { main: 'en', others: ['ar', 'pt', 'pt-br', 'zh-tw'] }

test.each([
  ['pt-BR', ['pt-br', 'pt']],
  ['pt_PT', ['pt', 'pt-br']],
  ['zh-Hant-HK', ['zh-tw']],
  ['zh-CN', ['zh-tw']],
  ['AR-eg', ['ar']],
  ['en-GB', []],
  ['de', []],
  ['', []],
  ['x'.repeat(1_000_000), []],
])('a visitor of %s is spoken to in %j, then in the main language', (visitor, spoken) => {
  expect(spokenLanguages(visitor, languages)).toEqual(spoken)
})

test('where the main language is nearer than a translation, nothing is translated', () => {
  expect(spokenLanguages('pt-br', { main: 'pt-br', others: ['pt'] })).toEqual([])
  expect(spokenLanguages('pt-br', { main: 'pt', others: ['pt-br'] })).toEqual(['pt-br'])
  expect(spokenLanguages('en-us', { main: 'en-gb', others: ['en-au'] })).toEqual([])
})

const of = (text: VisitorText, main: VisitorText = plainRichText('')) => ({ text, of: fingerprint(main) })
const name: DynamicValue = {
  type: 'dynamic',
  parts: [
    { type: 'text', text: 'Sim, ' },
    { type: 'variable', variable_id: 'name' },
  ],
}
const translations: Translations = {
  'pt-br': { prompt: of(plainRichText('Quer um chá?')), 'options.yes.label': of(name) },
  pt: { prompt: of(plainRichText('Queres um chá?')), 'options.no.label': of(staticValue('Não')) },
}
const buttons = {
  ...(registry.get('buttons').defaults(() => 'id') as object),
  prompt: plainRichText('Tea?'),
  options: [
    { id: 'yes', label: staticValue('Yes') },
    { id: 'no', label: staticValue('No') },
  ],
  typing: true,
  saveTo: 'answer',
}

function talk(language: string, replies: Reply[], more: Partial<Flow> = { languages }, said = translations) {
  const flow = flowAround('buttons', buttons, { name: 'Ana', answer: null })
  const block = flow.groups[0]?.blocks[1]
  if (block) block.translations = said
  const program = createProgram({ ...flow, ...more }, registry)
  const { turns, session } = replay(program, { replies, variables: systemValues({ language }) }, stillRuntime)
  return {
    said: turns.flatMap(({ messages }) => messages).map(shown),
    labels: turns.flatMap(({ session: { request } }) =>
      request && 'options' in request ? request.options.map(({ label }) => label) : [],
    ),
    answer: session.variables.answer ?? turns.at(-1)?.variables.answer,
    trace: turns.at(-1)?.trace.at(-1),
  }
}

test('each text is said in the first of the visitor’s languages that has it, with the values of its variables', () => {
  expect(talk('pt-BR', [])).toMatchObject({ said: ['Quer um chá?'], labels: ['Sim, Ana', 'Não'] })
  expect(talk('pt', [])).toMatchObject({ said: ['Queres um chá?'], labels: ['Sim, Ana', 'Não'] })
  expect(talk('ar', [])).toMatchObject({ said: ['Tea?'], labels: ['Yes', 'No'] })
})

test('a translated option is chosen by its id or its words; what is kept is the label that was shown', () => {
  expect(talk('pt-br', [chose('yes')])).toMatchObject({ answer: 'Sim, Ana', trace: { port: 'yes' } })
  expect(talk('pt-br', [typed('NÃO')])).toMatchObject({ answer: 'Não', trace: { port: 'no' } })
  expect(talk('de', [chose('yes')])).toMatchObject({ answer: 'Yes', trace: { port: 'yes' } })
})

test('a language that was taken off the list is not spoken, and neither is one of a flow without a list', () => {
  expect(talk('pt-br', [], { languages: { main: 'en', others: ['ar'] } }).said).toEqual(['Tea?'])
  expect(talk('pt-br', [], {}).said).toEqual(['Tea?'])
})

test('a translation that its kind would refuse is passed over, the others of the block are said', () => {
  const long = { ...translations['pt-br'], 'options.yes.label': of(staticValue('x'.repeat(76))) }
  expect(talk('pt-br', [], { languages }, { 'pt-br': long })).toMatchObject({
    said: ['Quer um chá?'],
    labels: ['Yes', 'No'],
  })
})
