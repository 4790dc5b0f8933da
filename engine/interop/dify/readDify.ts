import { EngineError } from '../../errors'
import { flowCaps } from '../../flow/schema'
import { clip, type Fields, fieldsOf, isFields, listOf, numberOf, textOf, toJson } from '../fields'
import type { ForeignBlock, ImportNote } from '../importer'
import { withRounds } from '../nodes/iterationNodes'
import { withIterations } from '../nodes/iterations'
import { DEFAULT_EXIT, type GraphNode, MESSAGE, type NodeEdge, type NodeGraph, RUN_FAILS } from '../nodes/nodeGraph'
import { isUnset } from '../settings'
import { difySchedule, exitOf } from './difySchedule'
import { iterationOf } from './iterations'
import { contextOf, readsOf, resolveDify } from './references'

/** Known versions of the format ("DSL"); others are read as far as possible, with a note. */
const KNOWN_VERSION = /^(|0\.[1-6](\.\d+)?)$/

/**
 * Reads a Dify app with a graph: a chatflow (`advanced-chat`), which is run for each message of the visitor, or a
 * workflow, which is run once. Wrong types of nodes and edges throw IMPORT_UNREADABLE with their path; problems within
 * a node are noted by its kind.
 */
export function readDify(file: Fields): NodeGraph {
  const app = fieldsOf(file.app)
  const workflow = fieldsOf(file.workflow)
  const graph = fieldsOf(workflow.graph)
  const notes: ImportNote[] = []
  const note = (level: ImportNote['level'], message: string, place?: string) =>
    notes.push(place === undefined ? { level, message } : { level, message, place })
  const version = clip(textOf(file.version), 20)
  if (!KNOWN_VERSION.test(version))
    note('warning', `Version '${version}' of its format is not known here; 0.1 to 0.6 are. Look at what came of it.`)

  const all = objects(graph.nodes, 'workflow.graph.nodes', flowCaps.groups)
  const drawn = all.filter((node) => textOf(fieldsOf(node.data).type) !== '')
  for (const each of all) {
    const text = noteText(fieldsOf(each.data).text)
    if (!drawn.includes(each)) note('info', `A note on the canvas is left out: “${clip(text, 300)}”`)
  }
  const isChat = app.mode !== 'workflow'
  const features = fieldsOf(workflow.features)
  noteFeatures(features, note)

  const titles = new Map(drawn.map((node) => [textOf(node.id), textOf(fieldsOf(node.data).title)]))
  const reads = new Map<string, Set<string>>()
  for (const node of drawn)
    for (const [id, names] of readsOf(fieldsOf(node.data))) reads.set(id, new Set([...(reads.get(id) ?? []), ...names]))
  const readOf = (id: string) => [...(reads.get(id) ?? [])]
  const seen = new Set<string>()
  const nodes: GraphNode[] = []
  for (const [index, node] of drawn.entries()) {
    const id = textOf(node.id) || `#${index}`
    const data = fieldsOf(node.data)
    if (seen.has(id)) {
      note('info', 'Another node has the same id and is left out.', clip(textOf(data.title), 100))
      continue
    }
    seen.add(id)
    const parent = textOf(node.parentId)
    nodes.push({
      id,
      type: textOf(data.type),
      title: textOf(data.title).trim() || titles.get(parent)?.trim() || textOf(data.type),
      position: readPosition(node.positionAbsolute) ?? readPosition(node.position),
      data,
      steps: stepsOf(id, data, features),
      failure: failureOf(data),
      readOutputs: readOf(id),
      parent: parent || null,
      inside: parent === '' ? null : titles.get(parent) || 'a loop',
    })
  }
  const edges = objects(graph.edges, 'workflow.graph.edges', flowCaps.edges).map(
    (edge): NodeEdge => ({
      source: textOf(edge.source),
      exit: exitOf(textOf(edge.sourceHandle)),
      target: textOf(edge.target),
    }),
  )
  const known = edges.filter(({ source, target }) => seen.has(source) && seen.has(target))
  if (known.length < edges.length)
    note('info', `${edges.length - known.length} of its edges lead from or to a node that the file does not have.`)

  const iterated = nodes.flatMap((node) => iterationOf(node, nodes, known, note) ?? [])
  const replaced = new Set(iterated.flatMap((one) => one.nodes.map(({ id }) => id)))
  const iterations = new Map(iterated.map(({ id, iteration }) => [id, iteration]))
  const start = nodes.find(({ type }) => type === 'start')?.id ?? null
  if (start === null) note('warning', 'The file has no start: add one and connect it.')
  const counts = isChat && readOf('sys').includes('dialogue_count')
  if (counts) note('info', 'The count of messages begins at 1 here, as in newer versions; older ones began at 0.')
  const variables = [
    ...(isChat ? [{ key: MESSAGE, name: 'query', value: null }] : []),
    ...(counts ? [{ key: 'sys.dialogue_count', name: 'dialogue count', value: 0 }] : []),
    ...declaredIn(workflow, note),
  ]
  const names = { nodes: seen, declared: new Set(variables.map(({ key }) => key)) }
  if (isChat)
    note(
      'info',
      'The whole flow ran for each message of the visitor: the group “Message” asks for it, and every end leads back there.',
    )
  return {
    product: 'dify',
    version,
    nodes: [...nodes.filter(({ id }) => !replaced.has(id)), ...iterated.flatMap(({ nodes: own }) => own)],
    edges: withRounds(known, iterated),
    start,
    message: isChat ? { title: 'Message', steps: messageSteps(features, counts) } : null,
    variables,
    notes,
    schedule: withIterations(difySchedule(start, known), iterations),
    resolve: (written, node) => resolveDify(written, { ...names, context: contextOf(node.data) }),
    scale: { x: 1.4, y: 1.7 },
  }
}

/** Editor-only fields: a node's position and the like. */
const COSMETIC =
  /^(title|desc|type|selected|width|height|isInIteration|isInLoop|iteration_id|loop_id|version|error_strategy|default_value|vision|variables)$/

/** The blocks that a node becomes. */
function stepsOf(id: string, data: Fields, features: Fields): ForeignBlock[] {
  const type = textOf(data.type)
  const own = Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => !COSMETIC.test(name))
      .map(([name, value]) => [name, name === 'model' || name === 'memory' ? withoutPlace(fieldsOf(value)) : value]),
  )
  const step = (stepType: string, fields: Fields = {}): ForeignBlock => ({ ...fields, id, type: stepType })
  switch (type) {
    case 'start':
      return [
        step('start'),
        ...(textOf(features.opening_statement).trim() ? [step('opening', { text: features.opening_statement })] : []),
        ...(listOf(data.variables).length > 0 ? [step('start form', { variables: data.variables })] : []),
      ]
    case 'question-classifier':
      return [step('class reset'), step(type, own), step('class branches', { classes: data.classes })]
    case 'assigner':
      return Array.isArray(data.items)
        ? data.items.map((item) => step(type, fieldsOf(item)))
        : [step(type, { ...own, isFirst: true })]
    case 'variable-aggregator':
    case 'variable-assigner': {
      const { group_enabled, groups } = fieldsOf(data.advanced_settings)
      return group_enabled === true
        ? listOf(groups).map((group) => step('variable-aggregator', fieldsOf(group)))
        : [step('variable-aggregator', { variables: data.variables })]
    }
    default:
      return [step(type, { ...own, ...visionOf(data), ...errorsOf(data) })]
  }
}

/** Identity of a model, without meaning where another model answers. */
const withoutPlace = ({
  mode: _mode,
  provider: _provider,
  role_prefix: _roles,
  window: _window,
  ...rest
}: Fields): Fields => rest

const visionOf = ({ vision }: Fields): Fields => (fieldsOf(vision).enabled === true ? { vision } : {})

/** Fallback values for failed nodes are not supported. */
const errorsOf = ({ error_strategy, default_value }: Fields): Fields =>
  error_strategy === 'default-value' ? { default_value } : {}

function failureOf({ error_strategy }: Fields): string {
  if (error_strategy === 'fail-branch') return 'fail-branch'
  return error_strategy === 'default-value' ? DEFAULT_EXIT : RUN_FAILS
}

function messageSteps(features: Fields, counts: boolean): ForeignBlock[] {
  const suggested = listOf(features.suggested_questions).map(textOf).filter(Boolean)
  return [
    { id: '', type: 'message', saveTo: ['sys', 'query'], suggested },
    ...(counts ? [{ id: '', type: 'count', of: ['sys', 'dialogue_count'] }] : []),
  ]
}

type Note = (level: ImportNote['level'], message: string, place?: string) => void

const FEATURES: Readonly<Record<string, string>> = {
  file_upload: 'Visitors could send files: add a file upload where one is wanted.',
  speech_to_text: 'Visitors could speak: that is left out.',
  text_to_speech: 'Answers could be spoken: that is left out.',
  sensitive_word_avoidance: 'Its moderation is left out: say in the instructions of AI answers what they must not say.',
  suggested_questions_after_answer: 'Questions suggested after answers are left out.',
  annotation_reply:
    'Its kept answers (annotations) are left out: add them as questions and answers to the data sources.',
}

function noteFeatures(features: Fields, note: Note): void {
  for (const [name, text] of Object.entries(FEATURES)) if (fieldsOf(features[name]).enabled === true) note('info', text)
}

/** Variables of the conversation and of the original installation. The file has no values of secret ones. */
function declaredIn(workflow: Fields, note: Note): NodeGraph['variables'] {
  return (['conversation', 'environment'] as const).flatMap((scope) => {
    const list = objects(workflow[`${scope}_variables`], `workflow.${scope}_variables`, flowCaps.variables)
    return list.map((variable) => {
      const name = textOf(variable.name)
      if (variable.value_type === 'secret')
        note(
          'warning',
          `The secret '${clip(name, 60)}' is not in the file: add it under Secrets, and put it where '${clip(name, 60)}' stands.`,
        )
      const key = `${scope === 'environment' ? 'env' : scope}.${name}`
      const value =
        variable.value_type === 'secret' || isUnset(variable.value) ? emptyOf(variable) : toJson(variable.value)
      return { key, name, value }
    })
  })
}

/** An empty list is one that grows; any other empty value is unset. */
const emptyOf = ({ value, value_type }: Fields) =>
  Array.isArray(value) || textOf(value_type).startsWith('array') ? [] : value === false ? false : null

/** The text of a note, which Dify's editor stores as a JSON tree. */
function noteText(value: unknown): string {
  const texts: string[] = []
  const open: unknown[] = [readTree(textOf(value))]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isFields(node)) {
      if (typeof node.text === 'string') texts.push(node.text)
      open.push(...listOf(node.children).toReversed(), ...(isFields(node.root) ? [node.root] : []))
    }
  }
  return texts.join(' ').trim()
}

function readTree(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}

function readPosition(value: unknown): { x: number; y: number } | null {
  const x = numberOf(fieldsOf(value).x)
  const y = numberOf(fieldsOf(value).y)
  return x === undefined || y === undefined ? null : { x, y }
}

/** The objects of a list; empty if absent. */
export function objects(value: unknown, path: string, most: number): Fields[] {
  const list = value ?? []
  if (!Array.isArray(list)) throw new EngineError('IMPORT_UNREADABLE', `'${path}' must be a list.`)
  if (list.length > most)
    throw new EngineError('IMPORT_UNREADABLE', `'${path}' has ${list.length} entries, at most ${most} fit.`)
  return list.map((each, index) => {
    if (!isFields(each)) throw new EngineError('IMPORT_UNREADABLE', `'${path}[${index}]' must be an object.`)
    return each
  })
}
