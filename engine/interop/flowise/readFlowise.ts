import { flowCaps } from '../../flow/schema'
import { objects } from '../dify/readDify'
import { clip, type Fields, fieldsOf, listOf, numberOf, textOf } from '../fields'
import type { ImportNote } from '../importer'
import { withRounds } from '../nodes/iterationNodes'
import { withIterations } from '../nodes/iterations'
import { DEFAULT_EXIT, type GraphNode, MESSAGE, type NodeEdge, type NodeGraph, RUN_FAILS } from '../nodes/nodeGraph'
import { flowiseSchedule } from './flowiseSchedule'
import { iterationOf } from './iterations'
import { bracesIn, type FlowiseNames, loopKey, resolveFlowise, stateKey } from './references'
import { messageSteps, stepsOf, structuredKeys } from './steps'

const BRANCHING = new Set(['conditionAgentflow', 'conditionAgentAgentflow', 'humanInputAgentflow'])

/**
 * Reads a Flowise agentflow (V2), which is run for each message of the visitor, or once for the entries of a form.
 * Wrong types of nodes and edges throw IMPORT_UNREADABLE with their path; problems within a node are noted by its kind.
 */
export function readFlowise(file: Fields): NodeGraph {
  const notes: ImportNote[] = []
  const note = (level: ImportNote['level'], message: string, place?: string) =>
    notes.push(place === undefined ? { level, message } : { level, message, place })
  const all = objects(file.nodes, 'nodes', flowCaps.groups)
  const drawn: { id: string; data: Fields; inputs: Fields; node: Fields }[] = []
  const seen = new Set<string>()
  for (const [index, node] of all.entries()) {
    const data = fieldsOf(node.data)
    const id = textOf(node.id) || textOf(data.id) || `#${index}`
    const inputs = fieldsOf(data.inputs)
    if (data.name === 'stickyNoteAgentflow')
      note('info', `A note on the canvas is left out: “${clip(textOf(inputs.note), 300)}”`)
    else if (seen.has(id)) note('info', 'Another node has the same id and is left out.', clip(textOf(data.label), 100))
    else {
      seen.add(id)
      drawn.push({ id, data, inputs, node })
    }
  }
  const types = new Map(drawn.map(({ id, data }) => [id, textOf(data.name)]))
  const titles = new Map(drawn.map(({ id, data }) => [id, textOf(data.label)]))
  const ofType = (type: string) => drawn.filter(({ data }) => data.name === type)
  const start = ofType('startAgentflow')[0]
  if (!start) note('warning', 'The file has no start: add one and connect it.')
  const startInputs = start?.inputs ?? {}
  const isChat = !/^(?:formInput|webhookTrigger)$/.test(textOf(startInputs.startInputType))
  noteStart(startInputs, note)
  const loops = ofType('loopAgentflow').map(({ id }) => id)
  const braces = new Set(drawn.flatMap(({ inputs }) => bracesIn(inputs)))
  const hasNow = braces.has('current_date_time')
  const state = listOf(startInputs.startState).map(fieldsOf)
  const variables: NodeGraph['variables'] = [
    ...(isChat || braces.has('question') ? [{ key: MESSAGE, name: 'question', value: null }] : []),
    ...state.map(({ key, value }) => ({ key: stateKey(textOf(key)), name: textOf(key), value: textOf(value) })),
    ...loops.map((id) => ({ key: loopKey(id), name: `${clip(titles.get(id) ?? '', 30)} rounds`, value: 0 })),
    ...(hasNow ? [{ key: 'current_date_time', name: 'current date time', value: null }] : []),
  ]
  const names: FlowiseNames = {
    types,
    declared: new Set(variables.map(({ key }) => key)),
    start: start?.id ?? null,
    structured: new Map(drawn.map(({ id, inputs }) => [id, new Set(structuredKeys(inputs))])),
    loops,
  }
  const parentOf = (id: string): string | null => textOf(drawnById.get(id)?.node.parentNode) || null
  const drawnById = new Map(drawn.map((each) => [each.id, each]))
  const reads = new Map<string, Set<string>>()
  for (const { id, inputs } of drawn)
    for (const written of bracesIn(inputs)) {
      const found = resolveFlowise(written, names, { id, parent: parentOf(id) })
      if (found && 'node' in found) reads.set(found.node, new Set([...(reads.get(found.node) ?? []), found.output]))
    }

  const edges = objects(file.edges, 'edges', flowCaps.edges).map((edge): NodeEdge => {
    const source = textOf(edge.source)
    return {
      source,
      exit: exitOf(source, textOf(edge.sourceHandle), types.get(source) ?? ''),
      target: textOf(edge.target),
    }
  })
  const known = edges.filter(({ source, target }) => seen.has(source) && seen.has(target))
  if (known.length < edges.length)
    note('info', `${edges.length - known.length} of its edges lead from or to a node that the file does not have.`)
  const before = new Map(known.map(({ source, target }) => [target, source]))
  const leaving = new Set(known.map(({ source }) => source))
  const form = listOf(startInputs.formInputTypes).map(fieldsOf)
  const nodes: GraphNode[] = drawn.map(({ id, data, inputs, node }): GraphNode => {
    const parent = parentOf(id)
    const previous = before.get(id) ?? ''
    return {
      id,
      type: textOf(data.name),
      title: textOf(data.label).trim() || textOf(data.name),
      position: readPosition(node.positionAbsolute) ?? readPosition(node.position),
      data: { ...inputs, label: data.label, version: data.version },
      steps: stepsOf({
        id,
        type: textOf(data.name),
        inputs,
        // the output of a run's last node is sent
        isLast: !leaving.has(id) && parent === null,
        before: { id: previous, type: types.get(previous) ?? '' },
        form: isChat ? [] : form.map(({ label, name }) => `${textOf(label)}: {{ $form.${textOf(name)} }}`),
        loops,
      }),
      failure: RUN_FAILS,
      readOutputs: [...(reads.get(id) ?? [])],
      parent,
      inside: parent === null ? null : titles.get(parent) || 'an iteration',
    }
  })
  if (isChat)
    note(
      'info',
      'The whole flow ran for each message of the visitor: the group “Message” asks for it, and every end leads back there.',
    )
  const targets = new Map(
    ofType('loopAgentflow').flatMap(({ id, inputs }): [string, string][] => {
      const target = textOf(inputs.loopBackToNode).split('-')[0] ?? ''
      if (seen.has(target)) return [[id, target]]
      note('warning', 'It goes back to a node that the file does not have.', clip(titles.get(id) ?? '', 100))
      return []
    }),
  )
  const withType = (test: (type: string) => boolean) =>
    new Set([...types].filter(([, type]) => test(type)).map(([id]) => id))
  const resolve: NodeGraph['resolve'] = (written, node) =>
    resolveFlowise(written, names, { id: node.id, parent: node.parent })
  const orderFrom = (starts: readonly string[], among: readonly NodeEdge[]) =>
    flowiseSchedule(
      starts,
      among,
      withType((type) => BRANCHING.has(type)),
      withType((type) => type === 'humanInputAgentflow'),
      targets,
    )
  const iterated = nodes.flatMap((node) => iterationOf(node, { nodes, edges: known, resolve, rounds: orderFrom }) ?? [])
  const replaced = new Set(iterated.map(({ id }) => id))
  return {
    product: 'flowise',
    version: 'agentflow v2',
    nodes: [...nodes.filter(({ id }) => !replaced.has(id)), ...iterated.flatMap(({ nodes: own }) => own)],
    edges: withRounds(known, iterated),
    start: start?.id ?? null,
    message: isChat
      ? { title: 'Message', steps: messageSteps(state, startInputs.startPersistState === true, hasNow, loops) }
      : null,
    variables,
    notes,
    schedule: withIterations(
      orderFrom(start ? [start.id] : [], known),
      new Map(iterated.map(({ id, iteration }) => [id, iteration])),
    ),
    resolve,
    scale: { x: 2.4, y: 3 },
  }
}

/** Branching nodes number their exits; all others have one. */
function exitOf(source: string, handle: string, type: string): string {
  if (!BRANCHING.has(type)) return DEFAULT_EXIT
  return handle.startsWith(`${source}-output-`) ? handle.slice(source.length + 8) : handle
}

type Note = (level: ImportNote['level'], message: string, place?: string) => void

function noteStart(inputs: Fields, note: Note): void {
  if (inputs.startInputType === 'webhookTrigger')
    note(
      'warning',
      'It was begun by a call from outside (a webhook): here a conversation begins it, without the data of that call.',
    )
  if (inputs.startEphemeralMemory === true)
    note('warning', 'Each run began without what was said before: here the model knows the conversation.')
}

function readPosition(value: unknown): { x: number; y: number } | null {
  const x = numberOf(fieldsOf(value).x)
  const y = numberOf(fieldsOf(value).y)
  return x === undefined || y === undefined ? null : { x, y }
}
