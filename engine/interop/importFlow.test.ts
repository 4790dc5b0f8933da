import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import {
  importGroups,
  ownTypebotFiles,
  sharedTypebotFiles,
  typebotFiles,
  typebotSource,
} from '../../tests/support/typebot'
import { serialiseFlow } from '../flow/canonical'
import { createCountingIds } from '../flow/ids'
import { createRegistry } from '../flow/registry'
import { type Flow, flowSchema } from '../flow/schema'
import { importFlow } from './importFlow'

// A long file, since it contains the table of all block types in the 32 files, with what each becomes.

const read = (source: string) => importFlow(source, registry, createCountingIds('new'))
const blocksOf = (flow: Flow) => flow.groups.flatMap((group) => group.blocks)
const sum = (rows: { count: number }[]) => rows.reduce((total, row) => total + row.count, 0)
const fault = (source: string) => {
  try {
    read(source)
  } catch (error) {
    return (error as Error).message
  }
}

describe.each(typebotFiles())('%s', (name) => {
  const file = JSON.parse(typebotSource(name))
  const { flow, report } = read(typebotSource(name))

  test('becomes a flow whose every block fits its kind and whose every edge leaves a port and arrives', () => {
    flowSchema.parse(flow)
    for (const block of blocksOf(flow)) registry.get(block.kind).schema.parse(block.data)
    for (const { from, to } of flow.edges) {
      const block = blocksOf(flow).find(({ id }) => id === from.blockId)
      const ports = block ? registry.get(block.kind).ports(block.data) : []
      expect(ports.map(({ id }) => id)).toContain(from.portId)
      const group = flow.groups.find(({ id }) => id === to.groupId)
      expect(group).toBeDefined()
      if (to.blockId) expect(group?.blocks.map(({ id }) => id)).toContain(to.blockId)
    }
  })

  test('has every group and block of the file, each counted once in the report', () => {
    const blocks =
      file.groups.flatMap((group: { blocks: unknown[] }) => group.blocks).length + (file.events?.length ?? 0)
    expect(flow.groups).toHaveLength(file.groups.length + (file.events?.length ?? 0))
    expect(blocksOf(flow)).toHaveLength(blocks)
    expect(sum(report.mapped) + sum(report.placeholders)).toBe(blocks)
    expect(blocksOf(flow).filter(({ kind }) => kind === 'start')).toHaveLength(1)
  })

  test('keeps no id of the file outside of what a placeholder keeps', () => {
    const kept = blocksOf(flow).map((block) => (block.kind === 'placeholder' ? { ...block, data: {} } : block))
    const text = JSON.stringify([flow.groups.map(({ id }) => id), kept, flow.edges, flow.variables])
    for (const { id } of [...file.groups, ...file.variables]) expect(text).not.toContain(`"${id}"`)
  })

  test('is the same flow each time', () => {
    expect(serialiseFlow(read(typebotSource(name)).flow)).toBe(serialiseFlow(flow))
  })

  test('exported and imported again is the same to the byte', () => {
    const exported = serialiseFlow(flow)
    expect(serialiseFlow(read(exported).flow)).toBe(exported)
  })
})

/** What every block type in some files became: the whole table, so that a change of any mapping shows. */
function fates(files: readonly string[]): Record<string, number> {
  const table = new Map<string, number>()
  for (const name of files) {
    const { mapped, placeholders } = read(typebotSource(name)).report
    for (const { type, kind, count } of mapped) add(`${type} -> ${kind}`, count)
    for (const { type, reason, count } of placeholders) add(`${type}: ${reason}`, count)
  }
  function add(row: string, count: number) {
    table.set(row, (table.get(row) ?? 0) + count)
  }
  return Object.fromEntries([...table].sort())
}

test('every block of our files is of a kind here, or a placeholder with a reason', () => {
  expect(fates(ownTypebotFiles)).toMatchInlineSnapshot(`
    {
      "AB test -> ab-split": 1,
      "Condition -> condition": 8,
      "Email -> send-email": 1,
      "Google Sheets -> sheet-row": 1,
      "Jump -> go-to": 4,
      "Redirect -> redirect": 1,
      "Return -> go-to": 1,
      "Script: There is no block of this kind here: build it from others.": 1,
      "Set variable -> set-variable": 37,
      "Typebot link -> go-to": 8,
      "Wait -> wait": 1,
      "Webhook -> http-request": 1,
      "audio -> audio": 1,
      "choice input -> buttons": 17,
      "date input -> date-input": 1,
      "email input -> email-input": 4,
      "embed -> embed": 1,
      "file input -> file-upload": 1,
      "image -> image": 2,
      "number input -> number-input": 2,
      "openai -> ai-answer": 1,
      "openai: An AI answer can't do what 'Create speech' does.": 1,
      "payment input: Nobody can pay within a chat here: lead to a page for payment, by a redirect or a link in a text.": 1,
      "phone number input -> phone-input": 1,
      "picture choice input -> buttons": 1,
      "picture choice input -> carousel": 1,
      "rating input -> satisfaction": 1,
      "start -> start": 11,
      "text -> text": 83,
      "text input -> text-input": 10,
      "url input -> url-input": 1,
      "video -> video": 1,
    }
  `)
})

test.skipIf(sharedTypebotFiles.length === 0)('and so is every block of the files that other people made', () => {
  expect(fates(sharedTypebotFiles)).toMatchInlineSnapshot(`
    {
      "AB test -> ab-split": 1,
      "Condition -> condition": 15,
      "Email -> send-email": 3,
      "Google Sheets -> sheet-row": 2,
      "Jump -> go-to": 7,
      "OpenAI -> ai-answer": 1,
      "Redirect -> redirect": 2,
      "Set variable -> set-variable": 24,
      "Typebot link -> go-to": 1,
      "Wait -> wait": 1,
      "Webhook -> http-request": 2,
      "audio -> audio": 2,
      "choice input -> buttons": 38,
      "email input -> email-input": 11,
      "file input -> file-upload": 1,
      "image -> image": 7,
      "number input -> number-input": 4,
      "openai -> ai-answer": 5,
      "openai: An AI answer can't do what 'Create speech' does.": 2,
      "openai: An AI answer can't do what 'Create transcription' does.": 1,
      "payment input: Nobody can pay within a chat here: lead to a page for payment, by a redirect or a link in a text.": 1,
      "picture choice input -> buttons": 5,
      "picture choice input -> carousel": 2,
      "rating input -> satisfaction": 2,
      "start -> start": 32,
      "text -> text": 192,
      "text input -> text-input": 26,
      "video -> video": 1,
    }
  `)
})

test('our own format keeps its ids and says what it holds', () => {
  const exported = serialiseFlow(read(typebotSource('questions.json')).flow)
  const { flow, report } = importFlow(exported, registry, () => 'another')
  expect(serialiseFlow(flow)).toBe(exported)
  expect(report).toMatchObject({ product: 'parley', version: '1', placeholders: [], notes: [] })
  expect(report.mapped).toContainEqual({ type: 'buttons', kind: 'buttons', count: 4 })
})

test('a block that no kind maps becomes a placeholder that keeps its data and its way out, reported once', () => {
  const sheet = { id: 'b1', type: 'gmail', options: { spreadsheetId: 'sheet' } }
  const { flow, report } = importGroups([{ id: 'g1', title: 'Rows', blocks: [sheet] }])
  const block = blocksOf(flow).find(({ kind }) => kind === 'placeholder')
  expect(block?.data).toMatchObject({ product: 'typebot', type: 'gmail', data: sheet })
  const reason = 'There is no block for this mailbox: use send email.'
  expect(report.placeholders).toEqual([{ type: 'gmail', count: 1, reason, places: ['Rows'] }])
  expect(JSON.stringify(report.notes)).not.toContain('mailbox')
  const wired = importGroups([{ id: 'g1', blocks: [{ id: 'b', type: 'Pixel', outgoingEdgeId: 'e' }] }], {
    edges: [{ id: 'e', from: {}, to: { groupId: 'g1' } }],
  })
  expect(wired.flow.edges).toMatchObject([{ from: { portId: 'next' } }])
})

test('files older than versions hold blocks with steps', () => {
  const file = {
    blocks: [
      {
        id: 'b0',
        title: 'Start',
        graphCoordinates: { x: 0, y: 0 },
        steps: [{ id: 's0', type: 'start', outgoingEdgeId: 'e0' }],
      },
      {
        id: 'b1',
        title: 'Hi',
        graphCoordinates: { x: 9, y: 8 },
        steps: [{ id: 's1', type: 'text', content: { plainText: 'Hi' } }],
      },
    ],
    edges: [{ id: 'e0', from: { blockId: 'b0', stepId: 's0' }, to: { blockId: 'b1', stepId: 's1' } }],
    variables: [],
  }
  const { flow } = read(JSON.stringify(file))
  const hi = flow.groups.find(({ title }) => title === 'Hi')
  expect(hi).toMatchObject({ position: { x: 9, y: 8 }, blocks: [{ kind: 'text' }] })
  expect(flow.edges).toMatchObject([{ to: { groupId: hi?.id, blockId: hi?.blocks[0]?.id } }])
})

test('data that does not fit the kind becomes a placeholder with the reason, never an error', () => {
  const text = registry.get('text')
  const importers = [{ product: 'typebot' as const, types: ['text'], map: () => ({ data: { content: 5 }, ports: {} }) }]
  const broken = createRegistry([{ ...text, importers }, registry.get('placeholder')])
  const source = JSON.stringify({ groups: [{ blocks: [{ type: 'text', kept: 1 }] }] })
  const { flow, report } = importFlow(source, broken, createCountingIds('new'))
  expect(blocksOf(flow)).toMatchObject([{ kind: 'placeholder', data: { data: { type: 'text', kept: 1 } } }])
  expect(report.placeholders[0]?.reason).toMatch(/^Its data does not fit: Content/)
})

test('numbers that JSON can not write and keys that name the prototype do no harm', () => {
  const block = '{"type":"Pixel","a":1e999,"__proto__":{"b":1},"c":[{"__proto__":1,"d":2}]}'
  const { flow } = read(`{"groups":[{"graphCoordinates":{"x":1e999,"y":0},"blocks":[${block}]}]}`)
  expect(flow.groups[0]?.position).toEqual({ x: 0, y: 0 })
  expect(blocksOf(flow)[0]?.data.data).toEqual({ type: 'Pixel', a: null, c: [{ d: 2 }] })
})

test('characters that no store takes are gone', () => {
  const blocks = [{ type: 'Pixel', note: 'a\0b' }]
  const { flow } = read(JSON.stringify({ groups: [{ title: 'A\0\ud800', blocks }] }))
  expect(flow.groups[0]?.title).toBe('A\ufffd')
  expect(blocksOf(flow)[0]?.data.data).toMatchObject({ note: 'ab' })
})

test('the same note at the same place is kept once', () => {
  const content = { plainText: '{{Gone}} {{Gone}}' }
  const { report } = importGroups([{ id: 'g', title: 'A', blocks: [{ id: 'b', type: 'text', content }] }])
  expect(report.notes.filter(({ place }) => place === 'A › text')).toHaveLength(1)
})

test('a report names at most 500 places and counts the rest', () => {
  const blocks = Array.from({ length: 600 }, (_, n) => ({ type: 'text', [`unheard${n}`]: 1, content: {} }))
  const { report } = read(JSON.stringify({ groups: [{ title: 'A', blocks, graphCoordinates: { x: 0, y: 0 } }] }))
  expect(report.notes).toHaveLength(501)
  expect(report.notes.at(-1)?.message).toBe('101 more notes are left out.')
  const strange = Array.from({ length: 20 }, (_, n) => ({ title: `Group ${n}`, blocks: [{ type: 'strange' }] }))
  const { placeholders } = read(JSON.stringify({ groups: strange })).report
  expect(placeholders).toMatchObject([{ type: 'strange', count: 20 }])
  expect(placeholders[0]?.places).toHaveLength(10)
})

describe('what the file has wrong is repaired and noted', () => {
  const text = (id: string, more = {}) => ({ id, type: 'text', content: {}, ...more })
  const notes = (groups: Record<string, unknown>[], edges: unknown[] = []) => {
    const { flow, report } = importGroups(groups, { edges })
    return {
      edges: flow.edges.length,
      notes: report.notes.map(({ message }) => message).filter((m) => !m.includes('no start')),
    }
  }

  test('an edge to nowhere, an edge from nowhere, and an edge that is not there', () => {
    const blocks = [text('b1', { outgoingEdgeId: 'e1' }), text('b2', { outgoingEdgeId: 'gone' })]
    const edges = [
      { id: 'e1', from: { blockId: 'b1' }, to: { groupId: 'gone' } },
      { id: 'e2', from: { blockId: 'gone' }, to: { groupId: 'g' } },
    ]
    expect(notes([{ id: 'g', title: 'A', blocks }], edges)).toEqual({
      edges: 0,
      notes: [
        'An edge leads to a group that the file does not have and is left out: connect it.',
        'An edge that the file does not have is left out: connect it where it should lead.',
        '1 edge that leaves no block left out.',
      ],
    })
  })

  test('an exit without an edge takes the one that names it', () => {
    const edges = [{ id: 'e1', from: { blockId: 'b1' }, to: { groupId: 'g' } }]
    expect(notes([{ id: 'g', title: 'A', blocks: [text('b1')] }], edges)).toEqual({ edges: 1, notes: [] })
  })

  test('of two edges with one id the first is followed', () => {
    const edges = ['A', 'B'].map((groupId) => ({ id: 'e', from: {}, to: { groupId } }))
    const groups = [
      { id: 'A', title: 'A', blocks: [text('b1', { outgoingEdgeId: 'e' })] },
      { id: 'B', title: 'B', blocks: [] },
    ]
    const { flow } = importGroups(groups, { edges })
    expect(flow.edges).toMatchObject([{ to: { groupId: flow.groups[0]?.id } }])
  })

  test('an edge whose own origin is out of date is followed all the same', () => {
    const edges = [{ id: 'e1', from: { blockId: 'other' }, to: { groupId: 'g', blockId: 'gone' } }]
    expect(notes([{ id: 'g', title: 'A', blocks: [text('b1', { outgoingEdgeId: 'e1' })] }], edges)).toEqual({
      edges: 1,
      notes: [
        'An edge said that it leaves another block; it leaves this one.',
        'An edge led to a block that the file does not have; it leads to its group now.',
      ],
    })
  })

  test('two groups or blocks with one id', () => {
    const group = { id: 'g', title: 'A', blocks: [text('b')] }
    expect(notes([group, group]).notes).toEqual([
      'Another group has the same id.',
      "Another block has the id of 'text'.",
    ])
  })

  test('a title of 101 characters is cut to 100, and an empty one gets a name', () => {
    const { flow, report } = importGroups([
      { id: 'a', title: 'x'.repeat(101), blocks: [] },
      { id: 'b', blocks: [] },
    ])
    expect(flow.groups.map(({ title }) => title)).toEqual(['x'.repeat(100), 'Group 2'])
    expect(report.notes[0]).toMatchObject({
      place: 'x'.repeat(100),
      message: "The group's title was longer and was cut.",
    })
  })

  test('names of variables lose what is not allowed, are cut at 50 and stay different; texts still find them', () => {
    const content = { richText: [{ type: 'p', children: [{ text: '{{a-b}}{{ab}}' }] }] }
    const names = ['a-b', 'ab', 'ab 2', 'x'.repeat(51), '---', 'Größe 2']
    const { flow } = importGroups([{ id: 'g', blocks: [{ id: 'b', type: 'text', content }] }], { variables: names })
    expect(flow.variables.map(({ name }) => name)).toEqual([
      'ab',
      'ab 2',
      'ab 2 2',
      'x'.repeat(50),
      'Variable',
      'Größe 2',
    ])
    const chips = flow.variables.slice(0, 2).map(({ id }) => ({ text: '', variable: true, variable_id: id }))
    expect(flow.groups[0]?.blocks[0]?.data).toEqual({ content: [{ type: 'paragraph', children: chips }] })
  })
})

test('a variable that only a text names is made; what no variable can be called stays text', () => {
  const plain = (plainText: string) => ({ type: 'text', content: { plainText } })
  const blocks = [plain('{{First name}} {{=1+1=}}'), plain('{{First name}}{{order.id}}{{Age}}')]
  const { flow, report } = importGroups([{ id: 'g', title: 'A', blocks }], { variables: ['Age'] })
  expect(flow.variables.map(({ name, value }) => [name, value])).toEqual([
    ['Age', null],
    ['First name', null],
    ['order', null],
  ])
  const [, first, order] = flow.variables.map(({ id }) => id)
  expect(blocksOf(flow).map(({ data }) => data.content)).toMatchObject([
    [{ children: [{ variable_id: first }, { text: ' ' }] }],
    [{ children: [{ variable_id: first }, { variable_id: order, path: '.id' }, {}] }],
  ])
  expect(report.notes.filter(({ message }) => message.includes('it was made'))).toHaveLength(2)
})

test('variables that texts name are made as long as there is room', () => {
  const text = Array.from({ length: 6_000 }, (_, n) => `{{v${n}}}`).join('')
  const { flow } = importGroups([{ id: 'g', blocks: [{ type: 'text', content: { plainText: text } }] }])
  expect(flow.variables).toHaveLength(5_000)
})

test('data of our own format that does not fit its kind is noted, and kept', () => {
  const text = { id: 'b', kind: 'text', version: 0, data: { content: 5 } }
  const group = { id: 'g', title: 'Hello', position: { x: 0, y: 0 }, blocks: [text] }
  const source = JSON.stringify({ format: 'parley-flow', version: 1, groups: [group], edges: [], variables: [] })
  const { flow, report } = read(source)
  expect(blocksOf(flow)[0]?.data).toEqual({ content: 5 })
  expect(report.notes).toEqual([
    {
      level: 'warning',
      place: 'Hello › text',
      message: expect.stringMatching(/^Its data does not fit: Content.* It is kept\.$/),
    },
  ])
})

test('what is no flow at all is refused in words', () => {
  const none = 'It is no flow of Parley, Typebot, Dify or Flowise'
  for (const source of ['[]', '5', 'null', '"text"', '{}', '[{}, {"groups": []}]'])
    expect(fault(source)).toContain(none)
})

test.each([
  [{ groups: 5 }, "'groups' must be a list."],
  [{ groups: [{ blocks: [] }, 5] }, "'groups[1]' must be an object."],
  [{ groups: [{ blocks: {} }] }, "'groups[0].blocks' must be a list."],
  [{ groups: [{ blocks: [null] }] }, "'groups[0].blocks[0]' must be an object."],
  [{ groups: [], edges: 'x' }, "'edges' must be a list."],
  [{ groups: [], variables: [[]] }, "'variables[0]' must be an object."],
  [{ groups: [], variables: Array(5001).fill({}) }, "'variables' has 5001 entries, at most 5000 fit."],
  [{ format: 'parley-flow', version: 1, groups: 5, edges: [], variables: [] }, 'groups'],
])('a wrong type or too many in the skeleton is named (%#)', (file, message) => {
  expect(fault(JSON.stringify(file))).toContain(message)
})

test('more blocks than a flow holds are refused', () => {
  const groups = Array.from({ length: 11 }, () => ({ blocks: Array(10_000).fill({}) }))
  expect(fault(JSON.stringify({ groups }))).toContain('It has 110000 blocks, at most 50000 fit.')
})

test('20 MB of one thing over and over are imported or refused, never a crash', () => {
  const fill = (piece: string, before = '', after = '') =>
    before + piece.repeat(Math.floor((20e6 - before.length - after.length) / piece.length)) + after
  const text = (part: string) =>
    [
      `{"groups":[{"blocks":[{"type":"text","content":{"richText":[{"type":"p","children":[{"text":"${part}`,
      '"}]}]}}]}]}',
    ] as const
  const html = ['{"groups":[{"blocks":[{"type":"text","content":{"html":"', '"}}]}]}'] as const
  for (const source of [
    fill('{{', ...text('')),
    fill('{{a}}', ...text('')),
    fill('\\n', ...text('')),
    fill('<b>', ...html),
    fill('<', ...html),
    fill('[', '{"groups":'),
  ]) {
    const message = fault(source)
    if (message !== undefined) expect(message).toMatch(/not a flow that can be read|nested too deeply/)
  }
})
