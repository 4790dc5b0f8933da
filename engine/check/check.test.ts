import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import type { BlockView } from '../document/commands'
import { type ChannelCapabilities, webCapabilities } from '../flow/capabilities'
import { createCountingIds } from '../flow/ids'
import { type Block, emptyFlow, type Flow } from '../flow/schema'
import { fingerprint } from '../translations/fingerprint'
import { staticValue } from '../values/dynamicValue'
import { plainRichText, type RichText } from '../values/richText'
import { type CheckOptions, checkFlow, createChecker } from './createChecker'
import { describeDiagnostic, namesOf } from './describe'
import type { FlowOutline } from './outline'
import type { ProblemCode } from './texts'
import { type FlowView, viewOfFlow } from './view'

// A long file, since it is one table: each rule of the checker with a flow that breaks it and one that does not.

type Data = Record<string, unknown>
const ids = createCountingIds('x')

function block(id: string, kind: string, data: Data = {}): Block {
  const definition = registry.find(kind)
  return {
    id,
    kind,
    version: definition?.migrations.length ?? 0,
    data: JSON.parse(JSON.stringify({ ...(definition?.defaults(ids) as Data), ...data })),
  }
}
const start = block('start', 'start')
/** Options of a checker for a chatbot on one channel, which lacks something of what the web has. */
const pigeons = (lacks: Partial<ChannelCapabilities>): CheckOptions => ({
  channels: [{ ...webCapabilities, label: 'Pigeons', ...lacks }],
})
const says = (id: string, ...variables: string[]) =>
  block(id, 'text', {
    content: [
      {
        type: 'paragraph',
        children: [{ text: 'Hello ' }, ...variables.map((variable_id) => ({ text: '', variable: true, variable_id }))],
      },
    ],
  })
const asks = (id: string, saveTo: string | null, more: Data = {}) => block(id, 'text-input', { saveTo, ...more })
const offers = (id: string, options: string[], more: Data = {}) =>
  block(id, 'buttons', { options: options.map((option) => ({ id: option, label: staticValue(option) })), ...more })
const sets = (id: string, variableId: string) =>
  block(id, 'set-variable', { variableId, mode: 'set', value: staticValue('x') })
const looksAt = (id: string, variableId: string, operator: string) =>
  block(id, 'condition', {
    branches: [{ id: 'yes', match: 'all', comparisons: [{ id: 'c', variableId, operator, value: staticValue('') }] }],
  })
const intent = (id: string, name: string, phrases: string[], more: Data = {}) =>
  block(id, 'intent', { name, phrases: phrases.map((text, n) => ({ id: `p${n}`, text })), ...more })

/**
 * Groups by id, from left to right; edges as `block/port > group` or `block/port > group/block`; variables `name` or
 * `name=value`.
 */
function flowOf(groups: Record<string, Block[]>, edges: string[] = [], variables: string[] = []): Flow {
  return {
    ...emptyFlow(),
    groups: Object.entries(groups).map(([id, blocks], n) => ({
      id,
      title: id,
      position: { x: n * 100, y: 0 },
      blocks,
    })),
    edges: edges.map((edge) => {
      const [from = '', to = ''] = edge.split(' > ')
      const [blockId = '', portId = ''] = from.split('/')
      const [groupId = '', target] = to.split('/')
      return { from: { blockId, portId }, to: { groupId, ...(target && { blockId: target }) } }
    }),
    variables: variables.map((variable) => {
      const [id = '', value] = variable.split('=')
      return { id, name: id, value: value ?? null }
    }),
  }
}

const found = (flow: Flow, code: ProblemCode, options?: CheckOptions) =>
  checkFlow(flow, registry, options).filter((diagnostic) => diagnostic.code === code)
const ask = asks('ask', 'name')
const other = (calls: FlowOutline['calls'] = [], groups = ['og'], variables = ['ov']): FlowOutline => ({
  id: 'other',
  title: 'Other',
  groups: groups.map((id) => ({ id })),
  variables: variables.map((id) => ({ id })),
  calls,
})
const enters = (id: string, more: Data = {}) => block(id, 'go-to', { to: 'flow', flowId: 'other', ...more })

const bearer = (value: string) => ({ id: 'h', name: staticValue('Authorization'), value: staticValue(value) })
const chipOf = (variable_id: string) => ({ type: 'dynamic', parts: [{ type: 'variable', variable_id }] })

const english = plainRichText('Hello')
const translated = (text: string, of = fingerprint(english), more: Partial<Flow> = {}): Flow => {
  const flow = flowOf({ g: [start, says('t')] }, [], ['v=a'])
  const said = { ...says('t'), data: { content: JSON.parse(JSON.stringify(english)) } }
  const translations = { ar: { content: { text: plainRichText(text), of } } }
  const blocks = [start, { ...said, ...(text !== '' && { translations }) }]
  return {
    ...flow,
    groups: flow.groups.map((group) => ({ ...group, blocks })),
    languages: { main: 'en', others: ['ar'] },
    ...more,
  }
}
const greetsByName = (translation: RichText): Flow => {
  const greeting: RichText = [
    { type: 'paragraph', children: [{ text: 'Hi ' }, { text: '', variable: true, variable_id: 'v' }] },
  ]
  const flow = translated('x')
  const content = { text: translation, of: fingerprint(greeting) }
  const said = { ...says('t'), data: { content: greeting as never }, translations: { ar: { content } } }
  return { ...flow, groups: flow.groups.map((group) => ({ ...group, blocks: [start, said] })) }
}

/** For each rule a flow that breaks it, at the place named, and one beside it that does not. */
const rules: Record<ProblemCode, { bad: Flow; place: object; good: Flow; options?: CheckOptions }> = {
  'translation-missing': { bad: translated(''), place: {}, good: translated('مرحبا') },
  'translation-outdated': { bad: translated('مرحبا', 'another'), place: {}, good: translated('مرحبا') },
  'translation-lost-variable': {
    bad: greetsByName(plainRichText('مرحبا')),
    place: { blockId: 't', path: 'content', variableId: 'v' },
    good: greetsByName([
      { type: 'paragraph', children: [{ text: 'مرحبا' }, { text: '', variable: true, variable_id: 'v' }] },
    ]),
  },
  'no-start': { bad: flowOf({ g: [says('t')] }), place: {}, good: flowOf({ g: [start, says('t')] }) },
  'trigger-never-begins': {
    bad: flowOf({ g: [start], h: [block('s2', 'start')] }),
    place: { blockId: 's2' },
    good: flowOf({ g: [start], h: [block('r', 'returning-user')] }),
  },
  'intent-never-heard': {
    bad: flowOf({ g: [start], i: [intent('i', 'Price', ['how much'], { global: false })] }),
    place: { blockId: 'i' },
    good: flowOf({
      g: [start, asks('ask', null, { intents: ['i'] })],
      i: [intent('i', 'Price', ['how much'], { global: false })],
    }),
  },
  'unreachable-group': {
    bad: flowOf({ g: [start], h: [says('t')] }),
    place: { groupId: 'h' },
    good: flowOf({ g: [start, block('j', 'go-to', { target: { groupId: 'h' } })], h: [says('t')] }),
  },
  'unreachable-block': {
    bad: flowOf({ g: [start, block('end', 'end'), says('t')] }),
    place: { blockId: 't' },
    good: flowOf({ g: [start, says('t'), block('end', 'end')] }),
  },
  'edge-from-nothing': {
    bad: flowOf({ g: [start], h: [says('t')] }, ['start/gone > h']),
    place: { blockId: 'start', portId: 'gone' },
    good: flowOf({ g: [start], h: [says('t')] }, ['start/next > h']),
  },
  'edge-to-nothing': {
    bad: flowOf({ g: [start] }, ['start/next > gone']),
    place: { blockId: 'start', portId: 'next' },
    good: flowOf({ g: [start], h: [] }, ['start/next > h']),
  },
  'edge-without-block': {
    bad: flowOf({ g: [start] }, ['gone/next > g']),
    place: { edge: { from: { blockId: 'gone', portId: 'next' }, to: { groupId: 'g' } } },
    good: flowOf({ g: [start] }),
  },
  'jump-to-nothing': {
    bad: flowOf({ g: [start, block('j', 'go-to', { target: { groupId: 'gone' } })] }),
    place: { blockId: 'j' },
    good: flowOf({ g: [start, ask, block('j', 'go-to', { target: { groupId: 'g', blockId: 'ask' } })] }, [], ['name']),
  },
  'flow-gone': {
    bad: flowOf({ g: [start, enters('e')] }),
    place: { blockId: 'e' },
    good: flowOf({ g: [start, block('e', 'go-to', { to: 'flow', flowId: 'there' })] }),
    options: { others: [{ ...other(), id: 'there' }] },
  },
  'flow-group-gone': {
    bad: flowOf({ g: [start, enters('e', { flowGroupId: 'gone' })] }),
    place: { blockId: 'e' },
    good: flowOf({ g: [start, enters('e', { flowGroupId: 'og' })] }),
    options: { others: [other()] },
  },
  'flow-variable-gone': {
    bad: flowOf({ g: [start, enters('e', { outputs: [{ id: 'o', fromVariable: 'gone', saveTo: null }] })] }),
    place: { blockId: 'e' },
    good: flowOf({ g: [start, enters('e', { outputs: [{ id: 'o', fromVariable: 'ov', saveTo: null }] })] }),
    options: { others: [other()] },
  },
  'flow-too-deep': {
    bad: flowOf({ g: [start, enters('e')] }),
    place: { blockId: 'e' },
    good: flowOf({ g: [start, block('e', 'go-to', { to: 'flow', flowId: 'there' })] }),
    options: { flowId: 'other' },
  },
  'option-unhandled': {
    bad: flowOf({ g: [start, offers('b', ['yes', 'no'])], h: [says('t')] }, ['b/yes > h']),
    place: { blockId: 'b', portId: 'no' },
    good: flowOf({ g: [start, offers('b', ['yes', 'no'])], h: [says('t')] }, ['b/yes > h', 'b/default > h']),
  },
  'dead-end': {
    bad: flowOf({ g: [start, offers('b', ['yes'], { typing: true })], h: [says('t')] }, ['b/yes > h']),
    place: { blockId: 'b', portId: 'default' },
    good: flowOf({ g: [start, offers('b', ['yes'])], h: [says('t')] }, ['b/yes > h']),
  },
  'branch-ends': {
    bad: flowOf({ g: [start, looksAt('c', 'v', 'is-set')], h: [] }, ['c/yes > h'], ['v']),
    place: { blockId: 'c', portId: 'else' },
    good: flowOf({ g: [start, looksAt('c', 'v', 'is-set'), says('t')], h: [] }, ['c/yes > h'], ['v']),
  },
  'missing-field': {
    bad: flowOf({ g: [start, block('i', 'image')] }),
    place: { blockId: 'i', path: 'url' },
    good: flowOf({ g: [start, block('i', 'image', { url: staticValue('https://example.com/a.png') })] }),
  },
  'invalid-value': {
    bad: flowOf({ g: [start, block('i', 'image', { url: staticValue('ftp://example.com') })] }),
    place: { blockId: 'i', path: 'url' },
    good: flowOf({ g: [start, block('i', 'image', { url: staticValue('https://example.com/a.png') })] }),
  },
  'unknown-kind': {
    bad: flowOf({ g: [start, block('f', 'from-the-future')] }),
    place: { blockId: 'f' },
    good: flowOf({ g: [start] }),
  },
  'placeholder-left': {
    bad: flowOf({ g: [start, block('p', 'placeholder')] }),
    place: { blockId: 'p' },
    good: flowOf({ g: [start] }),
  },
  'no-mail-server': {
    bad: flowOf({ g: [start, block('h', 'hand-off')] }),
    place: { blockId: 'h' },
    good: flowOf({ g: [start, says('t')] }),
    options: { mailServer: false },
  },
  'web-only': {
    bad: flowOf({ g: [start], p: [block('p', 'page-opened')] }),
    place: { blockId: 'p' },
    good: flowOf({ g: [start, block('e', 'embed')] }),
    options: pigeons({ features: ['form'] }),
  },
  'cards-apart': {
    bad: flowOf({ g: [start, block('k', 'carousel')] }),
    place: { blockId: 'k' },
    good: flowOf({ g: [start, block('e', 'embed')] }),
    options: pigeons({ features: [] }),
  },
  'link-instead': {
    bad: flowOf({ g: [start, block('e', 'embed')] }),
    place: { blockId: 'e' },
    good: flowOf({ g: [start, block('k', 'carousel')] }),
    options: pigeons({ features: [] }),
  },
  'fields-in-turn': {
    bad: flowOf({ g: [start, block('f', 'form')] }),
    place: { blockId: 'f' },
    good: flowOf({ g: [start, block('e', 'embed')] }),
    options: pigeons({ features: [] }),
  },
  'buttons-as-list': {
    bad: flowOf({ g: [start, offers('b', ['one', 'two', 'three'])] }),
    place: { blockId: 'b', path: 'options' },
    good: flowOf({ g: [start, offers('b', ['one', 'two']), offers('m', ['1', '2', '3'], { multiple: true })] }),
    options: pigeons({ buttons: { most: 2, label: 9 }, list: { most: 3, label: 9, description: 9 } }),
  },
  'buttons-as-text': {
    bad: flowOf({ g: [start, offers('b', ['one', 'two', 'three'])] }),
    place: { blockId: 'b', path: 'options' },
    good: flowOf({ g: [start, offers('b', ['one', 'two'])] }),
    options: pigeons({ buttons: { most: 2, label: 9 } }),
  },
  'list-split': {
    bad: flowOf({ g: [start, offers('b', ['one', 'two', 'three', 'four'])] }),
    place: { blockId: 'b', path: 'options' },
    good: flowOf({ g: [start, offers('b', ['one', 'two', 'three'])] }),
    options: pigeons({ buttons: { most: 2, label: 9 }, list: { most: 3, label: 9, description: 9 } }),
  },
  'label-cut': {
    bad: flowOf({ g: [start, offers('b', ['short', 'ten-chars_'])] }),
    place: { blockId: 'b', path: 'options.1.label' },
    good: flowOf({ g: [start, offers('b', ['short', 'nine-char'])] }),
    options: pigeons({ buttons: { most: 2, label: 9 } }),
  },
  'caption-cut': {
    bad: flowOf({ g: [start, block('i', 'image', { alt: staticValue('12345') })] }),
    place: { blockId: 'i', path: 'alt' },
    good: flowOf({ g: [start, block('i', 'image', { alt: staticValue('1234') })] }),
    options: pigeons({ caption: 4 }),
  },
  'text-split': {
    bad: flowOf({ g: [start, block('t', 'text', { content: plainRichText('12345') })] }),
    place: { blockId: 't', path: 'content' },
    good: flowOf({ g: [start, block('t', 'text', { content: plainRichText('1234') })] }),
    options: pigeons({ text: 4 }),
  },
  'unknown-variable': {
    bad: flowOf({ g: [start, says('t', 'gone')] }),
    place: { blockId: 't', variableId: 'gone' },
    good: flowOf({ g: [start, says('t', 'sys_language', 'v')] }, [], ['v=a']),
  },
  'secret-missing': {
    bad: flowOf({ g: [start, block('c', 'http-request', { url: chipOf('secret_GONE') })] }),
    place: { blockId: 'c' },
    good: flowOf({ g: [start, block('c', 'http-request', { url: chipOf('secret_THERE') })] }),
    options: { secrets: new Set(['THERE']) },
  },
  'secret-not-allowed': {
    bad: flowOf({ g: [start, says('t', 'secret_THERE')] }),
    place: { blockId: 't', variableId: 'secret_THERE' },
    good: flowOf({ g: [start, block('c', 'http-request', { url: chipOf('secret_THERE') })] }),
  },
  'plain-secret': {
    bad: flowOf({
      g: [
        start,
        block('c', 'http-request', { url: staticValue('https://a.example'), headers: [bearer('Bearer abc123')] }),
      ],
    }),
    place: { blockId: 'c', path: 'headers.0.value' },
    good: flowOf({
      g: [start, block('c', 'http-request', { url: staticValue('https://a.example'), headers: [bearer('Bearer ')] })],
    }),
  },
  'variable-never-set': {
    bad: flowOf({ g: [start, says('t', 'v')] }, [], ['v']),
    place: { blockId: 't', variableId: 'v' },
    good: flowOf({ g: [start, looksAt('c', 'v', 'is-set')] }, [], ['v']),
  },
  'variable-may-be-unset': {
    bad: flowOf(
      { g: [start, asks('ask', 'v', { required: false })], h: [says('t', 'v')] },
      ['ask/next > h', 'ask/skip > h'],
      ['v'],
    ),
    place: { blockId: 't', variableId: 'v' },
    good: flowOf(
      { g: [start, asks('ask', 'v', { required: false })], s: [sets('set', 'v')], h: [says('t', 'v')] },
      ['ask/next > h', 'ask/skip > s', 'ask/invalid > s', 'set/next > h'],
      ['v'],
    ),
  },
  'variable-unset-if-invalid': {
    bad: flowOf({ g: [start, asks('ask', 'v'), says('t', 'v')] }, [], ['v']),
    place: { blockId: 't', variableId: 'v' },
    good: flowOf({ g: [start, asks('ask', 'v'), says('t', 'v')], h: [] }, ['ask/invalid > h'], ['v']),
  },
  'endless-loop': {
    bad: flowOf({ g: [start, says('t')] }, ['t/next > g']),
    place: { blockId: 'start' },
    good: flowOf({ g: [start, says('t'), ask] }, ['ask/next > g'], ['name']),
  },
  'idle-loop': {
    bad: flowOf({ g: [start, says('t'), looksAt('c', 'v', 'is-set')], h: [] }, ['c/yes > g', 'c/else > h'], ['v']),
    place: { blockId: 'start' },
    good: flowOf({ g: [start, looksAt('c', 'v', 'is-set'), ask] }, ['c/else > g/ask', 'ask/next > g'], ['v', 'name']),
  },
  'loop-without-wait': {
    bad: flowOf({ g: [start, sets('s', 'v'), looksAt('c', 'v', 'is-set')], h: [] }, ['c/yes > g', 'c/else > h'], ['v']),
    place: { blockId: 'start' },
    good: flowOf({ g: [start, sets('s', 'v'), block('w', 'wait')] }, ['w/next > g'], ['v']),
  },
  'intent-name-twice': {
    bad: flowOf({ g: [start], i: [intent('i', 'Price', ['a b'])], j: [intent('j', 'price', ['c d'])] }),
    place: { blockId: 'j' },
    good: flowOf({ g: [start], i: [intent('i', 'Price', ['a b'])], j: [intent('j', 'Order', ['c d'])] }),
  },
  'phrase-twice': {
    bad: flowOf({ g: [start], i: [intent('i', 'A', ['How much?', 'x'])], j: [intent('j', 'B', ['how much', 'y'])] }),
    place: { blockId: 'j' },
    good: flowOf({ g: [start], i: [intent('i', 'A', ['How much?', 'how much'])], j: [intent('j', 'B', ['order'])] }),
  },
  'phrases-alike': {
    bad: flowOf({
      g: [start],
      i: [intent('i', 'A', ['cancel my orders'])],
      j: [intent('j', 'B', ['cancel my order'])],
    }),
    place: { blockId: 'j' },
    good: flowOf({ g: [start], i: [intent('i', 'A', ['cancel my order'])], j: [intent('j', 'B', ['place my order'])] }),
  },
}

describe.each(Object.entries(rules))('%s', (name, { bad, place, good, options }) => {
  const code = name as ProblemCode

  test('is told, at its place, in words', () => {
    const [first, ...more] = found(bad, code, options)
    expect(first?.place).toMatchObject(place)
    expect(more).toEqual([])
    const text = first && describeDiagnostic(first, namesOf(viewOfFlow(bad), registry, options?.others ?? []))
    expect(text).not.toMatch(/\{\{|…|undefined/)
  })

  test('is not told beside it', () => {
    expect(found(good, code, options)).toEqual([])
  })
})

const path = (flow: Flow, code: ProblemCode, options?: CheckOptions) => {
  const [first] = found(flow, code, options)
  return first && describeDiagnostic(first, namesOf(viewOfFlow(flow), registry))
}

test('of a chatbot on several channels, each is told that shows a block otherwise, and the web is not', () => {
  const flow = flowOf({ g: [start, offers('b', ['one', 'two', 'three', 'a-label-of-21-chars__'])] })
  const channels = [
    webCapabilities,
    { ...webCapabilities, label: 'Pigeons', buttons: { most: 3, label: 20 }, list: null },
    { ...webCapabilities, label: 'Drums', buttons: { most: 9, label: 20 }, list: null },
  ]
  const told = checkFlow(flow, registry, { channels })
  expect(
    told.flatMap(({ code, values }) => (typeof values.channel === 'string' ? [`${code} ${values.channel}`] : [])),
  ).toEqual(['buttons-as-text Pigeons', 'label-cut Drums'])
  expect(checkFlow(flow, registry).filter(({ values }) => values.channel !== undefined)).toEqual([])
})

describe('a variable that may be unset', () => {
  const skips = asks('ask', 'v', { required: false })

  test('the reason is told in one short sentence', () => {
    const flow = flowOf(
      { Start: [start], Name: [skips], End: [says('t', 'v')] },
      ['start/next > Name', 'ask/skip > End', 'ask/next > End'],
      ['v'],
    )
    const edges = [...flow.edges, { from: { blockId: 'ask', portId: 'invalid' }, to: { groupId: 'Name' } }]
    expect(path({ ...flow, edges }, 'variable-may-be-unset')).toBe('“v” may be empty: the visitor skipped the question')
  })

  const reason = (flow: Flow) => path(flow, 'variable-unset-if-invalid')
  test('the reason is the exit by which the block that sets it was passed', () => {
    expect(reason(flowOf({ g: [start, asks('ask', 'v'), says('t', 'v')] }, [], ['v']))).toBe(
      '“v” may be empty: the visitor failed three times',
    )
    expect(reason(flowOf({ g: [start, asks('ask', 'v', { attempts: 1 }), says('t', 'v')] }, [], ['v']))).toBe(
      '“v” may be empty: the visitor failed once',
    )
    const calls = block('call', 'http-request', {
      url: staticValue('https://example.com'),
      mapping: [{ id: 'm', from: 'body', path: '$.name', variableId: 'v' }],
    })
    expect(reason(flowOf({ g: [start, calls, says('t', 'v')] }, [], ['v']))).toBe(
      '“v” may be empty: HTTP request failed',
    )
  })

  test('where nothing that would set it is passed, the way is told by the groups and the exits on it', () => {
    const flow = flowOf(
      { Start: [start], Split: [looksAt('c', 'w', 'is-set')], Name: [sets('s', 'v')], End: [says('t', 'v')] },
      ['start/next > Split', 'c/yes > Name', 'c/else > End', 's/next > End'],
      ['v', 'w'],
    )
    expect(path(flow, 'variable-may-be-unset')).toBe(
      '“v” may be empty: nothing sets it on the way Start → Split (Else) → End',
    )
  })

  describe('no way is told that no value can take', () => {
    const scores = (id: string, mode: string, value: string) =>
      block(id, 'set-variable', { variableId: 'score', mode, value: staticValue(value) })
    const compares = (id: string, operator: string, value: string) =>
      block(id, 'condition', {
        branches: [
          {
            id: 'yes',
            match: 'all',
            comparisons: [{ id: 'c', variableId: 'score', operator, value: staticValue(value) }],
          },
        ],
      })
    const gated = (before: Block[], operator = 'greater-or-equal', value = '40', variables = ['v', 'score']) =>
      flowOf(
        { g: [start, ...before, compares('c', operator, value)], h: [says('t', 'v')], n: [sets('s', 'v'), says('u')] },
        ['c/yes > h', 'c/else > n', 's/next > h'],
        variables,
      )
    const told = (flow: Flow) => found(flow, 'variable-may-be-unset').length

    test.each<[what: string, before: Block[], told: number]>([
      ['10 is not at least 40', [scores('a', 'set', '10')], 0],
      ['50 is', [scores('a', 'set', '50')], 1],
      ['10 and 30 is', [scores('a', 'set', '10'), scores('b', 'increment', '30')], 1],
      ['10 and 20 is not', [scores('a', 'set', '10'), scores('b', 'increment', '20')], 0],
      ['what a visitor enters may be', [asks('ask', 'score')], 1],
      ['what was cleared is not', [asks('ask', 'score'), scores('a', 'clear', '')], 0],
    ])('%s', (_, before, count) => {
      expect(told(gated(before))).toBe(count)
    })

    test('the value that a variable begins with counts', () => {
      expect(told(gated([], 'equals', '7', ['v', 'score=7']))).toBe(1)
      expect(told(gated([], 'equals', '8', ['v', 'score=7']))).toBe(0)
    })

    test('of two ways that come together the one that can be taken is told', () => {
      const flow = flowOf(
        {
          a: [start, looksAt('split', 'w', 'is-set')],
          low: [scores('low', 'set', '10')],
          far: [says('far')],
          high: [scores('high', 'set', '50')],
          gate: [compares('c', 'greater-or-equal', '40')],
          h: [says('t', 'v')],
          n: [sets('s', 'v'), says('u')],
        },
        [
          'split/yes > low',
          'split/else > far',
          'far/next > high',
          'low/next > gate',
          'high/next > gate',
          'c/yes > h',
          'c/else > n',
        ],
        ['v', 'score', 'w'],
      )
      expect(path(flow, 'variable-may-be-unset')).toBe(
        '“v” may be empty: nothing sets it on the way a (Else) → far → high → gate (Branch 1) → h',
      )
    })

    test('a loop that counts comes to an end', () => {
      const flow = flowOf(
        {
          g: [start, looksAt('split', 'w', 'is-set')],
          l: [scores('a', 'increment', '1'), compares('c', 'greater', '1000000')],
          h: [says('t', 'v')],
          n: [sets('s', 'v')],
        },
        ['split/yes > n', 'split/else > l', 'c/yes > h', 'c/else > l', 's/next > h'],
        ['v', 'score=0', 'w'],
      )
      expect(told(flow)).toBe(1)
    })

    test('a change of what is set or compared is seen by the checker that follows the flow', () => {
      const checker = createChecker(registry)
      const first = viewOfFlow(gated([scores('a', 'set', '10')]))
      const count = (view: FlowView) =>
        checker.check(view).filter(({ code }) => code === 'variable-may-be-unset').length
      // with structural sharing, as in a document: only the changed block is a new object
      const edited = (view: FlowView, { id, data }: Block): FlowView => ({
        ...view,
        blocks: new Map(view.blocks).set(id, {
          ...(view.blocks.get(id) as BlockView),
          data: data as BlockView['data'],
        }),
      })
      const second = edited(first, scores('a', 'set', '50'))
      const third = edited(second, compares('c', 'greater', '60'))
      expect([count(first), count(second), count(third)]).toEqual([0, 1, 0])
    })
  })

  test('a condition that saw a value is believed, on either side', () => {
    const shown = (operator: string, port: string, after: string) =>
      found(
        flowOf(
          { g: [start, skips], c: [looksAt('c', 'v', operator)], h: [says('t', 'v')], i: [] },
          ['ask/next > c', 'ask/skip > c', 'ask/invalid > c', `c/${port} > h`, `c/${after} > i`],
          ['v'],
        ),
        'variable-may-be-unset',
      ).length
    expect(shown('is-set', 'yes', 'else')).toBe(0)
    expect(shown('is-set', 'else', 'yes')).toBe(1)
    expect(shown('is-empty', 'else', 'yes')).toBe(0)
    expect(shown('is-empty', 'yes', 'else')).toBe(1)
  })

  test('a global intent may cut in before the question is answered, and no earlier', () => {
    const price = intent('i', 'Price', ['how much'])
    const before = flowOf(
      { g: [start, asks('ask', 'v'), says('t')], i: [price, says('u', 'v')] },
      ['ask/invalid > g'],
      ['v'],
    )
    expect(path(before, 'variable-may-be-unset')).toBe('“v” may be empty: nothing sets it on the way g → i')
    const after = flowOf(
      { g: [start, sets('s', 'v'), asks('ask', 'v')], i: [price, says('u', 'v')] },
      ['ask/invalid > g'],
      ['v'],
    )
    expect(found(after, 'variable-may-be-unset')).toEqual([])
  })

  test('what every caller gives is set in another flow; what one leaves out is not', () => {
    const flow = flowOf({ g: [start, says('t', 'v'), sets('s', 'v')] }, [], ['v'])
    const call = (gives: string[]) => ({ flowId: 'me', groupId: null, gives, takes: [] })
    const by = (...calls: string[][]) =>
      found(flow, 'variable-may-be-unset', { flowId: 'me', others: [other(calls.map(call))] }).length
    expect([by(['v']), by(['v'], ['v']), by(['v'], []), by([])]).toEqual([0, 0, 1, 1])
  })
})

test('a group that another flow enters is reached', () => {
  const flow = flowOf({ g: [start], h: [says('t')] })
  const calls = [{ flowId: 'me', groupId: 'h', gives: [], takes: [] }]
  expect(found(flow, 'unreachable-group', { flowId: 'me', others: [other()] })).toHaveLength(1)
  expect(found(flow, 'unreachable-group', { flowId: 'me', others: [other(calls)] })).toEqual([])
})

test('what comes last needs no note, a message or a question', () => {
  for (const last of [says('t'), ask])
    expect(checkFlow(flowOf({ g: [start, last] }, [], ['name']), registry)).toEqual([])
})

test('nothing is said about an empty flow', () => {
  expect(checkFlow(emptyFlow(), registry)).toEqual([])
})

test('the gravest come first, then as the canvas has them', () => {
  const flow = flowOf({ b: [says('u')], a: [start, says('t'), block('i', 'image')] })
  const groups = flow.groups.map((group) => ({ ...group, position: { x: group.id === 'a' ? 0 : 9, y: 0 } }))
  expect(checkFlow({ ...flow, groups }, registry).map(({ code, place }) => `${code} ${place.groupId}`)).toEqual([
    'missing-field a',
    'unreachable-group b',
  ])
})
