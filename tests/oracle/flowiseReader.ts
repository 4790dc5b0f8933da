import { bare, type Step, type Visited } from './walk'

interface Node {
  id: string
  parentNode?: string
  data: { name: string; label: string; inputs: Record<string, unknown> }
}
interface Edge {
  source: string
  sourceHandle: string
  target: string
}
interface Condition {
  type: string
  operation: string
  value1: unknown
  value2: unknown
}

const BRANCHING = new Set(['conditionAgentflow', 'conditionAgentAgentflow', 'humanInputAgentflow'])

/**
 * An agentflow of Flowise as Flowise runs it, as far as the way through it goes: a queue of nodes; a node joins it when all that it waits for
 * has come. Written from the product's behaviour, without anything of the importer.
 * @param kept the titles of the nodes that the import keeps as placeholders: they give nothing
 */
export function readAgentflow(source: string, kept: ReadonlySet<string>) {
  const file = JSON.parse(source) as { nodes: Node[]; edges: Edge[] }
  const nodes = new Map(file.nodes.map((node) => [node.id, node]))
  const nameOf = (id: string) => nodes.get(id)?.data.name ?? ''
  const start = file.nodes.find(({ data }) => data.name === 'startAgentflow')
  const isForm = start?.data.inputs.startInputType === 'formInput'
  const initial = (start?.data.inputs.startState || []) as { key: string; value: string }[]
  let state = new Map(initial.map(({ key, value }) => [key, value]))

  /** The branching node before a node, up the first edge into each. */
  function branchingBefore(id: string, seen = new Set<string>()): string | null {
    if (BRANCHING.has(nameOf(id))) return id
    if (seen.has(id)) return null
    seen.add(id)
    const into = file.edges.find(({ target }) => target === id)
    return into ? branchingBefore(into.source, seen) : null
  }
  function isReady(id: string, come: ReadonlySet<string>): boolean {
    const groups = new Map<string, boolean>()
    for (const { source: from } of file.edges.filter(({ target }) => target === id)) {
      const parent = branchingBefore(from)
      if (parent === null && !come.has(from)) return false
      if (parent !== null) groups.set(parent, (groups.get(parent) ?? false) || come.has(from))
    }
    return [...groups.values()].every(Boolean)
  }

  function run({ text, world, decisions }: Step): Visited {
    const visited: Visited = { nodes: [], said: '' }
    const outputs = new Map<string, Record<string, unknown>>()
    const rounds = new Map<string, number>()
    let waiting = new Map<string, Set<string>>()
    let decided = 0
    let item: unknown
    if (start?.data.inputs.startPersistState !== true) state = new Map(initial.map(({ key, value }) => [key, value]))

    function readValue(written: string): unknown {
      const reference = written.replace(/\\/g, '').trim()
      if (reference === 'question') return text
      if (reference.startsWith('$form.')) return text
      if (reference.startsWith('$iteration.'))
        return reference
          .split('.')
          .slice(2)
          .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], item)
      if (reference.startsWith('$flow.state.')) return state.get(reference.slice(12))
      const [id = '', , ...path] = reference.split('.')
      const output = outputs.get(id)
      if (path.length === 0) return output?.content ?? (output?.http as { data?: unknown } | undefined)?.data
      return path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], output)
    }
    const filled = (template: unknown) =>
      String(template ?? '')
        .replace(/<[^>]*>/g, '')
        .replace(/\{\{([^{}]*)\}\}/g, (_, inside: string) => printed(readValue(inside)))
        .trim()

    /** Does what the node does; gives the exit that it leaves by, or false where an error ends the run. */
    function carryOut({ id, parentNode, data: { name, label, inputs } }: Node): string | false {
      if (kept.has(label)) return ''
      const isLast = !parentNode && !file.edges.some((edge) => edge.source === id)
      const update = (rows: unknown, content: string) => {
        for (const { key, value } of (rows || []) as { key: string; value: string }[])
          state.set(key, /\{\{ ?output ?\}\}/.test(value) ? content : filled(value))
      }
      switch (name) {
        case 'llmAgentflow':
        case 'agentAgentflow':
          if (world.down) return false
          outputs.set(id, { content: world.word })
          if (isLast) visited.said += bare(world.word)
          update(inputs.llmUpdateState ?? inputs.agentUpdateState, world.word)
          return ''
        case 'retrieverAgentflow':
          outputs.set(id, { content: world.down ? undefined : world.word })
          update(inputs.retrieverUpdateState, world.word)
          return ''
        case 'httpAgentflow':
          // a server that answers with an error status is an error
          if (world.down || world.status >= 400) return false
          outputs.set(id, { http: { data: { state: world.word }, status: world.status } })
          return ''
        case 'iterationAgentflow': {
          const inner = file.nodes.filter(({ parentNode }) => parentNode === id)
          const starts = inner.filter((each) => !file.edges.some(({ target }) => target === each.id))
          const last = inner.findLast((each) => !file.edges.some(({ source }) => source === each.id))
          const results: unknown[] = []
          for (const each of listIn(filled(inputs.iterationInput))) {
            for (const { id: forgotten } of inner) outputs.delete(forgotten)
            item = each
            if (!follow(starts.map((first) => first.id))) return false
            results.push(outputs.get(last?.id ?? '')?.content)
          }
          outputs.set(id, { content: results.map(printed).join('\n') })
          return ''
        }
        case 'directReplyAgentflow':
          visited.said += bare(filled(inputs.directReplyMessage))
          return ''
        case 'conditionAgentflow': {
          const conditions = inputs.conditions as Condition[]
          const found = conditions.findIndex((condition) => holds(condition, filled))
          return String(found < 0 ? conditions.length : found)
        }
        case 'conditionAgentAgentflow': {
          const count = (inputs.conditionAgentScenarios as unknown[]).length
          // a scenario that the model does not name counts as the last
          return String(world.down ? count - 1 : world.choice % count)
        }
        case 'humanInputAgentflow': {
          const before = file.edges.find(({ target }) => target === id)?.source ?? ''
          if (inputs.humanInputDescriptionType === 'dynamic') {
            if (world.down) return false
            visited.said += bare(world.word)
          } else {
            if (/^(llm|agent)Agentflow$/.test(nameOf(before)))
              visited.said += bare(printed(outputs.get(before)?.content))
            visited.said += bare(filled(inputs.humanInputDescription))
          }
          rounds.clear()
          return decisions[decided++ % decisions.length] ? '0' : '1'
        }
      }
      return ''
    }

    /** Runs nodes from those; false where an error ended it. */
    function follow(starts: readonly string[]): boolean {
      const queue = [...starts]
      for (let id = queue.shift(), steps = 0; id !== undefined && steps < 400; id = queue.shift(), steps++) {
        const node = nodes.get(id)
        if (!node) continue
        if (node !== start) visited.nodes.push(node.data.label)
        const exit = carryOut(node)
        if (exit === false) return false
        if (node.data.name === 'humanInputAgentflow') {
          queue.length = 0
          waiting = new Map()
        }
        for (const { sourceHandle, target } of file.edges.filter((edge) => edge.source === id)) {
          if (BRANCHING.has(node.data.name) && sourceHandle !== `${id}-output-${exit}`) continue
          const come = (waiting.get(target) ?? new Set()).add(id)
          waiting.set(target, come)
          if (!isReady(target, come)) continue
          waiting.delete(target)
          queue.push(target)
        }
        if (node.data.name === 'loopAgentflow') {
          const { loopBackToNode, maxLoopCount, fallbackMessage } = node.data.inputs
          const count = (rounds.get(id) ?? 0) + 1
          const most = Number(maxLoopCount) || 5
          if (count < most) {
            rounds.set(id, count)
            queue.push(String(loopBackToNode).split('-')[0] ?? '')
          } else
            visited.said += bare(
              fallbackMessage
                ? filled(fallbackMessage)
                : `Loop completed after reaching maximum iteration count of ${most}.`,
            )
        }
      }
      return true
    }
    follow(start ? [start.id] : [])
    return visited
  }
  return { run, isForm, compared: wordsIn(file.nodes) }
}

/** A list that a text spells; none where it spells none. */
function listIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return []
  }
}

const printed = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function holds({ type, operation, value1, value2 }: Condition, filled: (template: unknown) => string): boolean {
  const [left, right] = [filled(value1), filled(value2)]
  const [a, b] = type === 'number' ? [Number.parseFloat(left) || 0, Number.parseFloat(right) || 0] : [left, right]
  switch (operation) {
    case 'contains':
      return left.includes(right)
    case 'notContains':
      return !left.includes(right)
    case 'startsWith':
      return left.startsWith(right)
    case 'endsWith':
      return left.endsWith(right)
    case 'equal':
      return a === b
    case 'notEqual':
      return a !== b
    case 'larger':
      return a > b
    case 'largerEqual':
      return a >= b
    case 'smaller':
      return a < b
    case 'smallerEqual':
      return a <= b
    case 'regex':
      return new RegExp(right).test(left)
    case 'isEmpty':
      return left === ''
    default:
      return left !== ''
  }
}

/** What conditions compare with: what a visitor should say now and then. */
function wordsIn(nodes: readonly Node[]): string[] {
  const conditions = nodes.flatMap(({ data }) => (data.inputs.conditions ?? []) as Condition[])
  const words = conditions.map(({ value2 }) => String(value2 ?? '').replace(/<[^>]*>|[\^$]/g, ''))
  return [...new Set(words.filter((word) => word.trim() !== '' && !word.includes('{{')))]
}
