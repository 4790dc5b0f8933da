import { CORE_SCHEMA, load } from 'js-yaml'
import { bare, type Step, type Visited } from './walk'

type Data = Record<string, unknown> & { type: string; title: string }
interface Node {
  id: string
  data: Data
  parentId?: string
}
interface Edge {
  source: string
  sourceHandle: string
  target: string
}
interface Workflow {
  graph: { nodes: Node[]; edges: Edge[] }
  conversation_variables?: { name: string; value: unknown }[]
}
interface Case {
  case_id: string
  conditions?: Condition[]
  logical_operator?: string
}
interface Condition {
  variable_selector: string[]
  comparison_operator: string
  value: unknown
}

/** What a run visits; `failed`: an error ended it, at some time while branches were side by side. */
export interface Run extends Visited {
  failed: boolean
}

/** Where a run is left by an error. */
const FAILS = 'fails'
/** The nodes that a model or a server answers. */
const CALLS = new Set(['llm', 'agent', 'http-request'])

/**
 * A chatflow of Dify as Dify runs it, as far as the way through it goes: a node runs once each edge into it was taken or can't be taken any
 * more, and at least one was. Written from the product's behaviour, without anything of the importer.
 * @param kept the titles of the nodes that the import keeps as placeholders: they give nothing, and go on by their first way out
 */
export function readDifyApp(source: string, kept: ReadonlySet<string>) {
  const { workflow } = load(source, { schema: CORE_SCHEMA }) as { workflow: Workflow }
  const { graph, conversation_variables = [] } = workflow
  const drawn = graph.nodes.filter(({ data }) => data.type)
  const nodes = drawn.filter(({ parentId }) => !parentId)
  const ids = new Set(drawn.map(({ id }) => id))
  const edges = graph.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target))
  const lasting = new Map(conversation_variables.map(({ name, value }) => [name, value]))
  let count = 0

  /** @param form what every field of the form before the first message was filled in with */
  function run({ text, world }: Step, form: string): Run {
    count++
    const values = new Map<string, unknown>()
    const visited: Run = { nodes: [], said: '', failed: false }

    function readValue([head = '', name = '', ...path]: readonly string[]): unknown {
      if (head === 'sys') return { query: text, dialogue_count: count }[name]
      if (head === 'conversation') return lasting.get(name)
      const value = values.get(`${head}.${name}`)
      return path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value)
    }
    const filled = (template: unknown) =>
      String(template ?? '').replace(/\{\{#([^#]+)#\}\}/g, (_, inside: string) => printed(readValue(inside.split('.'))))
    const holds = ({ conditions = [], logical_operator }: Case) => {
      const results = conditions.map(({ variable_selector, comparison_operator, value }) =>
        compare(readValue(variable_selector), comparison_operator, typeof value === 'string' ? filled(value) : value),
      )
      return logical_operator === 'or' ? results.some(Boolean) : results.every(Boolean)
    }

    /** Does what the node does; gives the handle that it leaves by. */
    function carryOut({ id, data }: Node): string {
      const give = (name: string, value: unknown) => values.set(`${id}.${name}`, value)
      if (kept.has(data.title)) return 'source'
      if (data.type === 'start')
        for (const { variable, options } of (data.variables as
          | { variable: string; options?: string[] }[]
          | undefined) ?? [])
          give(variable, options?.[0] ?? form)
      const failed = data.error_strategy === 'fail-branch' ? 'fail-branch' : FAILS
      switch (data.type) {
        case 'if-else': {
          const cases = (data.cases as Case[] | undefined) ?? [{ case_id: 'true', ...data } as Case]
          return cases.find(holds)?.case_id ?? 'false'
        }
        case 'question-classifier': {
          const classes = data.classes as { id: string; name: string }[]
          // a class that the model does not name counts as the first
          const found = world.down ? classes[0] : classes[world.choice % classes.length]
          give('class_name', found?.name)
          return found?.id ?? FAILS
        }
        case 'parameter-extractor':
          if (!world.down)
            for (const { name, type } of data.parameters as { name: string; type: string }[])
              give(name, /^bool/.test(type) ? true : /^array/.test(type) ? [world.word] : world.word)
          return 'source'
        case 'knowledge-retrieval':
          if (!world.down) give('result', world.word)
          return 'source'
        case 'iteration':
          return iterate(id, data)
        case 'variable-aggregator':
          give(
            'output',
            (data.variables as string[][]).map(readValue).find((value) => value !== undefined),
          )
          return 'source'
        case 'assigner':
          for (const item of (data.items as Record<string, never>[] | undefined) ?? [data]) assign(item)
          return 'source'
        case 'answer':
          visited.said += bare(filled(data.answer))
          return 'source'
        case 'end':
          for (const output of data.outputs as { value_selector: string[] }[])
            visited.said += bare(printed(readValue(output.value_selector)))
          return 'source'
      }
      if (!CALLS.has(data.type)) return 'source'
      if (data.type === 'http-request') {
        give('status_code', world.down ? undefined : world.status)
        give('body', world.down ? undefined : { state: world.word })
        return world.down || world.status >= 400 ? failed : 'source'
      }
      if (world.down) return failed
      give('text', world.word)
      return 'source'
    }
    function assign(item: Record<string, unknown>): void {
      const [, name = ''] = (item.variable_selector ?? item.assigned_variable_selector) as string[]
      const operation = item.operation ?? item.write_mode
      const given =
        item.input_type === 'constant'
          ? item.value
          : readValue((item.value ?? item.input_variable_selector ?? []) as string[])
      const present = lasting.get(name)
      if (operation === 'clear') lasting.set(name, Array.isArray(present) ? [] : '')
      else if (operation === 'append') lasting.set(name, [...((present as unknown[]) ?? []), given])
      else if (operation === '+=') lasting.set(name, Number(present) + Number(given))
      else lasting.set(name, given)
    }

    /** Runs the nodes inside of it for each item; what they gave in one round is forgotten in the next. */
    function iterate(id: string, data: Data): string {
      const list = [readValue(data.iterator_selector as string[]) ?? []].flat()
      const inner = drawn.filter(({ parentId }) => parentId === id)
      const outputs: unknown[] = []
      for (const [index, item] of list.entries()) {
        for (const key of values.keys()) if (inner.some((node) => key.startsWith(`${node.id}.`))) values.delete(key)
        values.set(`${id}.item`, item)
        values.set(`${id}.index`, index)
        const isWhole = follow(inner)
        if (!isWhole && (data.error_handle_mode ?? 'terminated') === 'terminated') return FAILS
        if (isWhole) outputs.push(readValue(data.output_selector as string[]))
        else if (data.error_handle_mode === 'continue-on-error') outputs.push(null)
      }
      values.set(`${id}.output`, outputs)
      return 'source'
    }

    /** Runs nodes that lead to each other, from where they begin; false where an error that no way out takes ended that. */
    function follow(own: readonly Node[]): boolean {
      const taken = new Map<Edge, boolean>()
      const done = new Set<string>()
      let isWhole = true
      for (let isMoving = true; isMoving; ) {
        isMoving = false
        for (const node of own) {
          const into = edges.filter(({ target }) => target === node.id)
          const isStart = node.data.type === 'start' || node.data.type === 'iteration-start'
          if (done.has(node.id) || into.some((edge) => !taken.has(edge)) || (into.length === 0 && !isStart)) continue
          done.add(node.id)
          isMoving = true
          const comes = isStart || into.some((edge) => taken.get(edge))
          const handle = comes ? carryOut(node) : ''
          if (comes && !isStart) visited.nodes.push(node.data.title.trim())
          // what is side by side with it may have run by then, or not
          if (handle === FAILS) isWhole = false
          for (const edge of edges)
            if (edge.source === node.id) taken.set(edge, comes && (edge.sourceHandle || 'source') === handle)
        }
      }
      return isWhole
    }
    visited.failed = !follow(nodes)
    return visited
  }
  return { run, compared: wordsIn(nodes) }
}

const printed = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function compare(value: unknown, operator: string, expected: unknown): boolean {
  const text = printed(value)
  const other = printed(expected)
  const isEmpty = value === undefined || value === null || text === '' || text === '[]'
  switch (operator) {
    case 'contains':
      return !isEmpty && text.includes(other)
    case 'not contains':
      return isEmpty || !text.includes(other)
    case 'start with':
      return !isEmpty && text.startsWith(other)
    case 'end with':
      return !isEmpty && text.endsWith(other)
    case 'is':
      return value !== undefined && text === other
    case 'is not':
      return value !== undefined && text !== other
    case 'empty':
      return isEmpty
    case 'not empty':
      return !isEmpty
    case 'in':
      return !isEmpty && (expected as unknown[]).includes(value)
    case 'not in':
      return isEmpty || !(expected as unknown[]).includes(value)
  }
  if (value === undefined || text === '') return false
  const [left, right] = [Number(value), Number(expected)]
  return (
    {
      '=': left === right,
      '≠': left !== right,
      '>': left > right,
      '<': left < right,
      '≥': left >= right,
      '≤': left <= right,
    }[operator] === true
  )
}

/** What conditions compare with: what a visitor should say now and then. */
function wordsIn(nodes: readonly Node[]): string[] {
  const words = nodes.flatMap(({ data }) => {
    const cases = (data.cases as { conditions: Condition[] }[] | undefined) ?? [
      data as unknown as { conditions: Condition[] },
    ]
    return data.type === 'if-else'
      ? cases.flatMap(({ conditions }) => conditions.map(({ value }) => printed(value)))
      : []
  })
  return [...new Set(words.filter((word) => word.trim() !== '' && !word.includes('{{')))]
}
