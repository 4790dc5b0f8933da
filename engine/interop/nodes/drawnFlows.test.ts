import { describe, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import {
  type DrawnProduct,
  drawnFiles,
  drawnSource,
  ownDrawnFiles,
  sharedDrawnFiles,
} from '../../../tests/support/drawnFlows'
import { serialiseFlow } from '../../flow/canonical'
import { createCountingIds } from '../../flow/ids'
import { type Flow, flowSchema } from '../../flow/schema'
import { fieldsOf, listOf, textOf } from '../fields'
import { importFlow } from '../importFlow'
import { readFile } from '../readFile'

const read = (source: string) => importFlow(source, registry, createCountingIds('new'))
const blocksOf = (flow: Flow) => flow.groups.flatMap((group) => group.blocks)

/** The nodes of a file, without the notes on its canvas. */
function drawnIn(product: DrawnProduct, source: string): { title: string; type: string }[] {
  const file = fieldsOf(readFile(source))
  const graph = product === 'dify' ? fieldsOf(fieldsOf(file.workflow).graph) : file
  return listOf(graph.nodes)
    .map((node) => fieldsOf(fieldsOf(node).data))
    .map((data) => ({
      title: textOf(data.title ?? data.label),
      type: textOf(product === 'dify' ? data.type : data.name),
    }))
    .filter(({ type }) => type !== '' && type !== 'stickyNoteAgentflow')
}

const all = (['dify', 'flowise'] as const).flatMap((product) =>
  drawnFiles(product).map((name) => [product, name] as const),
)

describe.each(all)('%s %s', (product, name) => {
  const source = drawnSource(product, name)
  const { flow, report } = read(source)
  const drawn = drawnIn(product, source)

  test('becomes a flow whose every block fits its kind and whose every edge leaves a port and arrives', () => {
    flowSchema.parse(flow)
    for (const block of blocksOf(flow)) registry.get(block.kind).schema.parse(block.data)
    for (const { from, to } of flow.edges) {
      const block = blocksOf(flow).find(({ id }) => id === from.blockId)
      expect(
        block &&
          registry
            .get(block.kind)
            .ports(block.data)
            .map(({ id }) => id),
      ).toContain(from.portId)
      expect(flow.groups.map(({ id }) => id)).toContain(to.groupId)
    }
  })

  test('has every node of the file as a group, each mapped or a placeholder, and all of that in the report', () => {
    for (const { title } of drawn.filter((node) => node.title.trim() !== ''))
      expect(flow.groups.map((group) => group.title)).toContain(title.trim())
    expect(flow.groups.length).toBeGreaterThanOrEqual(drawn.length)
    for (const { type } of drawn)
      expect([...report.mapped, ...report.placeholders].map((row) => row.type)).toContain(type)
    const kept = report.placeholders.reduce((sum, { count }) => sum + count, 0)
    expect(blocksOf(flow).filter(({ kind }) => kind === 'placeholder')).toHaveLength(kept)
    expect(blocksOf(flow).filter(({ kind }) => kind === 'start')).toHaveLength(1)
  })

  test('every edge of the file between nodes that are read is one here, or what it says stands in the report', () => {
    expect(report.product).toBe(product)
    const left = report.notes.filter(({ message }) => message.includes('does not exist here and is left out'))
    expect(left).toEqual([])
  })

  test('is the same flow each time, and exported and imported again the same to the byte', () => {
    const exported = serialiseFlow(flow)
    expect(serialiseFlow(read(source).flow)).toBe(exported)
    expect(serialiseFlow(read(exported).flow)).toBe(exported)
  })
})

/** What every node type in some files became: the whole table, so that a change of any mapping shows. */
function fates(product: DrawnProduct, files: readonly string[]): Record<string, number> {
  const table = new Map<string, number>()
  const add = (row: string, count: number) => table.set(row, (table.get(row) ?? 0) + count)
  for (const name of files) {
    const { mapped, placeholders } = read(drawnSource(product, name)).report
    for (const { type, kind, count } of mapped) add(`${type} -> ${kind}`, count)
    for (const { type, count } of placeholders) add(`${type}: placeholder`, count)
  }
  return Object.fromEntries([...table].sort())
}

test('every node of our Dify files is of a kind here, or a placeholder', () => {
  expect(fates('dify', ownDrawnFiles('dify'))).toMatchInlineSnapshot(`
    {
      "agent -> ai-answer": 1,
      "answer -> text": 10,
      "assigner -> set-variable": 6,
      "brand-new-node: placeholder": 1,
      "code: placeholder": 1,
      "http-request -> http-request": 2,
      "if-else -> condition": 5,
      "iteration -> set-variable": 11,
      "iteration-start -> condition": 3,
      "iteration-start -> set-variable": 11,
      "knowledge-retrieval -> ai-answer": 1,
      "llm -> ai-answer": 4,
      "message -> set-variable": 8,
      "message -> text-input": 3,
      "parameter-extractor -> ai-extract": 1,
      "question-classifier -> ai-extract": 1,
      "question-classifier -> condition": 1,
      "question-classifier -> set-variable": 1,
      "start -> form": 1,
      "start -> start": 3,
      "start -> text": 1,
      "template-transform: placeholder": 1,
      "tool: placeholder": 1,
      "variable-aggregator -> set-variable": 2,
    }
  `)
})

test('every node of our Flowise files is of a kind here, or a placeholder', () => {
  expect(fates('flowise', ownDrawnFiles('flowise'))).toMatchInlineSnapshot(`
    {
      "agentAgentflow -> ai-answer": 1,
      "brandNewAgentflow: placeholder": 1,
      "conditionAgentAgentflow -> ai-extract": 1,
      "conditionAgentAgentflow -> condition": 1,
      "conditionAgentAgentflow -> set-variable": 1,
      "conditionAgentflow -> condition": 3,
      "customFunctionAgentflow: placeholder": 1,
      "directReplyAgentflow -> text": 4,
      "executeFlowAgentflow -> go-to": 1,
      "httpAgentflow -> http-request": 1,
      "humanInputAgentflow -> ai-answer": 1,
      "humanInputAgentflow -> buttons": 2,
      "humanInputAgentflow -> set-variable": 2,
      "iterationAgentflow -> condition": 1,
      "iterationAgentflow -> set-variable": 4,
      "llmAgentflow -> ai-answer": 7,
      "llmAgentflow -> set-variable": 3,
      "loopAgentflow -> condition": 2,
      "loopAgentflow -> set-variable": 2,
      "loopAgentflow -> text": 2,
      "message -> set-variable": 6,
      "message -> text-input": 2,
      "retrieverAgentflow -> ai-answer": 1,
      "retrieverAgentflow -> set-variable": 1,
      "startAgentflow -> start": 2,
      "toolAgentflow: placeholder": 1,
    }
  `)
})

test.skipIf(sharedDrawnFiles('dify').length === 0)('and so is every node of the files that other people made', () => {
  expect([
    fates('dify', sharedDrawnFiles('dify')),
    fates('flowise', sharedDrawnFiles('flowise')),
  ]).toMatchInlineSnapshot(`
    [
      {
        "agent -> ai-answer": 1,
        "agent: placeholder": 1,
        "answer -> text": 20,
        "assigner -> set-variable": 20,
        "code: placeholder": 6,
        "end -> text": 1,
        "if-else -> condition": 11,
        "iteration -> set-variable": 16,
        "iteration-start -> condition": 4,
        "iteration-start -> set-variable": 12,
        "knowledge-retrieval -> ai-answer": 4,
        "llm -> ai-answer": 33,
        "message -> set-variable": 8,
        "message -> text-input": 6,
        "over -> end": 1,
        "parameter-extractor -> ai-extract": 6,
        "question-classifier -> ai-extract": 1,
        "question-classifier -> condition": 1,
        "question-classifier -> set-variable": 1,
        "start -> form": 2,
        "start -> start": 7,
        "start -> text": 1,
        "template-transform: placeholder": 2,
        "tool: placeholder": 2,
        "variable-aggregator -> set-variable": 2,
      },
      {
        "agentAgentflow -> ai-answer": 8,
        "conditionAgentAgentflow -> ai-extract": 1,
        "conditionAgentAgentflow -> condition": 1,
        "conditionAgentAgentflow -> set-variable": 1,
        "directReplyAgentflow -> text": 1,
        "httpAgentflow -> http-request": 1,
        "humanInputAgentflow -> buttons": 1,
        "humanInputAgentflow -> set-variable": 1,
        "iterationAgentflow -> condition": 1,
        "iterationAgentflow -> set-variable": 4,
        "llmAgentflow -> ai-answer": 5,
        "llmAgentflow -> set-variable": 2,
        "loopAgentflow -> condition": 1,
        "loopAgentflow -> set-variable": 1,
        "loopAgentflow -> text": 1,
        "message -> set-variable": 1,
        "message -> text-input": 6,
        "over -> end": 1,
        "startAgentflow -> form": 1,
        "startAgentflow -> start": 7,
        "toolAgentflow: placeholder": 3,
      },
    ]
  `)
})

describe('what is not as it was is in the report', () => {
  const notesOf = (product: DrawnProduct, name: string) =>
    read(drawnSource(product, name)).report.notes.map(({ place, message }) => `${place ?? ''}: ${message}`)

  test('of Dify: secrets, capitals, models, side by side, what a placeholder would give', () => {
    const notes = notesOf('dify', 'every-node.yml')
    expect(notes).toContainEqual(expect.stringContaining("The secret 'shop key' is not in the file"))
    expect(notes).toContainEqual(
      expect.stringContaining('Write › llm: Settings of its model are left out: max_tokens.'),
    )
    expect(notes).toContainEqual(
      expect.stringContaining("Say the rest › answer: It reads 'output' of 'Fill in', which is a placeholder"),
    )
    expect(notes).toContainEqual(
      expect.stringContaining(
        "Topic › question-classifier: What followed side by side runs one after the other here: 'Count', 'Look up'.",
      ),
    )
    expect(notesOf('dify', 'iteration.yml')).toContainEqual(
      expect.stringContaining('Each of them: Its rounds ran side by side: here one runs after the other.'),
    )
    // without a list it becomes a placeholder, and its nodes stand beside it
    const listless = drawnSource('dify', 'iteration.yml').replace(
      'iterator_selector: [each, output]',
      'iterator_selector: []',
    )
    const kept = read(listless).report
    expect(kept.placeholders.map(({ type }) => type)).toEqual(['iteration', 'iteration-start'])
    expect(kept.notes.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("It ran in each round of 'Each once more'"),
    )
    expect(notesOf('dify', 'side-by-side.yml')).toContainEqual(expect.stringContaining('It stands here 2 times'))
    // an unknown setting is noted on its own
    const odd = drawnSource('dify', 'side-by-side.yml').replace('answer: L1', 'answer: L1, odd: true')
    expect(read(odd).report.notes).toContainEqual({
      level: 'warning',
      place: 'Left one › answer',
      message: "The setting 'odd' has no counterpart here and is left out.",
    })
  })

  test('of Flowise: tools, stores, values that nothing here knows', () => {
    const notes = notesOf('flowise', 'every-node.json')
    expect(notes).toContainEqual(
      expect.stringContaining('Cancel › agentAgentflow: Its tools are left out (currentDateTime)'),
    )
    // the transcript is supported here, too
    expect(notes).not.toContainEqual(expect.stringContaining('chat_history'))
    expect(notes).toContainEqual(expect.stringContaining('It runs another flow, which this file does not hold'))
    expect(notes).toContainEqual(expect.stringContaining('A note on the canvas is left out: “Ask before changing”'))
  })
})

test('a wrong type in the skeleton is refused with the path to it', () => {
  const refusal = (file: unknown) => () => read(JSON.stringify(file))
  const dify = (graph: unknown) => ({ app: { mode: 'advanced-chat' }, workflow: { graph } })
  expect(refusal(dify({ nodes: [5] }))).toThrow("'workflow.graph.nodes[0]' must be an object.")
  expect(refusal(dify({ nodes: [], edges: {} }))).toThrow("'workflow.graph.edges' must be a list.")
  const start = { id: 's', data: { name: 'startAgentflow', label: 'Start' } }
  expect(refusal({ nodes: [start], edges: [null] })).toThrow("'edges[0]' must be an object.")
  expect(refusal({ nodes: [start, ...Array(20_000).fill({})] })).toThrow(
    "'nodes' has 20001 entries, at most 20000 fit.",
  )
})

test('a graph that branches beyond all bounds keeps its nodes, and says that it was not put into one order', () => {
  const nodes = [{ id: 's', data: { type: 'start', title: 'Start' } }]
  const edges: { source: string; sourceHandle: string; target: string }[] = []
  for (let n = 0; n < 24; n++) {
    const conditions = [{ variable_selector: ['sys', 'query'], comparison_operator: 'is', value: String(n) }]
    nodes.push(
      { id: `c${n}`, data: { type: 'if-else', title: `Part ${n}`, cases: [{ case_id: 'true', conditions }] } as never },
      { id: `a${n}`, data: { type: 'answer', title: `Answer ${n}`, answer: String(n) } as never },
    )
    edges.push(
      { source: 's', sourceHandle: 'source', target: `c${n}` },
      { source: `c${n}`, sourceHandle: 'true', target: `a${(n * 7) % 24}` },
      { source: `c${n}`, sourceHandle: 'false', target: `a${(n * 5 + 1) % 24}` },
    )
  }
  const { flow, report } = read(
    JSON.stringify({ app: { mode: 'advanced-chat' }, workflow: { graph: { nodes, edges } } }),
  )
  expect(flow.groups.length).toBe(nodes.length + 1)
  expect(report.notes.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^Its branches are too many/))
})
